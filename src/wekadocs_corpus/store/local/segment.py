"""Chunks as arrays, searched exactly: every posting of the question's terms is added up, every vector multiplied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from wekadocs_corpus.model import Leg
from wekadocs_corpus.store.ranking import DECIMALS

from .documents import Documents
from .fields import Columns
from .names import Names
from .postings import Postings

_BLOCK = 8192  # vectors copied at a time where only some may be seen
_FEW = 0.5  # of all chunks: fewer are picked out, more are all multiplied


@dataclass(frozen=True)
class Segment:
    """Whoever asks says which chunks may be seen: a flag each, None for all."""

    documents: Documents
    owners: np.ndarray  # per chunk the place of its document
    names: Names
    vectors: np.ndarray  # zeros where there is none
    has_vector: np.ndarray
    postings: Postings
    fields: Columns = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.owners)

    def words(self, query: Mapping[int, float], seen: np.ndarray | None, limit: int) -> list[Leg]:
        scores = np.zeros(len(self))
        for term, weight in query.items():
            places, weights = self.postings.of(term)
            scores[places] += weights * np.float32(weight)
        if seen is not None:
            scores *= seen
        places = np.flatnonzero(scores)
        return self._legs(places, scores[places], limit)

    def nearest(self, query: np.ndarray, seen: np.ndarray | None, limit: int) -> list[Leg]:
        if not self.has_vector.all():
            seen = self.has_vector if seen is None else self.has_vector & seen
        if seen is None:
            return self._legs(np.arange(len(self)), np.vecdot(self.vectors, query), limit)
        places = np.flatnonzero(seen)
        return self._legs(places, self._products(places, query), limit)

    def _products(self, places: np.ndarray, query: np.ndarray) -> np.ndarray:
        if len(places) > _FEW * len(self):
            some: np.ndarray = np.vecdot(self.vectors, query)[places]
            return some
        scores = np.empty(len(places), np.float32)
        for start in range(0, len(places), _BLOCK):
            block = self.vectors[places[start : start + _BLOCK]]
            np.vecdot(block, query, out=scores[start : start + _BLOCK])
        return scores

    def _legs(self, places: np.ndarray, scores: np.ndarray, limit: int) -> list[Leg]:
        """The best, and of equal scores those with the lowest ids: in the one order of all indexes."""
        if len(scores) > limit:
            cut = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            near = np.flatnonzero(scores >= cut - 2 * 10**-DECIMALS)  # rounding makes some of them equal
            places, scores = places[near], scores[near]
        rounded = np.round(scores.astype(np.float64), DECIMALS) + 0.0  # no negative zero
        order, ids = self.names.first(places, rounded, limit)
        owners = self.documents.ids[self.owners[places[order]]].tolist()
        rows = zip(ids, owners, rounded[order].tolist(), strict=True)
        return [Leg(chunk, document.decode(), score) for chunk, document, score in rows]
