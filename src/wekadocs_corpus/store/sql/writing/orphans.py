"""What may be left without a document when one goes: vectors and entities, dropped in the same transaction."""

from __future__ import annotations

import json

from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.writing.nodes import ENTITY

UNUSED_VECTOR = "NOT EXISTS (SELECT 1 FROM chunks AS c WHERE c.embedded_hash = embeddings.embedded_hash)"
UNUSED_ENTITY = (
    f"NOT EXISTS (SELECT 1 FROM edges WHERE source = entities.number << 2 | {ENTITY}) "
    f"AND NOT EXISTS (SELECT 1 FROM edges WHERE target = entities.number << 2 | {ENTITY})"
)
_AMONG = "IN (SELECT CAST(value AS INTEGER) FROM json_each(?))"


class Orphans:
    """Gathers what documents had before they were taken out; what others still have stays."""

    def __init__(self) -> None:
        self._hashes: set[bytes] = set()
        self._nodes: set[int] = set()

    def of(self, connection: Connection, document: int) -> None:
        """To be called before the document goes."""
        chunks = connection.execute("SELECT embedded_hash FROM chunks WHERE document = ?", (document,))
        self._hashes.update(row[0] for row in chunks)
        for ends in connection.execute("SELECT source, target FROM edges WHERE document = ?", (document,)):
            self._nodes.update(ends)

    @property
    def entities(self) -> list[int]:
        return sorted(each >> 2 for each in self._nodes if each & 3 == ENTITY)

    def drop_entities(self, connection: Connection) -> None:
        """Before others come in their place: what is spelled anew is called so."""
        if self.entities:
            rows = f"DELETE FROM entities WHERE number {_AMONG} AND {UNUSED_ENTITY}"
            connection.execute(rows, (json.dumps(self.entities),))

    def drop_vectors(self, connection: Connection) -> None:
        rows = f"DELETE FROM embeddings WHERE model = ? AND embedded_hash = ? AND {UNUSED_VECTOR}"
        models = [row[0] for row in connection.execute("SELECT number FROM models")] if self._hashes else []
        connection.executemany(rows, [(model, each) for model in models for each in sorted(self._hashes)])
