"""What doctor says of the search index."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from .interface import SearchIndex

if TYPE_CHECKING:
    from .truth.rows import Fault

CheckResult = tuple[str, str, str, str]  # state, what, note, fix
WITHIN = 4.0  # seconds: sooner than whoever asks for the check gives up, who cannot name the server


@runtime_checkable
class Checked(Protocol):
    """An index on a server: it can tell what is wrong with it, and what is worth knowing."""

    async def check(self) -> Sequence[Fault]: ...

    async def advice(self) -> Sequence[Fault]: ...


@runtime_checkable
class KeptInFiles(Protocol):
    """An index in files: it can tell which of them are not what was written."""

    async def damage(self) -> list[str]: ...


async def loaded(library: str) -> None:
    """Before a server's time begins: what a busy machine takes to load its client says nothing of the server."""
    await asyncio.to_thread(import_module, library)


async def check(index: SearchIndex) -> list[CheckResult]:
    """Which index answers, and what keeps a better one from it."""
    if isinstance(index, Checked):
        wrong = [("broken", "", each.what, each.cure) for each in await index.check()]
        wrong += [("warning", "", each.what, each.cure) for each in await index.advice()]
        return wrong or [("ok", "", "the Qdrant server answers and holds everything", "")]
    broken = await index.damage() if isinstance(index, KeptInFiles) else []
    state = await index.catch_up(0)
    if broken:
        return [("warning", "", f"the index was damaged ({', '.join(broken)}): mended, it is made anew", "")]
    behind = f", {state.behind:,} changes behind" if state.behind else ""
    if state.note:
        return [("warning", "", f"{state.note}{behind}", "")]
    return [("ok", "", f"{state.kind} index{behind}", "")]
