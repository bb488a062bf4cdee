"""Documents read on all cores, each in a process with limits of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING

from wekadocs_corpus.ingest.beside import check
from wekadocs_corpus.ingest.sources.origin import BytesOrigin
from wekadocs_corpus.stopping import uninterrupted

from .limits import Limits
from .prepare import PARSE_ONLY, Failure, Outcome, Task, reason_of
from .readers import Model as ReaderModel
from .readers import Readers

if TYPE_CHECKING:
    from wekadocs_corpus.embedding.interface import Embedder
    from wekadocs_corpus.graph.extraction.rules import EntityRules
    from wekadocs_corpus.stopping import Stop

# Below this many bytes a second process costs more than it saves.
_WORTH_PROCESSES = 1_000_000
_BATCH_BYTES, _BATCH_FILES = 200_000, 32
# Batches that may wait in memory for one before them, which may be a file that takes as long as it is allowed to.
_MOST_WAITING = 64
_LOOK_EVERY = 0.2  # seconds between two looks whether all this is still wanted

Model = tuple["Embedder", Mapping[str, object], "EntityRules | None"]  # with its settings, and the user's own entities
_Batch = tuple[list[Task], "Future[list[Outcome]]"]


class Workers:
    """A thread for each process that reads: a file that costs too much is reported and the rest goes on."""

    def __init__(self, count: int, model: Model | None, limits: Limits, stop: Stop | None = None) -> None:
        """Without a model documents are parsed and no more."""
        self._count = count
        self._readers = Readers(_sent(model) if model else (None, PARSE_ONLY, None), limits)
        self._threads: ThreadPoolExecutor | None = None
        self._stop = stop

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with uninterrupted():
            self._readers.close(at_once=kind is not None)
            if self._threads is not None:
                self._threads.shutdown(cancel_futures=True)

    def outcomes(self, tasks: Iterable[Task], size: int | None = None) -> Iterator[tuple[Task, Outcome]]:
        """In the order of the tasks, whichever process is the first to end: equal documents make an equal truth.

        `size`: their bytes, of a list that is still being made.
        """
        if size is None:
            tasks = list(tasks)
            size = sum(task.origin.size for task in tasks)
        count = self._count if size >= _WORTH_PROCESSES else 1
        waiting, batches = deque[_Batch](), _batches(tasks)
        while True:
            with uninterrupted():
                self._fill(waiting, batches, count)
                read = list(_read_in_order(waiting))
            yield from (each for batch, future in read for each in zip(batch, future.result(), strict=True))
            check(self._stop)
            if not (waiting or read):
                return

    def _fill(self, waiting: deque[_Batch], batches: Iterator[list[Task]], count: int) -> None:
        """Few batches are under way at a time: results wait in memory until they are written."""
        self._threads = self._threads or ThreadPoolExecutor(count, "reading")
        busy = [future for _, future in waiting if not future.done()]
        while len(busy) < 4 * count and len(waiting) < _MOST_WAITING and (batch := next(batches, None)):
            busy.append(self._threads.submit(self._read, batch))
            waiting.append((batch, busy[-1]))
        unread = [future for future in busy if not future.done()]
        if unread and not waiting[0][1].done():
            wait(unread, _LOOK_EVERY, FIRST_COMPLETED)

    def _read(self, batch: list[Task]) -> list[Outcome]:
        """What no other process can read is read here first."""
        sent = [_sendable(task) for task in batch]
        outcomes = iter(self._readers.read([each for each in sent if isinstance(each, Task)]))
        return [each if isinstance(each, Failure) else next(outcomes) for each in sent]


def _read_in_order(waiting: deque[_Batch]) -> Iterator[_Batch]:
    while waiting and waiting[0][1].done():
        yield waiting.popleft()


def _sent(model: Model) -> ReaderModel:
    embedder, settings, rules = model
    # A model that is read in a blink is loaded by every process; others stay here, where they batch better.
    return settings if getattr(embedder, "instant", False) else None, embedder.profile.id, rules


def _sendable(task: Task) -> Task | Failure:
    origin = task.origin
    if not origin.here_only:
        return task
    try:
        data = origin.read(task.largest)
    except Exception as error:  # of whoever fetches it
        return Failure(origin.shown, reason_of(error))
    return replace(task, origin=BytesOrigin(origin.uri, origin.path, data, version=origin.version))


def _batches(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    """Small files together; a large one alone, so that it has all the time that one may take."""
    batch: list[Task] = []
    size = 0
    for task in tasks:
        if task.origin.size >= _BATCH_BYTES:
            yield [task]
            continue
        batch.append(task)
        size += task.origin.size
        if size >= _BATCH_BYTES or len(batch) >= _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
