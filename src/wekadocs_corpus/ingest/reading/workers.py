"""Files read on all cores, each in a process with limits of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from types import TracebackType
from typing import TYPE_CHECKING

from .limits import Limits
from .prepare import Outcome, Task
from .readers import Readers

if TYPE_CHECKING:
    from wekadocs_corpus.embedding.interface import Embedder
    from wekadocs_corpus.graph.extraction.rules import EntityRules

# Below this many bytes a second process costs more than it saves.
_WORTH_PROCESSES = 1_000_000
_BATCH_BYTES, _BATCH_FILES = 200_000, 32


class Workers:
    """A thread for each process that reads: a file that costs too much is reported and the rest goes on."""

    def __init__(
        self, count: int, embedder: Embedder, settings: Mapping[str, object], rules: EntityRules | None, limits: Limits
    ) -> None:
        # A model that is read in a blink is loaded by every process; others stay here, where they batch better.
        own = settings if getattr(embedder, "instant", False) else None
        self._count = count
        self._readers = Readers((own, embedder.profile.id, rules), limits)
        self._threads: ThreadPoolExecutor | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._threads is not None:
            self._threads.shutdown(wait=kind is None, cancel_futures=True)
        self._readers.close(at_once=kind is not None)

    def outcomes(self, tasks: list[Task]) -> Iterator[tuple[Task, Outcome]]:
        if not tasks:
            return
        count = self._count if sum(task.found.size for task in tasks) >= _WORTH_PROCESSES else 1
        self._threads = ThreadPoolExecutor(count, "reading")
        waiting = _batches(tasks)
        running: dict[Future[list[Outcome]], list[Task]] = {}
        while True:
            # Few batches are under way at a time: results wait in memory until they are written.
            while len(running) < 4 * count and (batch := next(waiting, None)):
                running[self._threads.submit(self._readers.read, batch)] = batch
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield from zip(running.pop(future), future.result(), strict=True)


def _batches(tasks: list[Task]) -> Iterator[list[Task]]:
    """Small files together; a large one alone, so that it has all the time that one may take."""
    batch: list[Task] = []
    size = 0
    for task in tasks:
        if task.found.size >= _BATCH_BYTES:
            yield [task]
            continue
        batch.append(task)
        size += task.found.size
        if size >= _BATCH_BYTES or len(batch) >= _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
