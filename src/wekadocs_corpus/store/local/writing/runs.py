"""Postings grouped by term with little memory: sorted runs on disk, merged term range by term range."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

_AT_ONCE = 1 << 21  # entries sorted at a time: some 100 MB
_RANGES = 4096  # of term ids, by their upper bits
_SHIFT = np.uint64(52)
_PLACE = np.uint64(0xFFFFFFFF)


class Runs:
    """Entries in, in any order; out come terms in order, each with its places in order."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._waiting: list[tuple[np.ndarray, np.ndarray]] = []  # keys: term and place; weights
        self._count = self._runs = 0
        self._sizes = np.zeros(_RANGES, np.int64)

    def add(self, terms: np.ndarray, places: np.ndarray, weights: np.ndarray) -> None:
        keys = terms.astype(np.uint64) << np.uint64(32) | places.astype(np.uint64)
        self._waiting.append((keys, weights))
        self._sizes += np.bincount((keys >> _SHIFT).astype(np.intp), minlength=_RANGES)
        self._count += len(keys)
        if self._count >= _AT_ONCE:
            self._spill()

    def merged(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
        """Terms, how many entries each has, and the entries' places and weights; range by range."""
        self._spill()
        runs = [(np.load(keys, mmap_mode="r"), np.load(weights, mmap_mode="r")) for keys, weights in self._files()]
        for low, high in self._ranges():
            cuts = [np.searchsorted(keys, np.array([low, high], np.uint64)) for keys, _ in runs]
            parts = [(keys[a:b], weights[a:b]) for (keys, weights), (a, b) in zip(runs, cuts, strict=True)]
            keys, weights = _in_order(parts)
            terms, counts = np.unique((keys >> np.uint64(32)).astype("<u4"), return_counts=True)
            yield terms, counts, (keys & _PLACE).astype("<i4"), weights

    def remove(self) -> None:
        for run in self._files():
            for file in run:
                file.unlink()

    def _spill(self) -> None:
        if self._waiting:
            keys, weights = _in_order(self._waiting)
            self._runs += 1
            for file, array in zip(self._files()[-1], (keys, weights), strict=True):
                np.save(file, array)
            self._waiting, self._count = [], 0

    def _files(self) -> list[tuple[Path, Path]]:
        return [
            (self._folder / f"run-{number}.keys.npy", self._folder / f"run-{number}.weights.npy")
            for number in range(self._runs)
        ]

    def _ranges(self) -> Iterator[tuple[int, int]]:
        """First and last key + 1 of ranges with so many entries that they can be sorted at once."""
        start = together = 0
        for number, size in enumerate(self._sizes.tolist(), 1):
            together += size
            if together and (together >= _AT_ONCE or number == _RANGES):
                yield start << 52, min(number << 52, (1 << 64) - 1)
                start, together = number, 0


def _in_order(parts: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    keys, weights = (np.concatenate(each) for each in zip(*parts, strict=True))
    order = np.argsort(keys)
    return keys[order], weights[order]
