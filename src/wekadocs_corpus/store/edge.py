"""The embedded index: one shard, and one thread that follows the truth.

Questions are answered where they are asked: the engine holds the interpreter while it searches, so another thread would
not keep the event loop free, and each change of thread costs more than a question to a small corpus.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.model import Filters, Leg, Scope

from . import reading
from .errors import Damaged
from .filtering import documents_of
from .interface import IndexState, SparseVector
from .ranking import Found, in_order, through_ties
from .shard import Shard, condition
from .slots import Slot
from .truth import Truth

_REMEMBERED = 100_000  # chunks


class EdgeIndex:
    """Owns its slot from the beginning; `ready` once it has held everything, and can answer from then on."""

    def __init__(self, slot: Slot, truth: Truth, project: str, profile: Profile) -> None:
        self._slot, self._truth, self._project, self._profile = slot, truth, project, profile
        self.built = slot.holding() is not None  # opening it takes less than a second
        self.failed: BaseException | None = None
        self._documents: dict[str, str] = {}  # by chunk
        self._shard: Shard | None = None
        self._stop = threading.Event()
        self._follows = ThreadPoolExecutor(1, thread_name_prefix="wekadocs-follow")
        self.opening: Future[None] = self._follows.submit(self._open)
        self._following: Future[None] = self.opening

    @property
    def ready(self) -> bool:
        return self.opening.done() and self.failed is None and not self._stop.is_set()

    async def search_words(self, query: SparseVector, scope: Scope, filters: Filters, limit: int) -> list[Leg]:
        weights = self._truth.weighted(self._project, query)
        if not weights:
            return []
        return self._ask(lambda shard, where, count: shard.words(weights, where, count), scope, filters, limit)

    async def search_vectors(self, query: Sequence[float], scope: Scope, filters: Filters, limit: int) -> list[Leg]:
        return self._ask(lambda shard, where, count: shard.vectors(query, where, count), scope, filters, limit)

    def follow(self) -> None:
        """Take in what is new, beside whatever else this process does."""
        if self._following.done():
            self._following = self._follows.submit(self._follow)

    async def catch_up(self, seconds: float) -> IndexState:
        end, state = time.monotonic() + seconds, await self.state()
        for _ in range(2):  # what was under way may have looked before the change came
            if not state.behind:
                break
            self.follow()
            await asyncio.wait([asyncio.wrap_future(self._following)], timeout=max(0.0, end - time.monotonic()))
            state = await self.state()
        return state

    async def state(self) -> IndexState:
        sequence = self._shard.sequence if self._shard else 0
        with self._truth.reading() as connection:
            return IndexState("edge", sequence, reading.behind(connection, sequence, self._project))

    async def close(self) -> None:
        """Stop following at the next step, keep what is there, let the slot go."""
        self._stop.set()
        await asyncio.wrap_future(self._follows.submit(self._close))
        self._follows.shutdown(wait=False)

    def _ask(self, ask: Callable[..., Found], scope: Scope, filters: Filters, limit: int) -> list[Leg]:
        if self._shard is None or scope.project_id != self._project or limit <= 0:
            return []
        shard, where, sequence = self._shard, condition(scope, filters), self._shard.sequence
        if where is None:
            return []
        try:
            found = through_ties(lambda count: ask(shard, where, count), limit)
        except Damaged as problem:
            self.failed = problem
            raise
        with self._truth.reading() as connection:
            current = not reading.behind(connection, sequence, self._project)
            check = self._owners if current else partial(documents_of, scope=scope, filters=filters)
            return _checked(in_order(found), limit, partial(check, connection))

    def _owners(self, connection: sqlite3.Connection, chunks: Sequence[str]) -> dict[str, str]:
        """Each chunk's document, which never changes; what else a current shard says of it need not be asked again."""
        known = self._documents
        new = [chunk for chunk in chunks if chunk not in known]
        if new:
            if len(known) > _REMEMBERED:
                known.clear()
            known.update(reading.owners(connection, new))
        return known

    def _open(self) -> None:
        """Load the shard or make one, bring it up to the truth, and again if it turns out not to be whole."""
        try:
            for _ in range(2):
                shard = Shard(self._slot, self._truth, self._project, self._profile.id, self._profile.dimension)
                self._shard = shard
                self._follow()
                if self._stop.is_set() or self.failed is not None:
                    return
                if shard.whole():
                    shard.flush()
                    return
                shard.abandon()
            raise Damaged("a shard that was just built is not whole")
        except BaseException as problem:
            self.failed = problem

    def _follow(self) -> None:
        shard = self._shard
        try:
            while shard is not None and not self._stop.is_set() and shard.step():
                self._stop.wait(0.0005)  # lets other threads have the interpreter
        except BaseException as problem:
            self.failed = problem

    def _close(self) -> None:
        shard, self._shard = self._shard, None
        if shard is None:
            self._slot.release()
        elif isinstance(self.failed, Damaged):
            shard.abandon()
            self._slot.release()
        elif self.failed is not None:
            shard.drop()
        else:
            shard.close()


def _checked(found: Found, limit: int, documents_of: Callable[[Sequence[str]], Mapping[str, str]]) -> list[Leg]:
    """The best that the truth still has inside the scope; the rest is only looked at when some of them are not."""
    legs: list[Leg] = []
    for part in (found[:limit], found[limit:]):
        documents = documents_of([chunk for chunk, _ in part])
        legs += [Leg(chunk, documents[chunk], score) for chunk, score in part if chunk in documents]
        if len(legs) >= limit:
            break
    return legs[:limit]
