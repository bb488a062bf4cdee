"""What may be left without a document when one goes: vectors and entities, dropped in the same transaction."""

from __future__ import annotations

import json
import sqlite3

UNUSED_VECTOR = "NOT EXISTS (SELECT 1 FROM chunks AS c WHERE c.embedded_hash = embeddings.embedded_hash)"
UNUSED_ENTITY = (
    "NOT EXISTS (SELECT 1 FROM edges WHERE source = entities.id) "
    "AND NOT EXISTS (SELECT 1 FROM edges WHERE target = entities.id)"
)
_AMONG = "IN (SELECT value FROM json_each(?))"


class Orphans:
    """Gathers what documents had before they were taken out; what others still have stays."""

    def __init__(self) -> None:
        self._hashes: set[str] = set()
        self._entities: set[str] = set()

    def of(self, connection: sqlite3.Connection, document_id: str) -> None:
        """To be called before the document goes."""
        chunks = connection.execute("SELECT embedded_hash FROM chunks WHERE document_id = ?", (document_id,))
        self._hashes.update(row[0] for row in chunks)
        for ends in connection.execute("SELECT source, target FROM edges WHERE document_id = ?", (document_id,)):
            self._entities.update(ends)

    def drop(self, connection: sqlite3.Connection) -> None:
        if self._hashes:
            for (model,) in connection.execute("SELECT DISTINCT model FROM embeddings").fetchall():
                rows = f"DELETE FROM embeddings WHERE model = ? AND embedded_hash {_AMONG} AND {UNUSED_VECTOR}"
                connection.execute(rows, (model, json.dumps(sorted(self._hashes))))
        if self._entities:
            rows = f"DELETE FROM entities WHERE id {_AMONG} AND {UNUSED_ENTITY}"
            connection.execute(rows, (json.dumps(sorted(self._entities)),))
