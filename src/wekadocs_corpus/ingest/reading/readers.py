"""Processes that read files: started when needed, ended when one file costs too much, one kept for the next ingest."""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, cast

from wekadocs_corpus.errors import CorpusError

from .limits import OUT_OF_MEMORY, Limits
from .prepare import Failure, Outcome, Task

# Several small files together take no longer, or one of them is to be found by reading each alone.
_BATCH_SECONDS = 10
_OUT_OF_CPU = -int(getattr(signal, "SIGXCPU", 0))
_END_WITHIN = 5.0
# Files that cost too much as they are, with the reason: a watcher does not pay for them at every change beside them.
_costly: dict[tuple[object, ...], str] = {}
_MOST_COSTLY = 1000

Model = tuple[Mapping[str, Any] | None, str, Any]  # settings of a model that each process loads, its name, rules


class CannotRead(CorpusError):
    """No process could be started; the message goes to whoever ingests."""


class Reader:
    """One such process; one thread at a time may ask it."""

    def __init__(self, model: Model, limits: Limits) -> None:
        self._limits = limits
        self._late = False
        paths = os.pathsep.join(path for path in sys.path if path)
        self._process = subprocess.Popen(  # noqa: S603 (this interpreter)
            [sys.executable, "-m", f"{__package__}.reader"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # what libraries print when memory ends
            env={**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1"},
        )
        if self._answers((*model, limits.max_file_memory_bytes)) is False:
            code = self._process.wait()
            self.end()
            raise CannotRead(f"the process that reads files ended with {code} as it started; memory may be short")

    def outcomes(self, batch: Sequence[Task]) -> list[Outcome] | None:
        """None when the process ended over it; then ask `why`."""
        seconds = self._limits.max_file_seconds
        watch = threading.Timer(self._limits.by_the_clock, self._too_late)
        watch.daemon = True
        watch.start()
        try:
            found = self._answers((batch, seconds if len(batch) == 1 else min(_BATCH_SECONDS, seconds)))
        finally:
            watch.cancel()
        return None if found is False else cast("list[Outcome]", found)

    def why(self) -> str:
        """Why it ended."""
        code, limits = self._process.wait(), self._limits
        if self._late:
            return f"reading it took longer than {limits.by_the_clock:g} s (ingest.max_file_seconds)"
        if _OUT_OF_CPU and code == _OUT_OF_CPU:
            return f"reading it took more than {limits.max_file_seconds:g} s of CPU (ingest.max_file_seconds)"
        if code == OUT_OF_MEMORY:
            most = limits.max_file_memory_bytes >> 20
            return f"reading it took more than {most:,} MB of memory (ingest.max_file_memory_bytes)"
        return "reading it ended the process (out of memory?)"

    def end(self) -> None:
        with suppress(OSError):
            cast("Any", self._process.stdin).close()
        try:
            self._process.wait(_END_WITHIN)
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.wait()
        cast("Any", self._process.stdout).close()

    def kill(self) -> None:
        self._process.kill()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def _too_late(self) -> None:
        self._late = True
        self.kill()

    def _answers(self, request: object) -> object:
        """What it says; False when it ends instead."""
        requests, answers = cast("Any", self._process.stdin), cast("Any", self._process.stdout)
        try:
            pickle.dump(request, requests, pickle.HIGHEST_PROTOCOL)
            requests.flush()
            return pickle.load(answers)  # noqa: S301 (our own process)
        except (EOFError, OSError, pickle.UnpicklingError):
            return False


class Readers:
    """As many as are asked at once; whoever reads takes one and brings it back."""

    def __init__(self, model: Model, limits: Limits) -> None:
        self._model, self._limits = model, limits
        self._key = pickle.dumps((model, limits))
        self._turn = threading.Lock()
        self.idle = _kept.taken(self._key)
        self._busy: set[Reader] = set()
        self._closed = False

    def read(self, batch: Sequence[Task]) -> list[Outcome]:
        """One outcome for each file; which one ended a process shows when each is read alone."""
        if _costly and any(self._file(task) in _costly for task in batch):
            return [outcome for task in batch for outcome in self._known_or_read(task)]
        if not batch:
            return []
        reader = self._taken()
        found = reader.outcomes(batch)
        self._brought_back(reader, alive=found is not None)
        if found is not None:
            return found
        if len(batch) == 1:
            return [Failure(batch[0].origin.shown, self._remembered(batch[0], reader.why()))]
        return [outcome for task in batch for outcome in self.read([task])]

    def _known_or_read(self, task: Task) -> list[Outcome]:
        reason = _costly.get(self._file(task))
        return [Failure(task.origin.shown, reason)] if reason else self.read([task])

    def close(self, *, at_once: bool) -> None:
        """One that is idle stays for the next ingest, unless this one is to end at once."""
        with self._turn:
            self._closed, idle, self.idle = True, self.idle, []
            for reader in self._busy if at_once else ():
                reader.kill()
        kept = [] if at_once else idle[:1]
        for reader in idle[len(kept) :]:
            reader.end()
        _kept.keep(self._key, kept)

    def _remembered(self, task: Task, reason: str) -> str:
        if task.origin.version is None:
            return reason  # it may be another one by now
        if len(_costly) >= _MOST_COSTLY:
            _costly.clear()
        _costly[self._file(task)] = reason
        return reason

    def _file(self, task: Task) -> tuple[object, ...]:
        return task.origin.uri, task.version, self._limits

    def _taken(self) -> Reader:
        with self._turn:
            reader = self.idle.pop() if self.idle else None
        reader = reader or Reader(self._model, self._limits)
        with self._turn:
            self._busy.add(reader)
            if self._closed:
                reader.kill()
        return reader

    def _brought_back(self, reader: Reader, *, alive: bool) -> None:
        with self._turn:
            self._busy.discard(reader)
            if alive and not self._closed:
                self.idle.append(reader)
                return
        reader.end()
        if self._closed:
            raise CannotRead("the ingest has ended")


class _Kept:
    """One idle reader, for a watcher's next change: starting one takes longer than reading a page."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._key, self._readers = b"", list[Reader]()

    def taken(self, key: bytes) -> list[Reader]:
        with self._turn:
            readers, self._readers = self._readers, []
        fitting = [reader for reader in readers if self._key == key and reader.alive]
        for reader in readers:
            if reader not in fitting:
                reader.end()
        return fitting

    def keep(self, key: bytes, readers: list[Reader]) -> None:
        with self._turn:
            before, self._key, self._readers = self._readers, key, readers
        for reader in before:
            reader.end()

    def end(self) -> None:
        self.keep(b"", [])


_kept = _Kept()
atexit.register(_kept.end)


def end_idle() -> None:
    """Without the one that is kept; the next ingest starts another."""
    _kept.end()
