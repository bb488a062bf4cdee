"""One embedded Qdrant shard in a slot: opened safely, brought up to the truth in small steps, asked exactly.

The shard has no IDF of its own: questions come with it (see words.Rarity). It is never optimised: that would hold the
interpreter for minutes, and exact search over 200,000 chunks takes 33 ms.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from wekadocs_corpus.model import Filters, Scope

from . import reading
from .errors import Damaged
from .filesystem import refuse_full
from .layout import DENSE, FIELDS, FLOAT, KEYWORD, WORDS, Above, Condition, conditions
from .ranking import Found
from .slots import Holding, Slot
from .truth import Truth

if TYPE_CHECKING:
    from uuid import UUID

    import qdrant_edge

Result = TypeVar("Result")

_DOCUMENTS, _POINTS = 10, 64  # in one step: the interpreter is held for some milliseconds
_FLUSH_AFTER = 10_000  # points; it holds the interpreter while the disk writes, so seldom
_ROWS = (
    "SELECT c.id, d.id, environment, repository, doc_tag, path, updated_at, terms, vector "
    "FROM documents AS d CROSS JOIN chunks AS c ON c.document_id = d.id "
    "LEFT JOIN embeddings AS e ON e.model = ? AND e.embedded_hash = c.embedded_hash "
    "WHERE d.id IN (SELECT value FROM json_each(?))"
)


class Shard:
    """Not for two threads that change it; asking beside changing is fine."""

    def __init__(self, slot: Slot, truth: Truth, project: str, model: str, dimension: int) -> None:
        self._slot, self._truth, self._project = slot, truth, project
        self._model, self._dimension = model, dimension
        self._unflushed = 0
        self.sequence = 0
        self._edge = self._opened()

    # Following the truth

    def step(self) -> bool:
        """Take in the next few changed documents; False when there are none."""
        with self._truth.reading() as connection:
            changes = reading.changes_after(connection, self.sequence, _DOCUMENTS, self._project)
            if not changes:
                self.sequence = max(self.sequence, reading.sequence(connection))
                return False
            refuse_full(self._slot.folder)
            names = [change.document_id for change in changes]
            self._update("delete_points_by_filter", _must([_field("document_id", names)]))
            for points in self._points(connection, names):
                self._update("upsert_points", points)
                self._unflushed += len(points)
        self.sequence = changes[-1].sequence
        if self._unflushed > _FLUSH_AFTER:
            self.flush()
        return True

    def flush(self) -> None:
        guarded(self._edge.flush)
        self._slot.keep(Holding(self._truth.id, self._dimension, self.sequence))
        self._unflushed = 0

    def whole(self) -> bool:
        """Whether it holds as many points as the truth, in every environment; only sensible when it is not behind."""
        import qdrant_edge as edge

        with self._truth.reading() as connection:
            if reading.behind(connection, self.sequence, self._project):
                return True
            ask = "SELECT environment, count(*) FROM documents AS d JOIN chunks ON document_id = d.id WHERE project = ?"
            counts = dict(connection.execute(f"{ask} GROUP BY environment", (self._project,)).fetchall())
        for environment, count in counts.items():
            there = _must([_field("environment", [environment])])
            if guarded(lambda: self._edge.count(edge.CountRequest(exact=True, filter=there))) != count:  # noqa: B023
                return False
        return guarded(self._edge.info).points_count == sum(counts.values())

    def close(self) -> None:
        try:
            self.flush()
            self._edge.close()
        finally:
            self._slot.release()

    def drop(self) -> None:
        """Close it as it is: what was noted of it before still holds, the rest is replayed."""
        with suppress(Damaged):
            guarded(self._edge.close)
        self._slot.release()

    def abandon(self) -> None:
        """Damaged: throw it away; the slot stays ours."""
        with suppress(Damaged):
            guarded(self._edge.close)
        self._slot.clear()

    # Questions

    def words(self, query: Mapping[int, float], condition: qdrant_edge.Filter, limit: int) -> Found:
        import qdrant_edge as edge

        vector = edge.SparseVector(list(query), list(query.values()))
        return self._nearest(edge.Query.Nearest(vector, using=WORDS), condition, limit)

    def vectors(self, query: Sequence[float], condition: qdrant_edge.Filter, limit: int) -> Found:
        import qdrant_edge as edge

        return self._nearest(edge.Query.Nearest(list(map(float, query)), using=DENSE), condition, limit)

    def _nearest(self, query: Any, condition: qdrant_edge.Filter, limit: int) -> Found:
        import qdrant_edge as edge

        request = edge.QueryRequest(limit=limit, query=query, filter=condition)
        found = guarded(lambda: self._edge.query(request))
        return [(cast("UUID", point.id).hex, point.score) for point in found]

    # Opening

    def _opened(self) -> qdrant_edge.EdgeShard:
        """The slot's shard, or a new one where there is none that we can use."""
        refuse_full(self._slot.folder)
        holding = self._slot.holding()
        if holding and (holding.truth, holding.dimension) == (self._truth.id, self._dimension):
            try:
                return self._loaded(holding)
            except Damaged:
                pass
        self._slot.clear()
        return self._created()

    def _loaded(self, holding: Holding) -> qdrant_edge.EdgeShard:
        import qdrant_edge as edge

        self._slot.mark_opening()
        loaded: edge.EdgeShard = guarded(lambda: edge.EdgeShard.load(str(self._slot.shard)))
        self._slot.mark_open()
        self.sequence = holding.sequence
        return loaded

    def _created(self) -> qdrant_edge.EdgeShard:
        import qdrant_edge as edge

        dense = edge.EdgeVectorParams(size=self._dimension, distance=edge.Distance.Dot)
        config = edge.EdgeConfig({DENSE: dense}, {WORDS: edge.EdgeSparseVectorParams()}, wal_enabled=True)
        self._slot.shard.mkdir(parents=True)
        made = edge.EdgeShard.create(str(self._slot.shard), config)
        index = edge.UpdateOperation.create_field_index
        kinds = {KEYWORD: edge.PayloadSchemaType.Keyword, FLOAT: edge.PayloadSchemaType.Float}
        for name, kind in FIELDS.items():
            made.update(index(name, edge.KeywordIndexParams(prefix=True) if name == "path" else kinds[kind]))
        return made

    def _update(self, operation: str, what: Any) -> None:
        import qdrant_edge as edge

        guarded(lambda: self._edge.update(getattr(edge.UpdateOperation, operation)(what)))

    def _points(self, connection: sqlite3.Connection, documents: list[str]) -> Iterator[list[qdrant_edge.Point]]:
        rows = connection.execute(_ROWS, (self._model, json.dumps(documents)))
        while batch := rows.fetchmany(_POINTS):
            yield [_point(*row) for row in batch]


