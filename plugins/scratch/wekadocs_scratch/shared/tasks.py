"""Tasks, for every server: what each has come to, whether the server that runs it is alive, what was said to it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Literal

from wekadocs_mcp import TaskRoom, TaskState

from ..limits import ValkeySettings

if TYPE_CHECKING:
    from .link import Link
    from .sealing import Seal

_MOST_BYTES = 8 << 20
_MOST_SAID = 10  # messages that wait for one task
_STATE, _SAID = "k", "q"
Kept = Literal["kept", "full", "over"]
_KEPT: Mapping[bytes, Kept] = {b"kept": "kept", b"full": "full", b"over": "over"}


class ValkeyTasks:
    """What the store holds is sealed; a task's own id, which is as good as a key, stands there only as a digest."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def keep(
        self, task_id: str, owner: str, state: bytes, *, life: float, alive: float, over: bool, room: TaskRoom
    ) -> Kept:
        times = (int(life * 1000), int(alive * 1000), int(over))
        found = await self._link.run(
            "task_keep",
            lambda seal: (
                *_place(seal, task_id, owner),
                seal.sealed((_STATE, *_place(seal, task_id, owner)), state),
                *times,
                room.most,
                room.most_of_one,
                room.most_bytes,
            ),
        )
        return _KEPT[found[0]]

    async def beat(self, task_ids: Sequence[str], alive: float) -> Mapping[str, list[bytes] | Literal["over", "gone"]]:
        found = await self._link.run(
            "task_beat", lambda seal: (int(alive * 1000), *(seal.name("task", each) for each in task_ids))
        )
        return {task_id: self._heard(task_id, row) for task_id, row in zip(task_ids, found, strict=True)}

    async def recall(self, task_id: str, owner: str) -> TaskState | None:
        found = await self._link.run("task_read", lambda seal: (*_place(seal, task_id, owner), _MOST_BYTES))
        if not found:
            return None
        seal = self._link.seal
        body = seal.opened((_STATE, *_place(seal, task_id, owner)), found[0])
        return None if body is None else TaskState(body, found[1] == 1)

    async def end(self, task_id: str, owner: str, state: bytes, *, only_dead: bool) -> bool:
        found = await self._link.run(
            "task_end",
            lambda seal: (
                *_place(seal, task_id, owner),
                seal.sealed((_STATE, *_place(seal, task_id, owner)), state),
                int(only_dead),
            ),
        )
        return bool(found)

    async def say(self, task_id: str, owner: str, message: bytes) -> None:
        await self._link.run(
            "task_say",
            lambda seal: (
                *_place(seal, task_id, owner),
                seal.sealed((_SAID, seal.name("task", task_id)), message),
                _MOST_SAID,
            ),
        )

    def _heard(self, task_id: str, row: Sequence[Any]) -> list[bytes] | Literal["over", "gone"]:
        if row[0] == b"over":
            return "over"
        if row[0] == b"gone":
            return "gone"
        seal = self._link.seal
        said = (seal.opened((_SAID, seal.name("task", task_id)), each) for each in row[1:])
        return [each for each in said if each is not None]


def _place(seal: Seal, task_id: str, owner: str) -> tuple[str, str]:
    return seal.name("task", task_id), seal.name("principal", owner)


@asynccontextmanager
async def tasks_in_valkey(settings: ValkeySettings) -> AsyncIterator[ValkeyTasks]:
    """Connections of their own, as sessions have."""
    from .link import linked

    async with linked(settings) as link:
        yield ValkeyTasks(link)
