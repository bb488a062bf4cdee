"""How every tool that reads begins and ends: the vault as it is now, and what went wrong with its files."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import provider_errors

if TYPE_CHECKING:
    from wekadocs_mcp import Answer, Call

    from ..state import NotesState, OpenVault


async def look(call: Call[NotesState], name: str | None) -> OpenVault:
    """The vault, up to date."""
    vault = call.state.vault(name)
    with provider_errors():
        await asyncio.to_thread(vault.kept.fresh)
    if vault.kept.is_waiting:
        vault.news.set()
    return vault


def answer(vault: OpenVault, data: Mapping[str, Any], warnings: Sequence[str] = ()) -> Answer:
    """With the warnings that nobody was told yet, after those of this answer itself."""
    from wekadocs_mcp import Answer

    return Answer(data, warnings=[*warnings, *vault.kept.warned.take()])
