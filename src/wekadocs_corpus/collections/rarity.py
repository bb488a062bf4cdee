"""How rare the terms of a collection are: counts that each batch brought, added up as this process learns of them."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping

import numpy as np

from wekadocs_corpus.store.truth.collections import CollectionRow, CollectionsView
from wekadocs_corpus.store.writing.term_vectors import idf

from .words import summed


class Rarity:
    """Of one collection."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._number, self._sequence = 0, 0
        self._terms, self._counts = np.zeros(0, np.uint32), np.zeros(0, np.int64)

    def weighted(self, view: CollectionsView, row: CollectionRow, terms: Mapping[int, float]) -> dict[int, float]:
        """Each term's weight times how rare it is; without those that no chunk has."""
        with self._turn:
            known, counts = self._followed(view, row)
        found = {term: _count(known, counts, term) for term in terms}
        return {term: weight * idf(row.worded, found[term]) for term, weight in terms.items() if found[term] > 0}

    def adopt(self, row: CollectionRow, sequence: int, terms: np.ndarray, counts: np.ndarray) -> None:
        """As it was counted up to that change."""
        with self._turn:
            self._number, self._sequence, self._terms, self._counts = row.number, sequence, terms, counts

    def _followed(self, view: CollectionsView, row: CollectionRow) -> tuple[np.ndarray, np.ndarray]:
        if self._number != row.number:  # a migration: another collection counts for itself
            self._number, self._sequence = row.number, 0
            self._terms, self._counts = np.zeros(0, np.uint32), np.zeros(0, np.int64)
        if self._sequence > row.sequence:  # another thread's view is newer: this one counts for itself
            return _added(view, row, 0, np.zeros(0, np.uint32), np.zeros(0, np.int64))
        if self._sequence < row.sequence:
            self._terms, self._counts = _added(view, row, self._sequence, self._terms, self._counts)
            self._sequence = row.sequence
        return self._terms, self._counts


def rarest(row: CollectionRow, weights: Iterable[float]) -> float:
    """What terms of these weights are worth that no chunk has."""
    return sum(weights) * idf(row.worded, 0)


def _added(
    view: CollectionsView, row: CollectionRow, after: int, terms: np.ndarray, counts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    new = view.term_counts(row.number, after)
    names = np.concatenate([terms, *(np.frombuffer(each, "<u4") for each, _ in new)])
    times = np.concatenate([counts, *(np.frombuffer(each, "<i4") for _, each in new)])
    return summed(names, times)


def _count(known: np.ndarray, counts: np.ndarray, term: int) -> int:
    at = int(np.searchsorted(known, np.uint32(term)))
    return int(counts[at]) if at < len(known) and known[at] == term else 0
