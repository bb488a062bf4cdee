"""Parsing and embedding on all cores; a handful of files is done here and now instead."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import TYPE_CHECKING, Any

from .prepare import Failure, Outcome, Task, prepare, prepare_many, start_worker

if TYPE_CHECKING:
    from .embedding.interface import Embedder

# Below this many bytes starting processes costs more than it saves.
_WORTH_PROCESSES = 1_000_000
_BATCH_BYTES, _BATCH_FILES = 200_000, 32


class Workers:
    """A pool that survives a file that kills a worker: the file is reported and the rest goes on."""

    def __init__(self, count: int, embedder: Embedder, settings: Mapping[str, Any], rules: Any) -> None:
        # A model that is read in a blink is loaded by every worker; others stay here, where they batch better.
        self._cheap = getattr(embedder, "instant", False)
        self._count = count
        self._embedder = embedder
        self._arguments = (settings if self._cheap else None, embedder.profile.id, rules)
        self._rules = rules
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=kind is None, cancel_futures=True)

    def outcomes(self, tasks: list[Task]) -> Iterator[tuple[Task, Outcome]]:
        if self._count < 2 or sum(task.found.size for task in tasks) < _WORTH_PROCESSES:
            for batch in _batches(tasks):
                yield from zip(batch, self._here(batch), strict=True)
            return
        yield from self._in_processes(tasks)

    def _here(self, tasks: list[Task]) -> list[Outcome]:
        return prepare(tasks, self._embedder if self._cheap else None, self._embedder.profile.id, self._rules)

    def _in_processes(self, tasks: list[Task]) -> Iterator[tuple[Task, Outcome]]:
        waiting = _batches(tasks)
        running: dict[Future[list[Outcome]], list[Task]] = {}
        while True:
            # Few batches are under way at a time: results wait in memory until they are written.
            while len(running) < 4 * self._count and (batch := next(waiting, None)):
                running[self._submit(batch)] = batch
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield from self._result(future, running.pop(future))

    def _submit(self, batch: list[Task]) -> Future[list[Outcome]]:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._count, multiprocessing.get_context("spawn"), start_worker, self._arguments
            )
        try:
            return self._pool.submit(prepare_many, batch)
        except BrokenProcessPool:
            self._pool = None
            return self._submit(batch)

    def _result(self, future: Future[list[Outcome]], batch: list[Task]) -> Iterator[tuple[Task, Outcome]]:
        try:
            yield from zip(batch, future.result(), strict=True)
        except BrokenProcessPool:
            self._pool = None
            yield from self._one_by_one(batch)

    def _one_by_one(self, batch: list[Task]) -> Iterator[tuple[Task, Outcome]]:
        """A worker died; whose fault it was shows when each file has a process of its own."""
        for task in batch:
            try:
                yield task, self._submit([task]).result()[0]
            except BrokenProcessPool:
                self._pool = None
                yield task, Failure(task.found.shown, "reading it ended the process (out of memory?)")


def _batches(tasks: list[Task]) -> Iterator[list[Task]]:
    batch: list[Task] = []
    size = 0
    for task in tasks:
        batch.append(task)
        size += task.found.size
        if size >= _BATCH_BYTES or len(batch) >= _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
