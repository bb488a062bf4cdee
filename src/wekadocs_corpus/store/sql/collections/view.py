"""What collections hold, in one consistent look at the file."""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from contextlib import closing
from typing import Any

from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.truth.collections import ChangedChunk, CollectionRow, Conditions, Rebuild, StoredChunk

from .schema import REBUILDING, knows_rebuilds

_ROW = "number, project, name, model, dimension, generation, sequence, worded"
_CHANGED = "number, sequence, deleted, vector, terms"
_SHOWN = "number, id, doc, text, fulltext, payload"
KEYS_BETWEEN = "\x1f"
# Where rows are looked up by number, a plus keeps SQLite from going through all of the collection instead.


class SqlView:
    """Of a connection that is in a transaction. Where the tables were never made, nothing is there."""

    def __init__(self, connection: Connection, there: bool = True) -> None:
        self._connection, self._there = connection, there

    def _all(self, ask: str, *values: object) -> list[Any]:
        return self._connection.execute(ask, values).fetchall() if self._there else []

    def collections(self) -> list[CollectionRow]:
        ask = f"SELECT {_ROW} FROM collections WHERE substr(project, 1, ?) <> ? ORDER BY number"
        return [CollectionRow(*row) for row in self._all(ask, len(REBUILDING), REBUILDING)]

    def collection(self, project: str) -> CollectionRow | None:
        rows = self._all(f"SELECT {_ROW} FROM collections WHERE project = ?", project)
        return CollectionRow(*rows[0]) if rows else None

    def by_number(self, collection: int) -> CollectionRow | None:
        rows = self._all(f"SELECT {_ROW} FROM collections WHERE number = ?", collection)
        return CollectionRow(*rows[0]) if rows else None

    def rebuilds(self) -> list[Rebuild]:
        if not self._there or not knows_rebuilds(self._connection):
            return []
        ask = (
            "SELECT r.project, source, target, model, dimension, promised, reached, passing, behind, done"
            " FROM collection_rebuilds r JOIN collections ON number = target ORDER BY target"
        )
        return [_rebuild(*row) for row in self._all(ask)]

    def rebuild(self, project: str) -> Rebuild | None:
        return next((each for each in self.rebuilds() if each.project == project), None)

    def has_leavings(self) -> bool:
        known = self._there and knows_rebuilds(self._connection)
        return known and bool(self._all("SELECT 1 FROM collection_leavings LIMIT 1"))

    def given(self, target: int) -> list[int]:
        ask = (
            "SELECT number FROM collection_given g JOIN collection_chunks c ON c.collection = g.target AND c.id = g.id"
            " WHERE g.target = ? AND deleted = 0 ORDER BY number"
        )
        return [number for (number,) in self._all(ask, target)]

    def changes(self, collection: int, after: int, behind: int = 0) -> Generator[ChangedChunk, None, None]:
        if not self._there:
            return
        some = "sequence > ?" if after else "deleted = ?"
        ask = f"SELECT {_CHANGED} FROM collection_chunks WHERE collection = ? AND {some} AND number > ? ORDER BY number"
        with closing(self._connection.execute(ask, (collection, after, behind))) as rows:
            for number, sequence, deleted, vector, terms in rows:
                yield ChangedChunk(number, sequence, bool(deleted), vector, terms)

    def numbered(self, collection: int, numbers: Sequence[int]) -> list[ChangedChunk]:
        ask = (
            f"SELECT {_CHANGED} FROM collection_chunks WHERE +collection = ? AND +deleted = 0"
            " AND number IN (SELECT CAST(value AS INTEGER) FROM json_each(?)) ORDER BY number"
        )
        return [ChangedChunk(*row) for row in self._all(ask, collection, json.dumps(list(numbers)))]

    def matching(self, collection: int, conditions: Conditions) -> list[int]:
        one = "SELECT chunk FROM collection_keywords WHERE collection = ? AND field = ? AND value = ?"
        ask = " INTERSECT ".join([one] * len(conditions))
        values = [value for field, wanted in conditions for value in (collection, field, wanted)]
        return [number for (number,) in self._all(ask, *values)]

    def chunks(self, collection: int, numbers: Sequence[int]) -> list[StoredChunk]:
        ask = (
            f"SELECT {_SHOWN} FROM collection_chunks WHERE +collection = ? AND +deleted = 0"
            " AND number IN (SELECT CAST(value AS INTEGER) FROM json_each(?))"
        )
        found = {each.number: each for each in self._stored(ask, collection, json.dumps(list(numbers)))}
        return [found[number] for number in numbers if number in found]

    def documents(self, collection: int) -> list[str]:
        ask = "SELECT DISTINCT doc FROM collection_chunks WHERE collection = ? AND deleted = 0 ORDER BY doc"
        return [doc for (doc,) in self._all(ask, collection)]

    def heads(self, collection: int) -> list[StoredChunk]:
        ask = (
            f"SELECT {_SHOWN} FROM collection_chunks WHERE number IN"
            " (SELECT min(number) FROM collection_chunks WHERE collection = ? AND deleted = 0 GROUP BY doc)"
        )
        return self._stored(ask, collection)

    def of_documents(self, collection: int, docs: Sequence[str]) -> list[StoredChunk]:
        ask = (
            f"SELECT {_SHOWN} FROM collection_chunks WHERE collection = ? AND deleted = 0"
            " AND doc IN (SELECT value FROM json_each(?)) ORDER BY doc, number"
        )
        return self._stored(ask, collection, json.dumps(list(docs)))

    def size(self, collection: int) -> int:
        ask = "SELECT count(*) FROM collection_chunks WHERE collection = ? AND deleted = 0"
        return int(self._all(ask, collection)[0][0]) if self._there else 0

    def payload_keys(self, collection: int) -> list[str]:
        ask = "SELECT DISTINCT keys FROM collection_chunks WHERE collection = ? AND deleted = 0"
        return list(dict.fromkeys(key for (keys,) in self._all(ask, collection) for key in keys.split(KEYS_BETWEEN)))

    def fields(self, collection: int) -> list[tuple[str, str]]:
        ask = "SELECT field, kind FROM collection_fields WHERE collection = ? ORDER BY place"
        return [(field, kind) for field, kind in self._all(ask, collection)]

    def sample(self, collection: int, count: int) -> list[StoredChunk]:
        ask = f"SELECT {_SHOWN} FROM collection_chunks WHERE collection = ? AND deleted = 0 ORDER BY number LIMIT ?"
        return self._stored(ask, collection, count)

    def term_counts(self, collection: int, after: int) -> list[tuple[bytes, bytes]]:
        ask = "SELECT terms, counts FROM collection_terms WHERE collection = ? AND sequence > ?"
        return self._all(ask, collection, after)

    def keywords(self, collection: int, numbers: Sequence[int]) -> dict[int, list[tuple[str, str]]]:
        ask = (
            "SELECT number, keywords FROM collection_chunks WHERE +collection = ? AND +deleted = 0"
            " AND number IN (SELECT CAST(value AS INTEGER) FROM json_each(?))"
        )
        rows = self._all(ask, collection, json.dumps(list(numbers)))
        return {number: [tuple(pair) for pair in json.loads(kept)] for number, kept in rows}

    def _stored(self, ask: str, *values: object) -> list[StoredChunk]:
        return [
            StoredChunk(number, id, doc, text, fulltext, json.loads(payload))
            for number, id, doc, text, fulltext, payload in self._all(ask, *values)
        ]


def _rebuild(project: str, source: int, target: int, model: str, dimension: int, promised: int, *far: int) -> Rebuild:
    return Rebuild(project, source, target, model, dimension, bool(promised), *far)
