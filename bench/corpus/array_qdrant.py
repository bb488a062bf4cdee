"""The tests' own Qdrant with a search over arrays: as quick as a server is, for benches. It prints its address and
process."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "backends"))

import qdrant_fake
from qdrant_client import models
from qdrant_engine import Engine

Words = dict[int, tuple[np.ndarray, np.ndarray]]  # term → points and weights


class Arrays(Engine):
    """Vectors and words of a collection, read again after a change; scores as exact as those of the engine below."""

    def __init__(self) -> None:
        super().__init__()
        self._read: dict[str, tuple[list[Any], np.ndarray, Words]] = {}
        self._masks: dict[tuple[str, str], np.ndarray] = {}

    def upsert(self, name: str, points: list[models.PointStruct]) -> None:
        self._forget()
        super().upsert(name, points)

    def delete(self, name: str, which: Any) -> None:
        self._forget()
        super().delete(name, which)

    def set_payload(self, name: str, payload: dict[str, Any], ids: list[Any]) -> None:
        self._forget()
        super().set_payload(name, payload, ids)

    def query(self, name: str, asked: models.QueryRequest) -> list[models.ScoredPoint]:
        self._known(name)
        ids, dense, words = self._arrays(name)
        query = getattr(asked.query, "nearest", asked.query)
        scores = np.zeros(len(ids), np.float32)
        if isinstance(query, models.SparseVector):
            for term, weight in zip(query.indices, query.values, strict=True):
                if term in words:
                    places, values = words[term]
                    scores[places] += np.float32(weight) * values
            there = scores > 0
        else:
            scores, there = dense @ np.array(query, np.float32), np.abs(dense).sum(axis=1) > 0
        kept = np.flatnonzero(there & self._mask(name, asked.filter, ids))
        best = kept[np.argsort(-scores[kept], kind="stable")[: asked.limit or 10]]
        return [models.ScoredPoint.model_construct(id=ids[at], score=float(scores[at])) for at in best.tolist()]

    def _forget(self) -> None:
        self._read.clear()
        self._masks.clear()

    def _mask(self, name: str, wanted: models.Filter | None, ids: list[Any]) -> np.ndarray:
        key = (name, wanted.model_dump_json() if wanted else "")
        if key not in self._masks:
            found = self.memory.scroll(name, wanted, limit=1_000_000, with_payload=False)[0]
            met = {each.id for each in found}
            self._masks[key] = np.array([each in met for each in ids], bool)
        return self._masks[key]

    def _arrays(self, name: str) -> tuple[list[Any], np.ndarray, Words]:
        if name not in self._read:
            points = self.memory.scroll(name, limit=1_000_000, with_payload=False, with_vectors=True)[0]
            size = next(iter((self._made[name].vectors or {}).values())).size
            dense = np.zeros((len(points), size), np.float32)
            lists: dict[int, list[tuple[int, float]]] = {}
            for place, point in enumerate(points):
                for vector in (point.vector or {}).values():
                    if isinstance(vector, models.SparseVector):
                        for term, weight in zip(vector.indices, vector.values, strict=True):
                            lists.setdefault(term, []).append((place, weight))
                    else:
                        dense[place] = vector
            words = {
                term: (np.array([at for at, _ in pairs]), np.array([weight for _, weight in pairs], np.float32))
                for term, pairs in lists.items()
            }
            self._read[name] = ([point.id for point in points], dense, words)
        return self._read[name]


if __name__ == "__main__":
    fake = qdrant_fake.FakeQdrant()
    fake.engine = Arrays()
    with qdrant_fake.running(fake=fake):
        print(fake.url, os.getpid(), flush=True)
        sys.stdin.read()
