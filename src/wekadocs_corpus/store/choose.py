"""Which index answers: the embedded one, SQLite while that is not there, or a Qdrant server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.model import Filters, Leg, Scope

from .edge import EdgeIndex
from .errors import Damaged, NoRoom
from .full_text import FullText
from .interface import IndexState, SearchIndex, SparseVector
from .slots import SLOTS, Slot, in_use, slots_folder, take_slot
from .truth import Truth

_MEANWHILE = "full text and exact vectors of SQLite answer"
_NO_WHEEL = f"qdrant-edge-py has no build for this platform; {_MEANWHILE}"
_ALL_TAKEN = f"all {SLOTS} index slots of this data directory are used by other processes; {_MEANWHILE}"
_BUILDING = f"the embedded index is being built; {_MEANWHILE} meanwhile"
_OFF = f"the embedded index is switched off; {_MEANWHILE}"
_OPENING_TAKES = 3.0  # seconds that a first question waits for a shard that is there: SQLite has to load more
_ASK_AGAIN = 30.0  # seconds between two looks for a free slot


def open_index(
    truth: Truth,
    data_dir: Path,
    project: str,
    profile: Profile,
    settings: Mapping[str, Any],
    *,
    wait: bool = False,
) -> SearchIndex:
    """`settings` is the corpus plugin's part of tools.yaml: `qdrant: {url}` and `index: auto | sqlite` count here.

    With `wait` the index is for filling, not for asking: `catch_up` tells how far it really has come.
    """
    if (settings.get("qdrant") or {}).get("url"):
        from .qdrant import QdrantIndex

        server: SearchIndex = QdrantIndex(truth, settings["qdrant"], project, profile, filling=wait)
        return server
    if settings.get("index") == "sqlite":
        return FullText(truth, project, profile, _OFF)
    return LocalIndex(truth, data_dir, project, profile, wait=wait)


class LocalIndex:
    """The embedded index as soon as there is one that holds everything, SQLite until then."""

    def __init__(self, truth: Truth, data_dir: Path, project: str, profile: Profile, *, wait: bool = False) -> None:
        self._truth, self._project, self._profile, self._wait = truth, project, profile, wait
        self._slots = slots_folder(data_dir, project, profile.id)
        self._full_text = FullText(truth, project, profile)
        self._edge: EdgeIndex | None = None
        self._looked = 0.0
        self._look_for_slot()

    async def search_words(self, query: SparseVector, scope: Scope, filters: Filters, limit: int) -> list[Leg]:
        try:
            return await (await self._best()).search_words(query, scope, filters, limit)
        except Damaged:
            await self._mend()
            return await self._full_text.search_words(query, scope, filters, limit)

    async def search_vectors(self, query: Sequence[float], scope: Scope, filters: Filters, limit: int) -> list[Leg]:
        try:
            return await (await self._best()).search_vectors(query, scope, filters, limit)
        except Damaged:
            await self._mend()
            return await self._full_text.search_vectors(query, scope, filters, limit)

    def follow(self) -> None:
        """Let the embedded index, where there is one, take in what is new."""
        if self._edge is not None:
            self._edge.follow()

    async def catch_up(self, seconds: float) -> IndexState:
        waited = time.monotonic() - self._looked > _ASK_AGAIN
        if self._edge is None and waited:
            self._look_for_slot()
        failed = self._edge.failed if self._edge is not None else None
        if isinstance(failed, Damaged) or (isinstance(failed, NoRoom | OSError) and waited):
            await self._mend()
        return await (await self._best()).catch_up(seconds)

    async def state(self) -> IndexState:
        return await (await self._best()).state()

    async def close(self) -> None:
        await self._full_text.close()
        if self._edge is not None:
            await self._edge.close()

    async def _best(self) -> SearchIndex:
        edge = self._edge
        if edge is None:
            return self._full_text
        if self._wait and edge.failed is None:
            return edge
        if edge.built and not edge.opening.done():
            await asyncio.wait([asyncio.wrap_future(edge.opening)], timeout=_OPENING_TAKES)
            edge.built = False  # no other question waits
        if edge.ready:
            self._full_text.forget()
            return edge
        if edge.failed is not None:
            self._full_text.note = f"the embedded index failed ({_why(edge.failed)}); {_MEANWHILE}"
        return self._full_text

    def _look_for_slot(self) -> None:
        self._looked = time.monotonic()
        self._full_text.note = _NO_WHEEL
        if _installed():
            try:
                slot = self._slot()
            except OSError as problem:
                self._full_text.note = f"the index folder cannot be written ({_why(problem)}); {_MEANWHILE}"
                return
            self._full_text.note = _BUILDING if slot else _ALL_TAKEN
            self._edge = EdgeIndex(slot, self._truth, self._project, self._profile) if slot else None

    def _slot(self) -> Slot | None:
        """Whoever only fills need not build one more copy: a process that serves has its own and follows by itself."""
        return None if self._wait and in_use(self._slots) else take_slot(self._slots, self._truth.id)

    async def _mend(self) -> None:
        """Let the shard go, a damaged one for good, and open or build it anew in the background."""
        damaged, self._edge = self._edge, None
        if damaged is not None:
            await damaged.close()
            self._look_for_slot()


def _why(problem: BaseException) -> str:
    if isinstance(problem, NoRoom):
        return str(problem)
    return getattr(problem, "strerror", None) or type(problem).__name__


def _installed() -> bool:
    try:
        import qdrant_edge  # noqa: F401
    except ImportError:
        return False
    return True
