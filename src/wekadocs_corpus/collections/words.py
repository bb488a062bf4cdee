"""Which chunks have a term: sorted runs, small ones merged into larger, so that a batch costs its own size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wekadocs_corpus.store.local.postings import Having, Sorted


class Postings:
    """Of places; whoever asks knows which of them still count."""

    def __init__(self) -> None:
        self._runs: list[Sorted] = []

    def add(self, places: Sequence[int], vectors: Sequence[bytes]) -> None:
        """Vectors as `wekadocs_corpus.lexical.vectors` makes them: ids, then weights."""
        sizes = [len(vector) // 8 for vector in vectors]
        if not sum(sizes):
            return
        ids = [np.frombuffer(vector, "<u4", size) for vector, size in zip(vectors, sizes, strict=True)]
        weights = [np.frombuffer(vector, "<f4", size, 4 * size) for vector, size in zip(vectors, sizes, strict=True)]
        owners = np.repeat(np.asarray(places, np.int32), sizes)
        self._runs.append(_run(np.concatenate(ids), owners, np.concatenate(weights)))
        while len(self._runs) > 1 and 2 * len(self._runs[-1].places) > len(self._runs[-2].places):
            last, before = self._runs.pop(), self._runs.pop()
            self._runs.append(_merged(before, last))

    def of(self, term: int) -> list[Having]:
        return [run.of(term) for run in self._runs]


def _run(terms: np.ndarray, places: np.ndarray, weights: np.ndarray) -> Sorted:
    order = np.argsort(terms, kind="stable")  # the ids of a chunk are in order already, which this one uses
    ordered = terms[order]
    ends = np.append(np.flatnonzero(ordered[1:] != ordered[:-1]) + 1, len(ordered))
    return Sorted(ordered[ends - 1], ends, places[order], weights[order])


def _merged(first: Sorted, second: Sorted) -> Sorted:
    terms = np.concatenate([np.repeat(run.terms, np.diff(run.ends, prepend=0)) for run in (first, second)])
    places = np.concatenate([first.places, second.places])
    return _run(terms, places, np.concatenate([first.weights, second.weights]))