def condition(scope: Scope, filters: Filters) -> qdrant_edge.Filter | None:
    """Scope and filters as the shard's own filter; the project is the shard. None when nothing can match."""
    wanted = conditions(scope, replace(filters, path_prefix=""), lambda _: ())
    return None if wanted is None else _filter(wanted, filters.path_prefix)


@lru_cache(maxsize=64)  # both legs of every question ask for the same few
def _filter(wanted: tuple[Condition, ...], path: str) -> qdrant_edge.Filter:
    import qdrant_edge as edge

    prefix = [edge.FieldCondition(key="path", match=edge.MatchPrefix(path))] * bool(path)
    return _must([*map(_translated, wanted), *prefix])


def _translated(wanted: Condition) -> qdrant_edge.FieldCondition:
    import qdrant_edge as edge

    if isinstance(wanted, Above):
        return edge.FieldCondition(key=wanted.field, range=edge.RangeFloat(gt=wanted.value))
    return _field(wanted.field, wanted.values)


def guarded(work: Callable[[], Result]) -> Result:
    """Rust's panics arrive as BaseException; here they mean that the shard cannot be used."""
    try:
        return work()
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as problem:
        raise Damaged(type(problem).__name__) from problem


def _must(wanted: list[Any]) -> qdrant_edge.Filter:
    import qdrant_edge as edge

    return edge.Filter(must=wanted)


def _field(key: str, values: Sequence[str]) -> qdrant_edge.FieldCondition:
    import qdrant_edge as edge

    match = edge.MatchValue(values[0]) if len(values) == 1 else edge.MatchAny(list(values))
    return edge.FieldCondition(key=key, match=match)


def _point(
    chunk: str,
    document: str,
    environment: str,
    repository: str,
    tag: str,
    path: str,
    updated: float,
    terms: bytes,
    vector: bytes | None,
) -> qdrant_edge.Point:
    import numpy as np
    import qdrant_edge as edge

    half = len(terms) // 2
    weights = np.frombuffer(terms, "<f4", offset=half).tolist()
    vectors: dict[str, Any] = {WORDS: edge.SparseVector(np.frombuffer(terms[:half], "<u4").tolist(), weights)}
    if vector is not None:
        vectors[DENSE] = np.frombuffer(vector, "<f2").astype(np.float32).tolist()
    payload = dict(zip(FIELDS, (document, environment, repository, tag, path, updated), strict=True))
    return edge.Point(chunk, vectors, payload)
