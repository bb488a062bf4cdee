"""A collection that is built anew for another model beside the one that serves; all of it inside one transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence

from wekadocs_corpus.store.errors import StoreError
from wekadocs_corpus.store.truth.collections import Carried, NewChunk, Put, Rebuild

from .change import SqlChange
from .schema import REBUILDING

_OF_ONE = ("collection_terms", "collection_fields")
_OF_TARGET = ("collection_given", "collection_copied")


class SqlRebuilding(SqlChange):
    """A change that also knows of rebuilds."""

    def begin_rebuild(self, project: str, model: str, dimension: int, fields: Sequence[tuple[str, str]]) -> Rebuild:
        source = self.collection(project)
        if source is None:
            raise StoreError(f"collection of {project}: is not there to be rebuilt")
        made = self.claim(REBUILDING + project, f"{source.name}~rebuilding", model, dimension, fields)
        self._connection.execute(
            "INSERT INTO collection_rebuilds VALUES (?, ?, ?, 0, 0, ?, 0, 0)",
            (project, source.number, made.number, source.sequence),
        )
        return Rebuild(project, source.number, made.number, model, dimension, False, 0, source.sequence, 0, 0)

    def give(self, rebuild: Rebuild, chunks: Sequence[NewChunk]) -> Put:
        now = self._sequence(rebuild.source)
        given = [(rebuild.target, each.id, now) for each in chunks]
        self._connection.executemany("INSERT OR REPLACE INTO collection_given VALUES (?, ?, ?)", given)
        return self.put(rebuild.target, chunks)

    def copy(self, rebuild: Rebuild, chunks: Sequence[Carried]) -> None:
        before = self._copied(rebuild, [each.source for each in chunks])
        names = [each.chunk.id for each in chunks if each.chunk] + list(before.values())
        later = self._given_at(rebuild.target, names)
        new = [c for each in chunks if (c := each.chunk) and later.get(c.id, -1) < each.sequence]
        self.put(rebuild.target, new)
        gone = [
            name
            for each in chunks
            if (name := before.get(each.source)) is not None
            and (each.chunk is None or each.chunk.id != name)
            and later.get(name, -1) < each.sequence
        ]
        if gone:
            self.delete(rebuild.target, [], gone)
        rows = [(rebuild.target, each.source, each.chunk.id) for each in chunks if each.chunk]
        self._connection.executemany("INSERT OR REPLACE INTO collection_copied VALUES (?, ?, ?)", rows)
        move = "UPDATE collection_rebuilds SET behind = ?, done = done + ? WHERE target = ?"
        fresh = sum(each.source not in before for each in chunks)
        self._connection.execute(move, (max(each.source for each in chunks), fresh, rebuild.target))

    def _copied(self, rebuild: Rebuild, numbers: Sequence[int]) -> dict[int, str]:
        some = "SELECT CAST(value AS INTEGER) FROM json_each(?)"
        ask = f"SELECT source, id FROM collection_copied WHERE target = ? AND source IN ({some})"
        return dict(self._all(ask, rebuild.target, json.dumps(list(numbers))))

    def _given_at(self, target: int, ids: Sequence[str]) -> dict[str, int]:
        ask = "SELECT id, sequence FROM collection_given WHERE target = ? AND id IN (SELECT value FROM json_each(?))"
        return dict(self._all(ask, target, json.dumps(list(ids))))

    def next_pass(self, rebuild: Rebuild, sequence: int) -> None:
        on = "UPDATE collection_rebuilds SET reached = passing, passing = ?, behind = 0 WHERE target = ?"
        self._connection.execute(on, (sequence, rebuild.target))

    def promise(self, rebuild: Rebuild) -> None:
        self._connection.execute("UPDATE collection_rebuilds SET promised = 1 WHERE target = ?", (rebuild.target,))

    def swap(self, rebuild: Rebuild) -> None:
        old = self.by_number(rebuild.source)
        if old is None:
            raise StoreError(f"collection of {rebuild.project}: went while it was rebuilt")
        self._leave(rebuild.source)
        take = "UPDATE collections SET project = ?, name = ?, generation = ? WHERE number = ?"
        self._connection.execute(take, (old.project, old.name, old.generation + 1, rebuild.target))
        self._forget_rebuild(rebuild)

    def drop_rebuild(self, rebuild: Rebuild) -> None:
        self._leave(rebuild.target)
        self._forget_rebuild(rebuild)

    def _forget_rebuild(self, rebuild: Rebuild) -> None:
        for table in ("collection_rebuilds", *_OF_TARGET):
            self._connection.execute(f"DELETE FROM {table} WHERE target = ?", (rebuild.target,))

    def _leave(self, collection: int) -> None:
        """Out of everybody's sight now; its rows go later, a few at a time."""
        self._connection.execute("DELETE FROM collections WHERE number = ?", (collection,))
        self._connection.execute("INSERT OR IGNORE INTO collection_leavings VALUES (?)", (collection,))

    def sweep(self, most: int) -> bool:
        left = self._all("SELECT number FROM collection_leavings ORDER BY number LIMIT 1")
        if not left:
            return False
        number = left[0][0]
        some = "SELECT number FROM collection_chunks WHERE collection = ? LIMIT ?"
        gone = self._connection.execute(f"DELETE FROM collection_chunks WHERE number IN ({some})", (number, most))
        words = "SELECT field, value, chunk FROM collection_keywords WHERE collection = ? LIMIT ?"
        out = f"DELETE FROM collection_keywords WHERE collection = ? AND (field, value, chunk) IN ({words})"
        filters = self._connection.execute(out, (number, number, 4 * most))
        if gone.rowcount < most and filters.rowcount < 4 * most:
            for table in _OF_ONE:
                self._connection.execute(f"DELETE FROM {table} WHERE collection = ?", (number,))
            self._connection.execute("DELETE FROM collection_leavings WHERE number = ?", (number,))
        return bool(self._all("SELECT 1 FROM collection_leavings LIMIT 1"))
