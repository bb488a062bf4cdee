"""The index that answers on this machine: the newest generation with what changed since, SQLite until there is one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial

from wekadocs_corpus.at_once import at_once
from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.model import Filters, Leg, Scope
from wekadocs_corpus.stopping import uninterrupted
from wekadocs_corpus.store.errors import Damaged
from wekadocs_corpus.store.interface import IndexState, SparseVector
from wekadocs_corpus.store.ranking import MORE
from wekadocs_corpus.store.truth.interface import Truth

from .following import Follower
from .view import View

_MEANWHILE = "full text and exact vectors of SQLite answer"
_BUILDING = "the index is being built; full text of SQLite answers meanwhile, without vectors"
_OPENING_TAKES = 0.5  # seconds that opening waits for what is read at once
_AT_ONCE = 16_000  # chunks that are searched where they are asked for: a change of thread would cost more


class LocalIndex:
    """Questions to a large index run in threads: numpy lets go of the interpreter, so two of them use two cores."""

    instead = ""

    def __init__(self, truth: Truth, project: str, profile: Profile) -> None:
        self._truth, self._project = truth, project
        self._full_text = truth.full_text(project, profile)
        self._follower = Follower(truth, project, profile)
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="wekadocs-search")
        self._follows = ThreadPoolExecutor(1, thread_name_prefix="wekadocs-follow")
        with uninterrupted():
            self._following: Future[None] = self._follows.submit(self._follower.follow)
            wait([self._following], _OPENING_TAKES)

    async def search_words(self, query: SparseVector, scope: Scope, filters: Filters, limit: int) -> list[Leg]:
        view = self._follower.view
        if view is None:
            return await self._full_text.search_words(query, scope, filters, limit)
        weights = await at_once(self._truth.weighted, self._project, query)
        if not weights or not self._is_ours(scope, limit):
            return []
        try:
            return await self._ask(view, partial(view.words, weights, scope, filters), scope, filters, limit)
        except Damaged:
            return await self._full_text.search_words(query, scope, filters, limit)

    async def search_vectors(self, query: Sequence[float], scope: Scope, filters: Filters, limit: int) -> list[Leg]:
        view = self._follower.view
        if view is None and not self._is_coming:
            return await self._full_text.search_vectors(query, scope, filters, limit)
        if view is None or not self._is_ours(scope, limit):
            return []
        try:
            return await self._ask(view, partial(view.nearest, query, scope, filters), scope, filters, limit)
        except Damaged:
            return await self._full_text.search_vectors(query, scope, filters, limit)

    async def catch_up(self, seconds: float) -> IndexState:
        end = time.monotonic() + seconds
        for _ in range(2):  # what was under way may have looked before the change came
            if not await self._behind() and not self._follower.stale:
                break
            self._follow()
            await asyncio.wait([asyncio.wrap_future(self._following)], timeout=max(0.0, end - time.monotonic()))
            if self._following.done():
                self._following.result()  # what the truth cannot tell, nobody else can
        if self._follower.view is not None:
            self._full_text.forget()
        elif not self._is_coming:
            self._full_text.note = self._why_not
            return await self._full_text.catch_up(max(0.0, end - time.monotonic()))
        return await self.state()

    async def state(self) -> IndexState:
        view = self._follower.view
        if view is None:
            self._full_text.note = self._why_not
            return await self._full_text.state()
        behind = await self._behind()
        failed = self._follower.builder.failed if behind and not self._follower.builder.running else ""
        return IndexState("local", view.sequence, behind, failed)

    async def damage(self) -> list[str]:
        """For doctor: what on disk is not what was written, found by reading all of it; it is made anew."""
        found = await asyncio.get_running_loop().run_in_executor(self._threads, self._follower.damage)
        if found:
            self._follower.mend()
            self._follow()
        return found

    async def close(self) -> None:
        self._follower.stop.set()
        await self._full_text.close()
        await asyncio.wait([asyncio.wrap_future(self._following)])
        self._follower.builder.leave()
        self._follows.shutdown(wait=False)
        self._threads.shutdown(wait=False)

    def _is_ours(self, scope: Scope, limit: int) -> bool:
        return scope.project_id == self._project and limit > 0

    async def _ask(
        self, view: View, search: Callable[[int], list[Leg]], scope: Scope, filters: Filters, limit: int
    ) -> list[Leg]:
        """What is behind the truth is asked for more, and the truth has the last word."""
        behind = await self._behind(view)
        found = await self._searched(view, search, limit + MORE * bool(behind))
        if not behind:
            return found
        ids = [leg.chunk_id for leg in found]
        there = await at_once(self._truth.documents_of, ids, scope, filters)
        return [leg for leg in found if leg.chunk_id in there][:limit]

    async def _searched(self, view: View, search: Callable[[int], list[Leg]], count: int) -> list[Leg]:
        try:
            if view.size <= _AT_ONCE:
                return search(count)
            return await asyncio.get_running_loop().run_in_executor(self._threads, search, count)
        except (IndexError, ValueError) as problem:
            self._follower.mend()
            raise Damaged(type(problem).__name__) from problem

    async def _behind(self, view: View | None = None) -> int:
        view = self._follower.view if view is None else view
        return await at_once(self._truth.behind, 0 if view is None else view.sequence, self._project)

    def _follow(self) -> None:
        if self._following.done():
            self._following = self._follows.submit(self._follower.follow)

    @property
    def _is_coming(self) -> bool:
        """Whether a generation is being built: vectors wait for it, since to read them all would take as long."""
        return self._follower.builder.running or not self._follower.builder.failed

    @property
    def _why_not(self) -> str:
        return _BUILDING if self._is_coming else f"{self._follower.builder.failed}; {_MEANWHILE}"
