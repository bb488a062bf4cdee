"""A large collection's arrays on disk, mapped by whoever asks first: what changed since is read from the truth."""

from __future__ import annotations

import logging
import shutil
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wekadocs_corpus.store.errors import Damaged
from wekadocs_corpus.store.local.files import Writer, mapped, read_about
from wekadocs_corpus.store.local.generations import safe_name
from wekadocs_corpus.store.local.postings import Sorted
from wekadocs_corpus.store.locks import FileLock
from wekadocs_corpus.store.truth.collections import CollectionRow

from .words import summed

log = logging.getLogger("wekadocs.corpus.collections")
LEAST = 1024  # chunks that changed: as many every process reads by itself in a moment
_SHARE = 8  # of a larger collection, one part in so many
_READY, _BUILDING, _LOCK = "image-", "building-", "build.lock"
_ROWS = 16_384  # written at once
_RUN = ("terms", "ends", "places", "weights")
_CALM = 5.0  # seconds after a first question, in which others may ask for words too
_END_WITHIN = 2.0


def due(changed: int, rows: int) -> bool:
    """Whether so many changes since the last image are worth a new one."""
    return changed > max(LEAST, rows // _SHARE)


@dataclass(frozen=True)
class Image:
    """Of one moment; `sequence` is the last change that is in it."""

    sequence: int
    numbers: np.ndarray
    has_vector: np.ndarray
    vectors: np.ndarray
    runs: list[Sorted]

    def counts(self) -> tuple[np.ndarray, np.ndarray]:
        """How many chunks have each term."""
        terms = np.concatenate([np.zeros(0, np.uint32), *(run.terms for run in self.runs)])
        return summed(
            terms, np.concatenate([np.zeros(0, np.int64), *(np.diff(run.ends, prepend=0) for run in self.runs)])
        )

    def of(self, alive: np.ndarray) -> Image:
        """Without chunks that are no more."""
        if alive.all():
            return self
        place = np.cumsum(alive, dtype=np.int32) - 1
        runs = [each for run in self.runs if len((each := _kept(run, alive, place)).terms)]
        return Image(self.sequence, self.numbers[alive], self.has_vector[alive], self.vectors[alive], runs)


Taken = tuple[CollectionRow | None, Callable[[], Image]]  # what to put together, of which collection


def _kept(run: Sorted, alive: np.ndarray, place: np.ndarray) -> Sorted:
    still = alive[run.places]
    terms = np.repeat(run.terms, np.diff(run.ends, prepend=0))[still]
    ends = np.append(np.flatnonzero(terms[1:] != terms[:-1]) + 1, len(terms)) if len(terms) else terms
    return Sorted(terms[ends - 1] if len(terms) else terms, ends, place[run.places[still]], run.weights[still])


class Images:
    """Of one process. One thread writes, beside those who ask; what it could not write is read from the truth."""

    def __init__(self, data_dir: Path, truth: str) -> None:
        self._folder, self._truth = data_dir / "collections", truth
        self.calm = _CALM
        self._closing = threading.Event()
        self._ending = threading.Event()
        self._writing: threading.Thread | None = None

    def load(self, row: CollectionRow) -> Image | None:
        """The newest that the collection has come from; damaged ones are none."""
        for folder in sorted(self._of(row.project).glob(f"{_READY}*"), reverse=True):
            with suppress(Damaged, KeyError, OSError):
                about = read_about(folder)
                known = (about.truth, about.dimension, about.values)
                if known == (self._truth, row.dimension, _which(row)) and about.sequence <= row.sequence:
                    return _read(mapped(folder, about), about.sequence)
        return None

    def write(self, project: str, take: Callable[[], Taken]) -> None:
        """When those who ask have what they need; not while another is being written."""
        if self._closing.is_set() or (self._writing is not None and self._writing.is_alive()):
            return
        self._writing = threading.Thread(target=self._write, args=(project, take), name="image", daemon=True)
        self._writing.start()

    def close(self) -> None:
        """What waited is written now, so that the next start has it, if that does not take long."""
        self._closing.set()
        if self._writing is not None:
            self._writing.join(_END_WITHIN)
            self._ending.set()
            self._writing.join(_END_WITHIN)

    def written(self) -> None:
        """Waits until nothing is being written."""
        if self._writing is not None:
            self._writing.join()

    def _of(self, project: str) -> Path:
        return self._folder / safe_name(project)

    def _write(self, project: str, take: Callable[[], Taken]) -> None:
        self._closing.wait(self.calm)
        folder = self._of(project)
        try:
            lock = FileLock.take(folder / _LOCK)
            if lock is None:
                return  # another process writes
            try:
                row, make = take()
                if row is not None:
                    self._build(folder, row, make())
            finally:
                _sweep(folder, _BUILDING)
                lock.release()
        except OSError as error:
            log.warning("the arrays of %s could not be written: %s", project, error.strerror)

    def _build(self, folder: Path, row: CollectionRow, image: Image) -> None:
        began, building = time.monotonic(), folder / f"{_BUILDING}{uuid.uuid4().hex[:8]}"
        writer = Writer(building)
        try:
            for name, rows in _arrays(image):
                for start in range(0, max(1, len(rows)), _ROWS):
                    if self._ending.is_set():
                        return
                    writer.append(name, rows[start : start + _ROWS])
            writer.finish(self._truth, row.dimension, image.sequence, time.monotonic() - began, _which(row))
        finally:
            writer.close()
        ready = folder / f"{_READY}{image.sequence:012}-{building.name.removeprefix(_BUILDING)}"
        building.rename(ready)
        _sweep(folder, _READY, ready.name)


def _which(row: CollectionRow) -> dict[str, list[str]]:
    return {"collection": [str(row.number), str(row.generation)]}


def _arrays(image: Image) -> Iterator[tuple[str, np.ndarray]]:
    yield "numbers", image.numbers
    yield "has_vector", image.has_vector
    yield "vectors", image.vectors
    for number, run in enumerate(image.runs):
        yield from ((f"{name}{number}", getattr(run, name)) for name in _RUN)


def _read(arrays: dict[str, np.ndarray], sequence: int) -> Image:
    count = sum(name.startswith("terms") for name in arrays)
    runs = [Sorted(*(arrays[f"{name}{number}"] for name in _RUN)) for number in range(count)]
    return Image(sequence, arrays["numbers"], arrays["has_vector"], arrays["vectors"], runs)


def _sweep(folder: Path, prefix: str, but: str = "") -> None:
    """What is mapped stays readable; where the system does not let it go, the next one tries again."""
    for each in folder.glob(f"{prefix}*"):
        if each.name != but:
            shutil.rmtree(each, ignore_errors=True)
