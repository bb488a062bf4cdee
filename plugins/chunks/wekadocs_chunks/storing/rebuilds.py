"""Collections that are rebuilt for another model behind calls: one task a project, in one process at a time.

Whoever is told that a rebuild goes on was promised it: it is kept and taken up again after a crash. One that nobody was
told of goes with its call, or with its process.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from contextvars import Context
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from wekadocs_corpus import Claim, Migrations, NewChunk, Remaking, Standing, Taken

log = logging.getLogger("wekadocs.plugin.chunks")
_LOOK = 0.25  # seconds between two looks at how far it is
_AGAIN = 10.0  # seconds until one that failed is tried again
_PATIENCE = 10.0
Progress = Callable[[int, int], object]


class Lock(Protocol):
    def release(self) -> None: ...


class Rebuilds:
    """Of one process; used in its event loop."""

    def __init__(
        self, migrations: Callable[[], Migrations], remaking: Callable[[str, str], Awaitable[Remaking | None]]
    ) -> None:
        """`remaking`: what a project's chunks are made anew with under a model; None where nothing here can."""
        self._migrations, self._remaking = migrations, remaking
        self.may_write = True  # False on a server that only reads: another one goes on with what was promised
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._models: dict[str, str] = {}
        self._turns: dict[str, asyncio.Lock] = {}
        self._failed: dict[str, tuple[float, str]] = {}  # when, and why
        self._beside: set[asyncio.Task[None]] = set()

    async def resume(self) -> None:
        """What was promised is taken up again, and the rest is cleared away."""
        for rebuild in await self._thread(self._migrations().rebuilds):
            if rebuild.promised:
                await self.nudge(rebuild.project)
            elif lock := self._migrations().lock(rebuild.project):
                await self._thread(self._migrations().give_up, rebuild.project, time.monotonic() + _PATIENCE)
                lock.release()
        await self._thread(self._migrations().sweep)

    def begin(self) -> None:
        """`resume`, while calls are answered."""
        self._aside(self.resume())

    async def close(self) -> None:
        tasks = [*self._tasks.values(), *self._beside]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def reason(self, project: str) -> str:
        """Why nothing goes on, if it was tried here."""
        return self._failed.get(project, (0.0, ""))[1]

    def works_on(self, project: str) -> bool:
        return project in self._tasks and not self._tasks[project].done()

    async def nudge(self, project: str) -> None:
        """Go on with a rebuild, unless somebody does."""
        failed_at = self._failed.get(project, (0.0, ""))[0]
        if not self.may_write or self.works_on(project) or time.monotonic() - failed_at < _AGAIN:
            return
        standing = await self._thread(self._migrations().standing, project)
        to = await self._remaking(project, standing.rebuild.model) if standing else None
        if standing and (to is None or to.embedder is None):
            self._fail(project, f"this server does not have {standing.rebuild.model}")
        elif standing and to and not self.works_on(project) and (lock := self._migrations().lock(project)):
            self._start(project, standing.rebuild.model, to, lock)

    def _start(self, project: str, model: str, to: Remaking, lock: Lock) -> None:
        self._models[project] = model
        work = self._migrations().rebuild(project, model, to, lock)
        self._tasks[project] = self._task(self._worked(project, work))

    async def _worked(self, project: str, work: Coroutine[object, object, None]) -> None:
        try:
            await work
            self._failed.pop(project, None)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # it is told where the rebuild is asked for, and tried again
            self._fail(project, str(error) or type(error).__name__)
        else:
            await self._thread(self._migrations().sweep)

    def _fail(self, project: str, why: str) -> None:
        self._failed[project] = (time.monotonic(), why)
        log.warning("migration of %s does not go on: %s", project, why)

    async def give(
        self, claim: Claim, to: Remaking, chunks: Sequence[NewChunk], until: float, wait: float, told: Progress
    ) -> tuple[Taken, Standing | None]:
        """The batch is in; with how far the rebuild is, if it is not done after `wait` seconds."""
        async with self._turns.setdefault(claim.project, asyncio.Lock()):
            if self.works_on(claim.project) and self._models[claim.project] != claim.model:
                await self._stop(claim.project)
            taken = await self._given(claim, to, chunks, until)
        if not taken.rebuilding:
            self._aside(self._thread(self._migrations().sweep))
            return taken, None
        try:
            return taken, await self._waited(claim, until, time.monotonic() + wait, told)
        except BaseException:
            self._aside(self._give_up(claim.project))
            raise

    async def _given(self, claim: Claim, to: Remaking, chunks: Sequence[NewChunk], until: float) -> Taken:
        """Who has the lock may give the rebuild up again; where another works on it, it is promised at once."""
        lock = None if self.works_on(claim.project) else self._migrations().lock(claim.project)
        give = partial(self._migrations().give, claim, to, chunks, until, promised=lock is None)
        try:
            taken: Taken = await self._thread(give, until=until)
            if taken.rebuilding and lock:
                self._start(claim.project, claim.model, to, lock)
                lock = None
            return taken
        finally:
            if lock:
                lock.release()

    async def _waited(self, claim: Claim, until: float, late: float, told: Progress) -> Standing | None:
        project = claim.project
        while True:
            standing = await self._thread(self._migrations().standing, project)
            if standing is None or standing.rebuild.model != claim.model:
                return None
            told(standing.rebuild.done, standing.total)
            left = late - time.monotonic()
            failed = self.reason(project)
            if left <= 0 or (failed and standing.rebuild.promised):
                kept = await self._thread(self._migrations().promise, project, until, until=until)
                return standing if kept else None
            if failed:
                raise RebuildFailed(failed)
            await self.nudge(project)
            running = {self._tasks[project]} if self.works_on(project) else {self._task(asyncio.sleep(_LOOK))}
            await asyncio.wait(running, timeout=min(_LOOK, left))

    async def _stop(self, project: str) -> None:
        task = self._tasks.pop(project, None)
        if task:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _give_up(self, project: str) -> None:
        standing = await self._thread(self._migrations().standing, project)
        if standing and not standing.rebuild.promised:
            await self._stop(project)
            with suppress(TimeoutError):
                await self._thread(self._migrations().give_up, project, time.monotonic() + _PATIENCE)
            self._failed.pop(project, None)
            await self._thread(self._migrations().sweep)

    def _aside(self, work: Coroutine[object, object, object]) -> None:
        task = self._task(_quiet(work))
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)

    @staticmethod
    def _task(work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """In a context of its own: what it opens must not end with the deadline of the call that began it."""
        return asyncio.get_running_loop().create_task(work, context=Context())

    @staticmethod
    async def _thread(work: Callable[..., Any], *arguments: Any, until: float | None = None) -> Any:
        from wekadocs_corpus import stopping

        return await stopping.in_thread(work, *arguments, until=until)


class RebuildFailed(Exception):
    """Nobody was promised anything: the batch is gone with its rebuild."""


async def _quiet(work: Coroutine[object, object, object]) -> None:
    try:
        await work
    except Exception as error:
        log.warning("after a migration: %s", type(error).__name__)
