"""What every search index can do, wherever it lives: arrays on disk, SQLite, a Qdrant server; all of them agree."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from wekadocs_corpus.errors import Unavailable
from wekadocs_corpus.model import Filters, Leg, Scope

SparseVector = Mapping[int, float]  # term id → weight, as lexical.py makes them


@dataclass(frozen=True)
class IndexState:
    """How far an index has come, in words a user can act on."""

    kind: str  # "local", "sqlite", "qdrant"
    sequence: int  # the last change of the truth it holds
    behind: int  # changes still missing
    note: str = ""  # why this one and not a better one: being built, no room, no rights; "" when it is the best


class SearchIndex(Protocol):
    """One project and one model. Every question carries its scope; nothing outside it can come back.

    What takes long is done in threads, so that the event loop stays free; answers are ordered by score, then chunk
    id, so that the same question gets the same answer from every index.
    """

    @property
    def instead(self) -> str:
        """Why something slower answers in its place by now; "" while it answers itself."""
        ...

    async def search_words(self, query: SparseVector, scope: Scope, filters: Filters, limit: int) -> list[Leg]: ...

    async def search_vectors(self, query: Sequence[float], scope: Scope, filters: Filters, limit: int) -> list[Leg]: ...

    async def catch_up(self, seconds: float) -> IndexState:
        """Take in what changed in the truth, for at most this long."""
        ...

    async def state(self) -> IndexState: ...

    async def close(self) -> None: ...


@runtime_checkable
class AsksBoth(Protocol):
    """An index that is far, and finds by words and by vectors in one way there and back."""

    async def search_both(
        self, words: SparseVector, vector: Sequence[float], scope: Scope, filters: Filters, limit: int
    ) -> tuple[list[Leg], list[Leg]]: ...


async def both_legs(
    index: SearchIndex, words: SparseVector, vector: Sequence[float], scope: Scope, filters: Filters, limit: int
) -> tuple[list[Leg], list[Leg]]:
    """What words and what vectors find."""
    if isinstance(index, AsksBoth):
        return await index.search_both(words, vector, scope, filters, limit)
    return await asyncio.gather(
        index.search_words(words, scope, filters, limit), index.search_vectors(vector, scope, filters, limit)
    )


class IndexUnavailable(Unavailable):
    """The index cannot answer now; the reason names the place and the way out, never a key or a text."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
