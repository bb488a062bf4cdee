"""A library that dies takes its process with it. Which pair of schemas it was is known: only that one stays open."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterable
from typing import TypeVar

from wekadocs_contracts import sandbox

from .model import Change, Direction, ToolSide

Result = TypeVar("Result")
_ROOM = 4096
_DEATHS = 5  # more than these are no single schema's fault


class Watch:
    """What is being proven, written where the parent process reads it; and what ended a process before."""

    def __init__(self) -> None:
        self.room = mmap.mmap(-1, _ROOM)
        self.dead: dict[bytes, str] = {}

    def rows(self, side: ToolSide, direction: Direction, prove: Callable[[], Iterable[Change]]) -> list[Change]:
        key = f"{direction} {side.major} {side.name}".encode("utf-8", "backslashreplace")[: _ROOM - 1]
        if key in self.dead:
            place = "/inputSchema" if direction == "input" else "/outputSchema"
            message = f"the {direction} schemas cannot be compared: a library died of them ({self.dead[key]})"
            return [Change("", direction, "breaking", "not-proven", place, proof="unproven", message=message)]
        self._note(key)
        found = list(prove())
        self._note(b"")
        return found

    def _note(self, key: bytes) -> None:
        self.room[: len(key) + 1] = key + b"\0"

    def bury(self, ended: str) -> bool:
        """Whether it is known what ended the process, so that the rest can be done without it."""
        key = self.room[:].split(b"\0", 1)[0]
        self._note(b"")
        if not key or key in self.dead or len(self.dead) >= _DEATHS:
            return False
        self.dead[key] = ended
        return True


def run(work: Callable[[Watch], Result], what: str, seconds: int) -> Result:
    """The work in a child process, again without what ended it."""
    watch = Watch()
    while True:
        try:
            return sandbox.run(lambda: work(watch), what, seconds)
        except sandbox.Died as died:
            if not watch.bury(died.ended):
                raise
