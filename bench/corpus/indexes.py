"""Search indexes for the quality bench: the formulas in numpy, and the embedded Qdrant shard itself."""

from __future__ import annotations

import math
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wekadocs_corpus.model import Leg


def open_index(kind: str, terms: Sequence[Mapping[int, float]], vectors: np.ndarray, documents: Sequence[str]) -> Any:
    return {"numpy": Formulas, "edge": Shard}[kind](terms, vectors, documents)


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


class Shard:
    """A throw-away embedded Qdrant shard with Qdrant's own IDF."""

    def __init__(self, terms: Sequence[Mapping[int, float]], vectors: np.ndarray, documents: Sequence[str]) -> None:
        import qdrant_edge as edge

        self._folder = tempfile.TemporaryDirectory()
        self._documents = documents
        dense = edge.EdgeVectorParams(size=vectors.shape[1], distance=edge.Distance.Dot)
        words = edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)
        self._edge = edge.EdgeShard.create(self._folder.name, edge.EdgeConfig({"dense": dense}, {"words": words}))
        for at in range(0, len(documents), 500):
            batch = [
                edge.Point(
                    place,
                    {
                        "dense": vectors[place].tolist(),
                        "words": edge.SparseVector(list(terms[place]), list(terms[place].values())),
                    },
                    {},
                )
                for place in range(at, min(at + 500, len(documents)))
            ]
            self._edge.update(edge.UpdateOperation.upsert_points(batch))

    async def search_words(self, query: Mapping[int, float], _scope: Any, _filters: Any, limit: int) -> list[Leg]:
        import qdrant_edge as edge

        return self._legs(edge.SparseVector(list(query), list(query.values())), "words", limit)

    async def search_vectors(self, query: Sequence[float], _scope: Any, _filters: Any, limit: int) -> list[Leg]:
        return self._legs(list(query), "dense", limit)

    async def close(self) -> None:
        self._edge.close()
        self._folder.cleanup()

    def _legs(self, query: Any, using: str, limit: int) -> list[Leg]:
        import qdrant_edge as edge

        request = edge.QueryRequest(limit=limit, query=edge.Query.Nearest(query, using=using))
        found = sorted((-point.score, int(point.id)) for point in self._edge.query(request))
        return [Leg(f"{place:08}", self._documents[place], -score) for score, place in found]
