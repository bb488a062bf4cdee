"""A collection as arrays in this process: every vector multiplied, every posting of a term added up. It follows the
truth change by change, so that an answer is never behind."""

from __future__ import annotations

import threading
from collections.abc import Collection as Some
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain, islice

import numpy as np

from wekadocs_corpus import stopping
from wekadocs_corpus.model import Leg
from wekadocs_corpus.store.ranking import DECIMALS
from wekadocs_corpus.store.truth.collections import ChangedChunk, CollectionRow, CollectionsView

from .image import Image, Taken, due
from .rarity import Rarity
from .words import LARGE, Postings

_NOWHERE = np.float32(-9.0)  # below every cosine
_AT_ONCE = 4096  # chunks taken in between two looks at the deadline


class Memory:
    """Used by one thread at a time: whoever holds `turn`."""

    def __init__(self) -> None:
        self.turn = threading.Lock()
        self.rarity = Rarity()
        self._begin(0, 0)

    def _begin(self, generation: int, dimension: int) -> None:
        self._generation, self._sequence = generation, 0
        self._since: int | None = None  # the change at which reading all of it began
        self._behind = 0  # how far that has come
        self._count = 0
        self._numbers = np.zeros(0, np.int64)
        self._alive = np.zeros(0, bool)
        self._has_vector = np.zeros(0, bool)
        self._vectors = np.zeros((0, dimension), np.float32)
        self._place_of: dict[int, int] = {}
        self._postings = Postings()
        self._unread: list[tuple[range, list[bytes]]] = []  # places, and the words that are there
        self._changed = 0  # chunks, since the arrays were written or read
        self._row: CollectionRow | None = None  # that all of this is of

    @classmethod
    def of(cls, chunks: Sequence[ChangedChunk], dimension: int) -> Memory:
        """Of these alone."""
        made = cls()
        made._begin(0, dimension)
        made._take(chunks)
        return made

    def adopt(self, image: Image, row: CollectionRow) -> None:
        """Begin from arrays as they were written; `follow` reads what has changed since."""
        self._begin(row.generation, row.dimension)
        self._sequence, self._count = image.sequence, len(image.numbers)
        self._numbers, self._has_vector = image.numbers.copy(), image.has_vector.copy()
        self._alive, self._vectors = np.ones(self._count, bool), image.vectors
        self._place_of = dict(zip(self._numbers.tolist(), range(self._count), strict=True))
        self._postings = Postings(image.runs)
        self.rarity.adopt(row, image.sequence, *image.counts())

    @property
    def is_new(self) -> bool:
        """Nothing was read yet."""
        return not self._sequence and self._since is None

    @property
    def image_due(self) -> bool:
        return due(self._changed, self._count)

    def image(self) -> Taken:
        """What is here now, to be put together without holding `turn`: nothing of it changes in place but who lives."""
        with self.turn:
            count, sequence, alive = self._count, self._sequence, self._alive[: self._count].copy()
            whole = (self._numbers[:count], self._has_vector[:count], self._vectors[:count])
            postings, unread, row = Postings(self._postings.runs), list(self._unread), self._row
            self._changed = 0

        def made() -> Image:
            for places, terms in unread:
                postings.add(places, terms)
            return Image(sequence, *whole, postings.runs).of(alive)

        return row, made

    def follow(self, view: CollectionsView, row: CollectionRow) -> None:
        """Take in what the view has and this has not. Whoever runs out of time leaves what it has read to the next."""
        known = (self._generation, self._vectors.shape[1])
        if known != (row.generation, row.dimension) or max(self._sequence, self._since or 0) > row.sequence:
            self._begin(row.generation, row.dimension)
        if not self._sequence:
            self._since = row.sequence if self._since is None else self._since
            for last in self._taken(view.changes(row.number, 0, self._behind)):
                self._behind = last
            self._sequence = self._since
        if self._sequence < row.sequence:  # what is taken in twice is the same as once
            for _ in self._taken(view.changes(row.number, self._sequence)):
                pass
            self._sequence = row.sequence
        self._row = row

    def _taken(self, changes: Generator[ChangedChunk, None, None]) -> Iterator[int]:
        """The number of the last chunk of each step."""
        with closing(changes):
            while some := list(islice(changes, _AT_ONCE)):
                stopping.check()
                self._take_whole(some)
                yield some[-1].number

    def _take_whole(self, some: Sequence[ChangedChunk]) -> None:
        try:
            self._take(some)
        except BaseException:
            self._begin(0, 0)  # half of it must not answer
            raise

    def _take(self, some: Sequence[ChangedChunk]) -> None:
        gone = [place for each in some if (place := self._place_of.pop(each.number, None)) is not None]
        self._alive[gone] = False
        self._changed += len(some)
        new = [each for each in some if not each.deleted]
        if not new:
            return
        first, end = self._count, self._count + len(new)
        self._reserve(end)
        self._numbers[first:end] = numbers = [each.number for each in new]
        self._alive[first:end] = True
        self._has_vector[first:end] = usable = [len(each.vector) == 4 * self._vectors.shape[1] for each in new]
        rows = b"".join(each.vector for each, fine in zip(new, usable, strict=True) if fine)
        self._vectors[first:end][usable] = np.frombuffer(rows, "<f4").reshape(-1, self._vectors.shape[1])
        self._unread.append((range(first, end), [each.terms for each in new]))
        self._place_of.update(zip(numbers, range(first, end), strict=True))
        self._count = end

    def _read_words(self) -> Postings:
        """When somebody asks for words: a search by meaning does not wait for them. Who is late leaves the rest."""
        while self._unread:
            stopping.check()
            some = self._some_unread()
            places = list(chain.from_iterable(places for places, _ in some))
            self._postings.add(places, list(chain.from_iterable(terms for _, terms in some)))
            del self._unread[: len(some)]
        return self._postings

    def _some_unread(self) -> list[tuple[range, list[bytes]]]:
        """As many steps as make a run that is merged no more."""
        entries = 0
        for count, (_, terms) in enumerate(self._unread, 1):
            entries += sum(map(len, terms)) // 8
            if entries >= LARGE:
                return self._unread[:count]
        return list(self._unread)

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
        scores, postings = np.zeros(self._count), self._read_words()
        for term, weight in query.items():
            for places, weights in postings.of(term):
                scores[places] += weights * np.float32(weight)
        seen = self._seen(allowed, self._alive[: self._count])
        places = np.flatnonzero((scores > 0) & seen)
        return self._legs(places, scores[places], limit)

    def nearest(self, query: np.ndarray, allowed: Some[int] | None, limit: int) -> list[Leg]:
        seen = self._seen(allowed, self._alive[: self._count] & self._has_vector[: self._count])
        if np.count_nonzero(seen) > self._count // 2:
            scores = np.vecdot(self._vectors[: self._count], query)
            scores[~seen] = _NOWHERE
            return self._legs(None, scores, min(limit, int(np.count_nonzero(seen))))
        places = np.flatnonzero(seen)
        return self._legs(places, np.vecdot(self._vectors[places], query), limit)

    def _seen(self, allowed: Some[int] | None, alive: np.ndarray) -> np.ndarray:
        if allowed is None:
            return alive
        seen = np.zeros(self._count, bool)
        seen[[self._place_of[number] for number in allowed if number in self._place_of]] = True
        both: np.ndarray = seen & alive
        return both

    def _legs(self, places: np.ndarray | None, scores: np.ndarray, limit: int) -> list[Leg]:
        """`places`: whose scores these are; None for all in their order."""
        if len(scores) > limit > 0:
            cut = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            near = np.flatnonzero(scores >= cut - 2 * 10**-DECIMALS)  # rounding makes some of them equal
            places, scores = near if places is None else places[near], scores[near]
        numbers = self._numbers[: self._count] if places is None else self._numbers[places]
        rounded = np.round(scores.astype(np.float64), DECIMALS) + 0.0
        order = np.lexsort((numbers, -rounded))[:limit]
        found = zip(numbers[order].tolist(), rounded[order].tolist(), strict=True)
        return [leg(number, score) for number, score in found]


def leg(number: int, score: float) -> Leg:
    """Names order as the numbers do."""
    return Leg(f"{number:020d}", "", score)
