"""The search index of the quality bench: the formulas in numpy."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wekadocs_corpus.model import Leg


class Formulas:
    """Exact scores, in memory."""

    def __init__(self, terms: Sequence[Mapping[int, float]], vectors: np.ndarray, documents: Sequence[str]) -> None:
        postings: dict[int, list[tuple[int, float]]] = defaultdict(list)
        for place, weights in enumerate(terms):
            for term, weight in weights.items():
                postings[term].append((place, weight))
        self._postings = {term: (np.array([p for p, _ in had]), [w for _, w in had]) for term, had in postings.items()}
        self._vectors, self._documents, self._count = vectors, documents, len(documents)

    async def search_words(self, query: Mapping[int, float], _scope: Any, _filters: Any, limit: int) -> list[Leg]:
        scores = np.zeros(self._count, dtype=np.float32)
        for term, weight in query.items():
            if term in self._postings:
                places, weights = self._postings[term]
                idf = math.log(1 + (self._count - len(places) + 0.5) / (len(places) + 0.5))
                scores[places] += np.float32(weight * idf) * np.array(weights, dtype=np.float32)
        return self._legs(scores, limit, above=0.0)

    async def search_vectors(self, query: Sequence[float], _scope: Any, _filters: Any, limit: int) -> list[Leg]:
        return self._legs(self._vectors @ np.array(query, dtype=np.float32), limit)

    async def close(self) -> None:
        return None

    def _legs(self, scores: np.ndarray, limit: int, above: float = -math.inf) -> list[Leg]:
        best = np.argsort(-scores, kind="stable")[:limit]
        return [Leg(f"{p:08}", self._documents[p], float(scores[p])) for p in best if scores[p] > above]
