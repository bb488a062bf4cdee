"""An ingest that several machines share: what there is to read stands in the truth, and each claims some of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from wekadocs_corpus.store.sql.connection import Connection


@dataclass(frozen=True)
class Job:
    """What is to be done; whoever is told the same joins."""

    sources: tuple[str, ...]  # as every machine knows them
    project_id: str
    environment: str
    version: str
    marks: Mapping[str, str]  # document id → what tells that another machine means the same reading of it
    gone: tuple[str, ...]  # ids of documents whose files are not there any more


@dataclass(frozen=True)
class Tally:
    """How far a job is."""

    total: int
    done: int
    failed: int
    others: int  # workers that are alive, beside the one who asks
    ended: bool
    is_mine: bool  # False once the lease ran out and somebody began anew

    @property
    def left(self) -> int:
        return self.total - self.done - self.failed


@dataclass(frozen=True)
class JobRow:
    """A job as `status` and `doctor` show it."""

    sources: tuple[str, ...]
    project_id: str
    environment: str
    version: str
    total: int
    done: int
    failed: int
    workers: tuple[str, ...]  # of those that are alive
    seconds: float  # since it began

    def shown(self) -> dict[str, object]:
        return {
            "sources": list(self.sources),
            "project": self.project_id,
            "environment": self.environment,
            **({"version": self.version} if self.version else {}),
            "state": "running" if self.workers else "stopped",
            "done": self.done,
            "failed": self.failed,
            "total": self.total,
            "workers": list(self.workers),
            "seconds": round(self.seconds, 1),
        }


class Held(Protocol):
    """What keeps a worker whose lease ran out from writing over its successor; asked inside a transaction."""

    def held(self, connection: Connection, document_ids: Sequence[str]) -> set[str]:
        """Those that are still this worker's; nobody takes them before the transaction ends."""
        ...

    def done(self, connection: Connection, document_ids: Sequence[str]) -> None: ...


class Part(Held, Protocol):
    """One worker's part in a job."""

    kept: int  # of what is gone here: those that another worker still sees

    def claim(self, marks: Mapping[str, str], most: int) -> tuple[set[str], set[str]]:
        """Of these, by their ids: what is this worker's to read now, and what is done, or others mean otherwise."""
        ...

    def fail(self, failures: Mapping[str, tuple[str, str]]) -> None:
        """Document id → what people call it, and why it could not be read."""
        ...

    def tally(self) -> Tally: ...

    def failures(self) -> list[tuple[str, str]]:
        """Of the other workers."""
        ...

    def finish(self) -> int | None:
        """Where nothing is left: what is gone is forgotten, by one of all; how many. None: something is left."""
        ...


class Jobs(Protocol):
    """Of one truth."""

    def join(self, job: Job, lease_seconds: float) -> AbstractContextManager[Part]:
        """A part in it for as long as this is open. Where nobody else is at work the job is as this one says."""
        ...

    def is_open(self, job: Job) -> bool: ...
    def rows(self) -> list[JobRow]: ...

    def forget(self, sources: Iterable[str], project: str, environment: str) -> None:
        """Those of these sources that nobody works on."""
        ...
