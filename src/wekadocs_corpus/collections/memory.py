"""A collection as arrays in this process: every vector multiplied, every posting of a term added up. It follows the
truth change by change, so that an answer is never behind."""

from __future__ import annotations

import threading
from collections.abc import Collection as Some
from collections.abc import Mapping, Sequence
from itertools import islice

import numpy as np

from wekadocs_corpus import stopping
from wekadocs_corpus.model import Leg
from wekadocs_corpus.store.ranking import DECIMALS
from wekadocs_corpus.store.truth.collections import ChangedChunk, CollectionRow, CollectionsView

from .rarity import Rarity
from .words import Postings

_AT_ONCE = 4096  # chunks taken in between two looks at the deadline


class Memory:
    """Used by one thread at a time: whoever holds `turn`."""

    def __init__(self) -> None:
        self.turn = threading.Lock()
        self.rarity = Rarity()
        self._begin(0, 0)

    def _begin(self, generation: int, dimension: int) -> None:
        self._generation, self._sequence = generation, 0
        self._count = 0
        self._numbers = np.zeros(0, np.int64)
        self._alive = np.zeros(0, bool)
        self._has_vector = np.zeros(0, bool)
        self._vectors = np.zeros((0, dimension), np.float32)
        self._place_of: dict[int, int] = {}
        self._postings = Postings()

    @classmethod
    def of(cls, chunks: Sequence[ChangedChunk], dimension: int) -> Memory:
        """Of these alone."""
        made = cls()
        made._begin(0, dimension)
        made._take(chunks)
        return made

    def follow(self, view: CollectionsView, row: CollectionRow) -> None:
        """Take in what the view has and this has not."""
        if (self._generation, self._vectors.shape[1]) != (
            row.generation,
            row.dimension,
        ) or self._sequence > row.sequence:
            self._begin(row.generation, row.dimension)
        if self._sequence == row.sequence:
            return
        try:
            changes = view.changes(row.number, self._sequence)
            while some := list(islice(changes, _AT_ONCE)):
                stopping.check()
                self._take(some)
        except BaseException:
            self._begin(0, 0)  # half of it must not answer
            raise
        self._sequence = row.sequence

    def _take(self, some: Sequence[ChangedChunk]) -> None:
        for each in some:
            place = self._place_of.pop(each.number, None)
            if place is not None:
                self._alive[place] = False
        new = [each for each in some if not each.deleted]
        first, end = self._count, self._count + len(new)
        self._reserve(end)
        self._numbers[first:end] = [each.number for each in new]
        self._alive[first:end] = True
        width = self._vectors.shape[1]
        for place, each in enumerate(new, first):
            if len(each.vector) == 4 * width:
                self._vectors[place] = np.frombuffer(each.vector, "<f4")
                self._has_vector[place] = True
        self._postings.add(range(first, end), [each.terms for each in new])
        self._place_of.update((each.number, place) for place, each in enumerate(new, first))
        self._count = end

    def _reserve(self, count: int) -> None:
        if count <= len(self._numbers):
            return
        more = max(count, 2 * len(self._numbers)) - len(self._numbers)
        self._numbers = np.pad(self._numbers, (0, more))
        self._alive = np.pad(self._alive, (0, more))
        self._has_vector = np.pad(self._has_vector, (0, more))
        self._vectors = np.pad(self._vectors, ((0, more), (0, 0)))

    def words(self, query: Mapping[int, float], allowed: Some[int] | None, limit: int) -> list[Leg]:
        """`query`: its terms' weights times how rare each is."""
        scores = np.zeros(self._count)
        for term, weight in query.items():
            for places, weights in self._postings.of(term):
                scores[places] += weights * np.float32(weight)
        seen = self._seen(allowed, self._alive[: self._count])
        places = np.flatnonzero((scores > 0) & seen)
        return self._legs(places, scores[places], limit)

    def nearest(self, query: np.ndarray, allowed: Some[int] | None, limit: int) -> list[Leg]:
        seen = self._seen(allowed, self._alive[: self._count] & self._has_vector[: self._count])
        places = np.flatnonzero(seen)
        if len(places) > self._count // 2:
            scores = np.vecdot(self._vectors[: self._count], query)[places]
        else:
            scores = np.vecdot(self._vectors[places], query)
        return self._legs(places, scores, limit)

    def _seen(self, allowed: Some[int] | None, alive: np.ndarray) -> np.ndarray:
        if allowed is None:
            return alive
        seen = np.zeros(self._count, bool)
        seen[[self._place_of[number] for number in allowed if number in self._place_of]] = True
        both: np.ndarray = seen & alive
        return both

    def _legs(self, places: np.ndarray, scores: np.ndarray, limit: int) -> list[Leg]:
        if len(scores) > limit:
            cut = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            near = np.flatnonzero(scores >= cut - 2 * 10**-DECIMALS)  # rounding makes some of them equal
            places, scores = places[near], scores[near]
        rounded = np.round(scores.astype(np.float64), DECIMALS) + 0.0
        order = np.lexsort((self._numbers[places], -rounded))[:limit]
        numbers = self._numbers[places[order]].tolist()
        return [leg(number, score) for number, score in zip(numbers, rounded[order].tolist(), strict=True)]


def leg(number: int, score: float) -> Leg:
    """Names order as the numbers do."""
    return Leg(f"{number:020d}", "", score)
