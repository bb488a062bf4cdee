"""The tasks of this process: what each has come to, kept for whoever made it until its time is over."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

TTL_MS = 3_600_000
_POLL_MS = 500
MOST, MOST_OF_ONE = 1000, 100
_LONGEST_MESSAGE = 300
OVER = frozenset({"completed", "failed", "cancelled"})


@dataclass
class Task:
    """One call that goes on without its request."""

    owner: str
    id: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    status: str = "working"
    message: str = ""
    created: float = field(default_factory=time.time)
    updated: float = field(default_factory=time.time)
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    asked: dict[str, Any] = field(default_factory=dict)  # what the user is still to answer
    answers: dict[str, Any] = field(default_factory=dict)
    runner: asyncio.Future[None] | None = None
    again: Callable[[], None] | None = None  # what answering leads to

    def becomes(self, status: str, **what: Any) -> None:
        """What is over stays as it is."""
        if self.status not in OVER:
            self.status, self.updated = status, time.time()
            for name, value in what.items():
                setattr(self, name, value)

    def says(self, message: str) -> None:
        self.message, self.updated = message[:_LONGEST_MESSAGE], time.time()

    def answered(self, given: Mapping[str, object]) -> bool:
        """Whether that was all that it waits for; keys that nobody asked for are left aside."""
        known = {key: value for key, value in given.items() if key in self.asked}
        self.answers.update(known)
        self.asked = {key: value for key, value in self.asked.items() if key not in known}
        self.updated = time.time()
        return bool(known) and not self.asked

    def wire(self) -> dict[str, Any]:
        shown = {
            "taskId": self.id,
            "status": self.status,
            "statusMessage": self.message or None,
            "createdAt": moment(self.created),
            "lastUpdatedAt": moment(self.updated),
            "ttlMs": TTL_MS,
            "pollIntervalMs": _POLL_MS,
        }
        return {name: value for name, value in shown.items() if value is not None}

    def detailed(self) -> dict[str, Any]:
        """What tasks/get tells."""
        more = {"completed": {"result": self.result}, "failed": {"error": self.error}}
        asked = {"inputRequests": self.asked} if self.status == "input_required" else {}
        return {"resultType": "complete", **self.wire(), **more.get(self.status, {}), **asked}


class Tasks:
    """In memory: a task ends with the process that runs it; elsewhere.py tells other servers."""

    def __init__(self) -> None:
        self._tasks: dict[str, Task] = {}

    def new(self, owner: str) -> Task | None:
        """None where there is no room: the caller waits for the answer as without tasks."""
        self._sweep()
        mine = sum(each.owner == owner for each in self._tasks.values())
        if len(self._tasks) >= MOST or mine >= MOST_OF_ONE:
            return None
        task = Task(owner)
        self._tasks[task.id] = task
        return task

    def find(self, task_id: object, owner: str) -> Task | None:
        """One's own only."""
        self._sweep()
        found = self._tasks.get(task_id) if isinstance(task_id, str) else None
        return found if found is not None and secrets.compare_digest(found.owner.encode(), owner.encode()) else None

    def drop(self, task: Task) -> None:
        self._tasks.pop(task.id, None)

    def _sweep(self) -> None:
        before = time.time() - TTL_MS / 1000
        for task in [each for each in self._tasks.values() if each.created < before]:
            if task.runner is not None:
                task.runner.cancel()
            self.drop(task)


def moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
