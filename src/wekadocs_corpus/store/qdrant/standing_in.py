"""While no node of the server answers, the truth does: slower, and it says so."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from wekadocs_corpus.model import Filters, Leg, Scope
from wekadocs_corpus.store.interface import IndexState, SearchIndex, SparseVector, both_legs
from wekadocs_corpus.store.truth.interface import TruthIndex
from wekadocs_corpus.store.truth.rows import Fault

from .failures import Away
from .index import QdrantIndex

Result = TypeVar("Result")

_SECONDS = 5.0  # that a server which did not answer is left alone: nobody shall wait for it with every question
_AWAY = "the Qdrant server does not answer; full text and exact vectors of the truth do, slower"


class StandingIn:
    """A SearchIndex: the server's, with the truth's own behind it."""

    def __init__(self, server: QdrantIndex, truth: TruthIndex) -> None:
        self._server, self._truth = server, truth
        self._away_until = 0.0
        truth.note = _AWAY

    @property
    def instead(self) -> str:
        return _AWAY if time.monotonic() < self._away_until else ""

    async def search_words(self, query: SparseVector, scope: Scope, filters: Filters, limit: int) -> list[Leg]:
        return await self._asked(lambda index: index.search_words(query, scope, filters, limit))

    async def search_vectors(self, query: Sequence[float], scope: Scope, filters: Filters, limit: int) -> list[Leg]:
        return await self._asked(lambda index: index.search_vectors(query, scope, filters, limit))

    async def search_both(
        self, words: SparseVector, vector: Sequence[float], scope: Scope, filters: Filters, limit: int
    ) -> tuple[list[Leg], list[Leg]]:
        return await self._asked(lambda index: both_legs(index, words, vector, scope, filters, limit))

    async def catch_up(self, seconds: float) -> IndexState:
        return await self._asked(lambda index: index.catch_up(seconds))

    async def state(self) -> IndexState:
        return await self._asked(lambda index: index.state())

    async def check(self) -> list[Fault]:
        return await self._server.check()

    async def advice(self) -> list[Fault]:
        return await self._server.advice()

    async def close(self) -> None:
        await self._truth.close()
        await self._server.close()

    async def _asked(self, question: Callable[[SearchIndex], Awaitable[Result]]) -> Result:
        if not self.instead:
            try:
                answer = await question(self._server)
            except Away:
                self._away_until = time.monotonic() + _SECONDS
            else:
                return answer
        return await question(self._truth)
