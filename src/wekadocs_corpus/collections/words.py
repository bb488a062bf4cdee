"""Which chunks have a term: sorted runs, small ones merged into larger, so that a batch costs its own size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from wekadocs_corpus.store.local.postings import Having, Sorted

LARGE = 4_000_000  # entries of a run that is merged no more: a few dozen runs are looked up in a moment


class Postings:
    """Of places; whoever asks knows which of them still count."""

    def __init__(self, runs: Iterable[Sorted] = ()) -> None:
        self._runs = list(runs)

    @property
    def runs(self) -> list[Sorted]:
        return list(self._runs)

    def add(self, places: Sequence[int], vectors: Sequence[bytes]) -> None:
        """Vectors as `wekadocs_corpus.lexical.vectors` makes them: ids, then weights."""
        sizes = np.fromiter((len(vector) // 8 for vector in vectors), np.int64, len(vectors))
        if not sizes.any():
            return
        both = np.frombuffer(b"".join(vectors), "<u4")
        are_ids = np.repeat(np.tile([True, False], len(sizes)), np.repeat(sizes, 2))
        owners = np.repeat(np.asarray(places, np.int32), sizes)
        self._runs.append(_run(both[are_ids], owners, both[~are_ids].view("<f4")))
        while len(self._runs) > 1 and _worth_merging(*self._runs[-2:]):
            last, before = self._runs.pop(), self._runs.pop()
            self._runs.append(_merged(before, last))

    def of(self, term: int) -> list[Having]:
        return [run.of(term) for run in self._runs]


def _worth_merging(before: Sorted, last: Sorted) -> bool:
    return 2 * len(last.places) > len(before.places) and len(before.places) < LARGE


def _run(terms: np.ndarray, places: np.ndarray, weights: np.ndarray) -> Sorted:
    ordered, order = in_order(terms)
    ends = np.append(np.flatnonzero(ordered[1:] != ordered[:-1]) + 1, len(ordered))
    return Sorted(ordered[ends - 1], ends, places[order], weights[order])


def in_order(terms: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The terms sorted, and where each stood: as one number each, which sort several times faster than places."""
    keys = terms.astype(np.uint64) << np.uint64(32)
    keys |= np.arange(len(terms), dtype=np.uint64)
    keys.sort()
    return (keys >> np.uint64(32)).astype(np.uint32), (keys & np.uint64(0xFFFFFFFF)).astype(np.int64)


def summed(terms: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each term once, in order, with all its counts together."""
    if not len(terms):
        return terms.astype(np.uint32), counts.astype(np.int64)
    ordered, order = in_order(terms)
    starts = np.append(0, np.flatnonzero(ordered[1:] != ordered[:-1]) + 1)
    return ordered[starts], np.add.reduceat(counts[order].astype(np.int64), starts)


def _merged(first: Sorted, second: Sorted) -> Sorted:
    terms = np.concatenate([np.repeat(run.terms, np.diff(run.ends, prepend=0)) for run in (first, second)])
    places = np.concatenate([first.places, second.places])
    return _run(terms, places, np.concatenate([first.weights, second.weights]))
