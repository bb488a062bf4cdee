"""What a Qdrant server does with a request, whatever way it came: the client's local mode, held to the server's rules.

Local mode forgives what a server refuses, and breaks ties by the order of insertion, which a server does not. Here only
indexed fields may be filtered (Qdrant Cloud's strict mode), names and sizes must fit, ties fall as they like, and many
shards are asked for less than was wanted, unless the search is exact. What it cannot show: how a real server stores and
scores. For that, name one with QDRANT_URL.
"""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import numpy as np
from qdrant_client import QdrantClient, models

_UNDERSAMPLED_FROM = 128  # the limit from which each of several shards is asked for a part only


class Refused(Exception):
    """Missing, already there, or a request that breaks a rule."""


class Missing(Refused): ...


class AlreadyThere(Refused): ...


class BadInput(Refused): ...


class Engine:
    """One call at a time; `memory` is for tests that change things behind the server's back."""

    def __init__(self) -> None:
        self.memory = QdrantClient(":memory:")
        self.lock = threading.RLock()
        self.strict = models.StrictModeConfig()
        self._made: dict[str, models.CreateCollection] = {}
        self._indexed: dict[str, dict[str, models.PayloadSchemaType]] = {}

    def exists(self, name: str) -> bool:
        return self.memory.collection_exists(name)

    def names(self) -> list[str]:
        return [each.name for each in self.memory.get_collections().collections]

    def create(self, name: str, wanted: models.CreateCollection) -> bool:
        if not name or self.exists(name):
            raise AlreadyThere(f"Collection `{name}` already exists!") if name else BadInput("collection_name is empty")
        if min(wanted.shard_number or 1, wanted.replication_factor or 1) < 1:
            raise BadInput("must be 1 or larger")
        self._made[name], self._indexed[name] = wanted, {}
        return self.memory.create_collection(name, wanted.vectors, wanted.sparse_vectors)

    def drop(self, name: str) -> bool:
        return self.memory.delete_collection(name)

    def info(self, name: str) -> models.CollectionInfo:
        self._known(name)
        info, made = self.memory.get_collection(name), self._made[name]
        info.payload_schema = {
            field: models.PayloadIndexInfo(data_type=kind, points=0) for field, kind in self._indexed[name].items()
        }
        info.config.params.shard_number = made.shard_number or 1
        info.config.params.replication_factor = made.replication_factor or 1
        info.config.quantization_config = made.quantization_config
        info.status = models.CollectionStatus.YELLOW  # as while it optimises, which is no reason not to ask it
        return info

    def index(self, name: str, field: str, kind: models.PayloadSchemaType) -> None:
        self._known(name)
        self._indexed[name][field] = kind

    def retrieve(self, name: str, ids: list[Any], with_payload: bool = True) -> list[models.Record]:
        self._known(name)
        return self.memory.retrieve(name, ids, with_payload=with_payload, with_vectors=False)

    def scroll(self, name: str, limit: int) -> list[models.Record]:
        self._known(name)
        return self.memory.scroll(name, limit=limit)[0]

    def upsert(self, name: str, points: list[models.PointStruct]) -> None:
        self._known(name)
        self._limited(len(points), self.strict.upsert_max_batchsize)
        for point in points:
            self._fits(name, point)
        self.memory.upsert(name, points)

    def set_payload(self, name: str, payload: dict[str, Any], ids: list[Any]) -> None:
        self._known(name)
        self.memory.set_payload(name, payload, ids)

    def delete(self, name: str, which: list[Any] | models.Filter) -> None:
        self._known(name)
        if isinstance(which, models.Filter):
            self._allowed(name, which)
            which = models.FilterSelector(filter=which)
        self.memory.delete(name, which)

    def count(self, name: str, which: models.Filter | None, exact: bool) -> int:
        self._known(name)
        self._allowed(name, which)
        self._exactness(exact)
        return self.memory.count(name, which).count

    def query(self, name: str, asked: models.QueryRequest) -> list[models.ScoredPoint]:
        self._known(name)
        self._allowed(name, asked.filter)
        limit, exact = asked.limit or 10, bool(asked.params and asked.params.exact)
        self._limited(limit, self.strict.max_query_limit)
        self._exactness(exact)
        vectors = self._made[name].vectors or {}
        if asked.using not in {*vectors, *(self._made[name].sparse_vectors or {})}:
            raise BadInput(f"Not existing vector name error: {asked.using}")
        if asked.using in vectors and len(getattr(asked.query, "nearest", asked.query)) != vectors[asked.using].size:
            raise BadInput("Vector dimension error")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # local mode: exact search means nothing to it
            found = self.memory.query_points(
                name, query=asked.query, using=asked.using, query_filter=asked.filter, limit=1_000_000
            ).points
        if asked.using not in vectors:
            _added_up_differently(found)
        # By score, then by the id read backwards: an order that nobody can rely on.
        found.sort(key=lambda point: (-point.score, UUID(str(point.id)).hex[::-1] if _is_uuid(point.id) else ""))
        return found[: limit if exact else self._undersampled(name, limit)]

    def _undersampled(self, name: str, limit: int) -> int:
        """What comes back when all that is wanted lies in one of the shards, each of which is asked for its share."""
        shards = self._made[name].shard_number or 1
        if shards == 1 or limit < _UNDERSAMPLED_FROM:
            return limit
        share = 1.2 * limit / shards
        return min(limit, int(share + 3.2 * math.sqrt(share)))

    def _known(self, name: str) -> None:
        if not name:
            raise BadInput("collection_name is empty")
        if not self.exists(name):
            raise Missing(f"Collection `{name}` doesn't exist!")

    def _fits(self, name: str, point: models.PointStruct) -> None:
        dense, sparse = self._made[name].vectors or {}, self._made[name].sparse_vectors or {}
        for vector, value in dict(point.vector).items():
            if vector not in {*dense, *sparse}:
                raise BadInput(f"Not existing vector name error: {vector}")
            if vector in dense and len(value) != dense[vector].size:
                raise BadInput("Vector dimension error")
            if vector in sparse and not 0 < len(value.indices) == len(set(value.indices)) == len(value.values):
                raise BadInput("indices must be unique, as many as values")

    def _allowed(self, name: str, wanted: models.Filter | None) -> None:
        kinds = self._indexed[name]
        for each in _conditions(wanted):
            if isinstance(each, models.HasIdCondition):
                self._limited(len(each.has_id), self.strict.condition_max_size)
                continue
            if isinstance(each, models.Filter):
                self._allowed(name, each)
                continue
            numbers = {models.PayloadSchemaType.INTEGER, models.PayloadSchemaType.FLOAT}
            if kinds.get(each.key) not in ({models.PayloadSchemaType.KEYWORD} if each.match else numbers):
                raise BadInput(f'Index required but not found for "{each.key}"')
            if each.match:
                self._limited(len(each.match.any), self.strict.condition_max_size)

    def _limited(self, size: int, most: int | None) -> None:
        if most is not None and size > most:
            raise BadInput(f"Limit exceeded {size} > {most}")

    def _exactness(self, exact: bool) -> None:
        if exact and self.strict.search_allow_exact is False:
            raise BadInput("Exact search disabled!")


def _added_up_differently(found: list[models.ScoredPoint]) -> None:
    """Each segment adds up the words in an order of its own, so the last digit of equal scores differs."""
    for point in found:
        score, segment = np.float32(point.score), int(str(point.id)[:2], 16) % 3
        point.score = float([score, np.nextafter(score, np.float32(0)), np.nextafter(score, np.float32(99))][segment])


def _conditions(wanted: models.Filter | None) -> Iterator[Any]:
    for part in (wanted.must, wanted.should, wanted.must_not) if wanted else ():
        yield from part if isinstance(part, list) else [part] * (part is not None)


def _is_uuid(point: Any) -> bool:
    return isinstance(point, str)
