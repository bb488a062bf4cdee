"""Tasks, kept where every server of a deployment can read them, whichever runs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

Kept = Literal["kept", "full", "over"]


@dataclass(frozen=True)
class TaskRoom:
    """How much may be kept."""

    most: int
    most_of_one: int
    most_bytes: int


class TaskState(NamedTuple):
    """A task as it is kept."""

    body: bytes
    is_alive: bool  # whether the server that runs it was heard of


class SharedTasks(Protocol):
    """What a plugin can offer. What is out of reach is a ToolError BACKEND_UNAVAILABLE."""

    async def keep(
        self, task_id: str, owner: str, state: bytes, *, life: float, alive: float, over: bool, room: TaskRoom
    ) -> Kept:
        """What a task has come to: for `life` seconds since it was first kept, and alive for so many. `over` stays."""

    async def beat(self, task_ids: Sequence[str], alive: float) -> Mapping[str, list[bytes] | Literal["over", "gone"]]:
        """These are alive for so many seconds more; what was said to each, or that it was ended, or is not known."""

    async def recall(self, task_id: str, owner: str) -> TaskState | None:
        """The owner's; None if it is unknown, its time is over, or it is another's."""

    async def end(self, task_id: str, owner: str, state: bytes, *, only_dead: bool) -> bool:
        """It is over, with this state, for all servers; not if it is over already, or, if so asked, alive."""

    async def say(self, task_id: str, owner: str, message: bytes) -> None:
        """To the server that runs it."""
