"""What changes collections; everything here is inside one transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from wekadocs_corpus import stopping
from wekadocs_corpus.store.errors import StoreError
from wekadocs_corpus.store.truth.collections import CollectionRow, NewChunk, Put, told_apart

from .view import KEYS_BETWEEN, SqlView

# What a migration left behind still has its number until it is swept away.
_UNUSED = (
    "SELECT 1 + coalesce(max(number), 0) FROM"
    " (SELECT number FROM collections UNION ALL SELECT number FROM collection_leavings) AS known"
)
_INSERT = (
    "INSERT INTO collection_chunks (collection, id, sequence, deleted, doc, keys, digest, keywords, payload, text,"
    " fulltext, terms, vector) VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number"
)
_UPDATE = (
    "UPDATE collection_chunks SET sequence = ?, deleted = 0, doc = ?, keys = ?, digest = ?, keywords = ?, payload = ?,"
    " text = ?, fulltext = ?, terms = ?, vector = ? WHERE number = ?"
)
_EMPTY = (
    "UPDATE collection_chunks SET sequence = ?, deleted = 1, keys = '', digest = x'', keywords = '[]', payload = '{}',"
    " text = '', fulltext = NULL, terms = x'', vector = x'' WHERE number = ?"
)


@dataclass(frozen=True, slots=True)
class _Known:
    """What has to go from the indexes when a chunk is replaced or deleted."""

    number: int
    deleted: bool
    digest: bytes
    keywords: str
    terms: bytes
    text: str


class SqlChange(SqlView):
    """A view that writes. Rows are in step: chunk, words and keywords go and come together."""

    def claim(
        self, project: str, name: str, model: str, dimension: int, fields: Sequence[tuple[str, str]]
    ) -> CollectionRow:
        row = self.collection(project)
        if self._all("SELECT 1 FROM collections WHERE name = ? AND project <> ?", name, project):
            name = told_apart(name, project)  # who was there first keeps it
        if row is None:
            self._connection.execute(
                "INSERT INTO collections (number, project, name, model, dimension, generation, sequence, worded)"
                f" VALUES (({_UNUSED}), ?, ?, ?, ?, 1, 0, 0)",
                (project, name, model, dimension),
            )
        elif row.name != name:
            self._connection.execute("UPDATE collections SET name = ? WHERE project = ?", (name, project))
        found = self.collection(project)
        if found is None:
            raise StoreError(f"collection {name}: could not be made")
        rows = [(found.number, field, kind, place) for place, (field, kind) in enumerate(fields)]
        self._connection.executemany("INSERT OR IGNORE INTO collection_fields VALUES (?, ?, ?, ?)", rows)
        return found

    def put(self, collection: int, chunks: Sequence[NewChunk]) -> Put:
        known = self._known(collection, [each.id for each in chunks])
        rows = [(each, _digest(each)) for each in chunks]
        new = [(each, digest) for each, digest in rows if each.id not in known or known[each.id].digest != digest]
        if not new:
            return Put(self._sequence(collection), ())
        sequence = self._next(collection)
        old = [known[each.id] for each, _ in new if each.id in known]
        self._forget(collection, old)
        for chunk, digest in new:
            stopping.check()
            self._write(collection, sequence, chunk, digest, known.get(chunk.id))
        self._count(collection, [each.terms for each, _ in new], 1)
        replaced = tuple(e.id for e, _ in new if e.id in known and known[e.id].text not in ("", e.text))
        return Put(sequence, replaced)

    def delete(self, collection: int, docs: Sequence[str], ids: Sequence[str]) -> tuple[int, list[str]]:
        ask = (
            "SELECT id, doc FROM collection_chunks WHERE collection = ? AND deleted = 0"
            " AND (id IN (SELECT value FROM json_each(?)) OR doc IN (SELECT value FROM json_each(?)))"
        )
        found = self._all(ask, collection, json.dumps(list(ids)), json.dumps(list(docs)))
        if found:
            going = self._known(collection, [id for id, _ in found])
            sequence = self._next(collection)
            self._forget(collection, going.values())
            self._connection.executemany(_EMPTY, [(sequence, each.number) for each in going.values()])
        there, of = {id for id, _ in found}, {doc for _, doc in found}
        absent = [doc for doc in docs if doc not in of] + [id for id in ids if id not in there]
        return len(found), list(dict.fromkeys(absent))

    def _write(self, collection: int, sequence: int, chunk: NewChunk, digest: bytes, known: _Known | None) -> None:
        keys = KEYS_BETWEEN.join(chunk.payload)
        keywords, payload = json.dumps(chunk.keywords), json.dumps(chunk.payload, ensure_ascii=False)
        text = (chunk.text, chunk.fulltext, chunk.terms, chunk.vector)
        values = (chunk.doc, keys, digest, keywords, payload, *text)
        if known is None:
            number = int(self._connection.execute(_INSERT, (collection, chunk.id, sequence, *values)).fetchone()[0])
        else:
            number = known.number
            self._connection.execute(_UPDATE, (sequence, *values, number))
        rows = [(collection, field, value, number) for field, value in dict.fromkeys(chunk.keywords)]
        self._connection.executemany("INSERT OR IGNORE INTO collection_keywords VALUES (?, ?, ?, ?)", rows)

    def _forget(self, collection: int, chunks: Iterable[_Known]) -> None:
        """Words and keywords of chunks that are replaced or deleted."""
        there = [each for each in chunks if not each.deleted]
        rows = [(collection, field, value, each.number) for each in there for field, value in json.loads(each.keywords)]
        gone = "DELETE FROM collection_keywords WHERE collection = ? AND field = ? AND value = ? AND chunk = ?"
        self._connection.executemany(gone, rows)
        self._count(collection, [each.terms for each in there], -1)

    def _count(self, collection: int, vectors: Sequence[bytes], by: int) -> None:
        import numpy as np  # here: whoever only opens the store does without

        ids = [np.frombuffer(terms, "<u4", len(terms) // 8) for terms in vectors]
        terms, counts = np.unique(np.concatenate([*ids, np.empty(0, "<u4")]), return_counts=True)
        row = (collection, self._sequence(collection), by, terms.tobytes(), (by * counts).astype("<i4").tobytes())
        if len(terms):
            self._connection.execute("INSERT INTO collection_terms VALUES (?, ?, ?, ?, ?)", row)
        worded = by * sum(1 for each in vectors if each)
        self._connection.execute("UPDATE collections SET worded = worded + ? WHERE number = ?", (worded, collection))

    def _sequence(self, collection: int) -> int:
        return int(self._all("SELECT sequence FROM collections WHERE number = ?", collection)[0][0])

    def _next(self, collection: int) -> int:
        self._connection.execute("UPDATE collections SET sequence = sequence + 1 WHERE number = ?", (collection,))
        return self._sequence(collection)

    def _known(self, collection: int, ids: Sequence[str]) -> dict[str, _Known]:
        ask = (
            "SELECT id, number, deleted, digest, keywords, terms, text FROM collection_chunks"
            " WHERE collection = ? AND id IN (SELECT value FROM json_each(?))"
        )
        rows: list[Any] = self._all(ask, collection, json.dumps(list(ids)))
        return {id: _Known(number, bool(deleted), *rest) for id, number, deleted, *rest in rows}


def _digest(chunk: NewChunk) -> bytes:
    """Storing the same twice changes nothing, and is not written twice."""
    written = json.dumps([chunk.doc, chunk.text, chunk.fulltext, chunk.payload, chunk.keywords])
    return blake2b(written.encode() + chunk.vector, digest_size=16).digest()
