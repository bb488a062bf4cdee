"""Tasks at any server of a deployment, where a plugin keeps them for all.

The server that runs a task tells what it has come to, and every second that it is alive. Any other answers its owner
from there, ends it there, and leaves there what the owner has said. A task whose server died has failed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any

from wekadocs_mcp.errors import ToolError
from wekadocs_mcp.plugins.shared_tasks import SharedTasks, TaskRoom

from .kept import MOST, MOST_OF_ONE, OVER, TTL_MS, Task, moment

log = logging.getLogger("wekadocs.tasks")
_BEAT, _ALIVE = 1.0, 10.0  # seconds
_ROOM = TaskRoom(MOST, MOST_OF_ONE, 64 << 20)
_INTERNAL = -32603
_DIED = "The server that ran this has stopped. Make the call again."
_TOO_MUCH = "Its answer could not be kept: too much is. Make the call again, without a task."
Ended = Callable[[Task], None]
Said = Callable[[Task, Mapping[str, Any]], None]


class Elsewhere:
    """Without a plugin that keeps tasks nothing is told, and nothing known of others."""

    def __init__(self, ended: Ended, said: Said) -> None:
        self._shared: SharedTasks | None = None
        self._ended, self._said = ended, said
        self._running: dict[str, tuple[Task, float]] = {}  # and its state when it was told last
        self._beating: asyncio.Future[None] | None = None

    @asynccontextmanager
    async def opened(self, kept: AbstractAsyncContextManager[SharedTasks] | None) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            try:
                self._shared = await stack.enter_async_context(kept) if kept is not None else None
            except Exception as error:
                log.warning("tasks are this server's own: %s", error)
            try:
                yield
            finally:
                self._shared = None
                if self._beating is not None:
                    self._beating.cancel()
                    await asyncio.wait([self._beating])

    async def begin(self, task: Task) -> bool:
        """Before its owner knows of it. False where it cannot be kept: then it is no task."""
        if self._shared is None:
            return True
        try:
            if await self._keep(self._shared, task) != "kept":
                return False
        except ToolError:
            return False
        if self._beating is None or self._beating.done():
            self._beating = asyncio.ensure_future(self._beat())
        return True

    async def tell(self, task: Task) -> None:
        """What it has come to; what cannot be told now is at the next beat."""
        if self._shared is None or task.id not in self._running:
            return
        with contextlib.suppress(ToolError):
            kept = await self._keep(self._shared, task)
            if kept == "full":
                await self._shared.end(
                    task.id, task.owner, _state(_failed(task.detailed(), _TOO_MUCH)), only_dead=False
                )
            if kept != "kept":
                self._over(task)

    async def get(self, task_id: str, owner: str) -> dict[str, Any] | None:
        """As tasks/get tells it; None for what is unknown, or another's."""
        if self._shared is None:
            return None
        found = await self._shared.recall(task_id, owner)
        if found is None:
            return None
        shown: dict[str, Any] = json.loads(found.body)
        if shown["status"] in OVER or found.is_alive:
            return shown
        failed = _failed(shown, _DIED)
        if await self._shared.end(task_id, owner, _state(failed), only_dead=True):
            return failed
        again = await self._shared.recall(task_id, owner)
        return json.loads(again.body) if again else None

    async def cancel(self, task_id: str, owner: str) -> bool:
        """Whether there is such a task."""
        shown = await self.get(task_id, owner)
        if shown is not None and shown["status"] not in OVER and self._shared is not None:
            rest = {name: value for name, value in shown.items() if name != "inputRequests"}
            cancelled = {**rest, "status": "cancelled", "lastUpdatedAt": moment(time.time())}
            await self._shared.end(task_id, owner, _state(cancelled), only_dead=False)
        return shown is not None

    async def say(self, task_id: str, owner: str, answers: Mapping[str, Any]) -> bool:
        """Whether there is such a task; the server that runs it hears of it within a second."""
        shown = await self.get(task_id, owner)
        if shown is not None and shown["status"] == "input_required" and self._shared is not None:
            await self._shared.say(task_id, owner, _state(answers))
        return shown is not None

    async def _keep(self, shared: SharedTasks, task: Task) -> str:
        as_of, over = task.updated, task.status in OVER
        life = TTL_MS / 1000
        state = _state(task.detailed())
        kept = await shared.keep(task.id, task.owner, state, life=life, alive=_ALIVE, over=over, room=_ROOM)
        if kept == "kept":
            self._running[task.id] = (task, as_of)
        if over and kept == "kept":
            del self._running[task.id]
        return kept

    async def _beat(self) -> None:
        """For as long as anything runs, or is over and could not be told."""
        while self._running and self._shared is not None:
            await asyncio.sleep(_BEAT)
            try:
                for task_id, heard in (await self._shared.beat(list(self._running), _ALIVE)).items():
                    if task_id in self._running:
                        await self._hear(*self._running[task_id], heard)
            except ToolError:
                continue  # the store is out of reach: told in the log, tried at the next beat
            except Exception:
                log.exception("a beat of the tasks failed")  # the others must not be taken for dead

    async def _hear(self, task: Task, told: float, heard: list[bytes] | str) -> None:
        if heard == "over":
            self._over(task)
            return
        for message in heard if isinstance(heard, list) else ():
            self._said(task, json.loads(message))
        if heard == "gone" or task.updated > told:
            await self.tell(task)

    def _over(self, task: Task) -> None:
        self._running.pop(task.id, None)
        self._ended(task)


def _failed(shown: Mapping[str, Any], why: str) -> dict[str, Any]:
    kept = {name: value for name, value in shown.items() if name not in ("result", "inputRequests")}
    error = {"code": _INTERNAL, "message": why}
    return {**kept, "status": "failed", "lastUpdatedAt": moment(time.time()), "error": error}


def _state(shown: Mapping[str, Any]) -> bytes:
    return json.dumps(shown, ensure_ascii=False).encode("utf-8", "surrogatepass")
