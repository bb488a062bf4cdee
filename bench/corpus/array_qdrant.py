"""The tests' own Qdrant with a search over arrays: as quick as a server is, for benches. It prints its address and
process."""

from __future__ import annotations

import json
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
        found = self.nearest(name, json.loads(asked.model_dump_json()))
        return [models.ScoredPoint.model_construct(**each) for each in found]

    def nearest(self, name: str, asked: dict[str, Any]) -> list[dict[str, Any]]:
        """The same, asked and answered as it is sent."""
        self._known(name)
        ids, dense, words = self._arrays(name)
        query = asked["query"]
        query = query.get("nearest", query) if isinstance(query, dict) else query
        scores = np.zeros(len(ids), np.float32)
        if isinstance(query, dict):
            for term, weight in zip(query["indices"], query["values"], strict=True):
                if term in words:
                    places, values = words[term]
                    scores[places] += np.float32(weight) * values
            there = scores > 0
        else:
            scores, there = dense @ np.array(query, np.float32), np.abs(dense).sum(axis=1) > 0
        kept = np.flatnonzero(there & self._mask(name, asked.get("filter"), ids))
        best = kept[np.argsort(-scores[kept], kind="stable")[: asked.get("limit") or 10]]
        both = zip(best.tolist(), scores[best].tolist(), strict=True)
        return [{"version": 0, "id": ids[at], "score": score} for at, score in both]

    def _forget(self) -> None:
        self._read.clear()
        self._masks.clear()

    def _mask(self, name: str, asked: dict[str, Any] | None, ids: list[Any]) -> np.ndarray:
        key = (name, json.dumps(asked))
        if key not in self._masks:
            wanted = models.Filter(**asked) if asked else None
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


class Headers(dict[str, str]):
    """By name in any case."""

    def get(self, name: str, default: Any = None) -> Any:
        return super().get(name.lower(), default)


class Quick(qdrant_fake.Handler):
    """Questions are read and answered with little more than the arithmetic: a server is no Python that reads e-mail's
    heads and makes objects of what it is sent."""

    def parse_request(self) -> bool:
        self.requestline = self.raw_requestline.decode("latin-1").rstrip()
        self.command, self.path, self.request_version = self.requestline.split()
        self.headers = Headers()  # type: ignore[assignment]
        while line := self.rfile.readline().strip():
            name, _, value = line.decode("latin-1").partition(":")
            self.headers[name.lower()] = value.strip()
        self.close_connection = self.headers.get("connection", "").lower() == "close"
        return True

    def work(self) -> tuple[int, Any]:
        parts = self.path.split("?")[0].strip("/").split("/")
        if parts[2:] != ["points", "query", "batch"]:
            return super().work()
        engine = self.server.fake.engine
        with engine.lock:
            try:
                searches = json.loads(self.body)["searches"]
                return 200, [{"points": engine.nearest(parts[1], each)} for each in searches]
            except qdrant_fake.Missing:
                return 404, None


if __name__ == "__main__":
    fake = qdrant_fake.FakeQdrant()
    fake.engine = Arrays()
    with qdrant_fake.running(fake=fake, handler=Quick):
        print(fake.url, os.getpid(), flush=True)
        sys.stdin.read()
