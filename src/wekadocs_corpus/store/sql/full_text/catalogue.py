"""What exact search over SQLite keeps in memory: which chunk belongs to which document, and the vectors."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from wekadocs_corpus.model import Filters, Scope
from wekadocs_corpus.store.sql.connection import Connection, Cursor
from wekadocs_corpus.store.sql.reading import documents as reading
from wekadocs_corpus.store.sql.reading.filtering import allowed, chunk_flags

if TYPE_CHECKING:
    import numpy as np

_ROWS = (
    "SELECT c.number, d.id, e.vector FROM documents AS d CROSS JOIN chunks AS c ON c.document = d.number "
    "LEFT JOIN embeddings AS e ON e.model = (SELECT number FROM models WHERE name = ?) "
    "AND e.embedded_hash = c.embedded_hash "
)
_AT_ONCE = 4096  # rows held as Python objects while loading
_WIDE = 16_000_000  # numbers in all vectors up to which they are kept in float32: 64 MB
_MANY_CHANGES = 2000  # beyond, loading everything is not slower


class Catalogue:
    """Chunks of one project as arrays, ordered by number; `refresh` brings it to the state of the given connection."""

    numbers: np.ndarray
    owners: np.ndarray  # per chunk the index of its document
    vectors: np.ndarray  # float16, small ones float32, which is faster; zeros where there is none
    has_vector: np.ndarray

    def __init__(self, project: str, model: str, dimension: int) -> None:
        self._project, self._model, self._dimension = project, model, dimension
        self.sequence = 0
        self._documents: dict[str, int] = {}
        self._masks: dict[object, np.ndarray] = {}
        self._clear()

    def refresh(self, connection: Connection) -> None:
        latest = reading.sequence(connection)
        if latest == self.sequence:
            return
        changes = reading.changes_after(connection, self.sequence, _MANY_CHANGES, self._project)
        if not self.sequence or len(changes) == _MANY_CHANGES:
            self._clear()
            self._add(connection.execute(f"{_ROWS} WHERE d.project = ?", (self._model, self._project)))
        elif changes:
            names = [change.document_id for change in changes]
            self._remove(names)
            ask = f"{_ROWS} WHERE d.id IN (SELECT value FROM json_each(?))"
            self._add(connection.execute(ask, (self._model, json.dumps(names))))
        if self.vectors.size < _WIDE:
            self.vectors = self.vectors.astype("<f4", copy=False)
        self._masks.clear()
        self.sequence = latest

    def mask(self, connection: Connection, scope: Scope, filters: Filters) -> np.ndarray:
        """Per chunk: may this question see it."""
        import numpy as np

        key = (scope.project_id, scope.environment, scope.doc_tags, scope.repositories, filters)
        if key not in self._masks:
            condition, values = allowed(scope, filters)
            rows = connection.execute(f"SELECT d.id FROM documents AS d WHERE {condition}", values)
            seen = np.zeros(len(self._documents) + 1, bool)
            seen[[self._documents[row[0]] for row in rows if row[0] in self._documents]] = True
            if len(self._masks) >= 8:
                self._masks.clear()
            self._masks[key] = seen[self.owners]
            if filters.fields:
                self._masks[key] &= chunk_flags(connection, scope, filters)[self.numbers]
        return self._masks[key]

    def _clear(self) -> None:
        import numpy as np

        self._documents.clear()
        self.numbers, self.owners = np.empty(0, np.int64), np.empty(0, np.int32)
        self.vectors, self.has_vector = np.empty((0, self._dimension), np.float16), np.empty(0, bool)

    def _remove(self, documents: Iterable[str]) -> None:
        import numpy as np

        gone = [self._documents[each] for each in documents if each in self._documents]
        if gone:
            self._keep(~np.isin(self.owners, gone))

    def _add(self, rows: Cursor) -> None:
        import numpy as np

        parts = [(self.numbers, self.owners, self.vectors, self.has_vector)]
        while batch := rows.fetchmany(_AT_ONCE):
            empty = bytes(2 * self._dimension)
            blobs = [row[2] or empty for row in batch]
            vectors = np.frombuffer(b"".join(blobs), "<f2").reshape(len(batch), self._dimension)
            owners = [self._documents.setdefault(row[1], len(self._documents)) for row in batch]
            has = np.array([row[2] is not None for row in batch])
            parts.append((np.array([row[0] for row in batch]), np.array(owners, np.int32), vectors, has))
        self.numbers, self.owners, self.vectors, self.has_vector = map(np.concatenate, zip(*parts, strict=True))
        if len(parts) > 1:
            self._keep(np.argsort(self.numbers, kind="stable"))

    def _keep(self, which: np.ndarray) -> None:
        if which.dtype != bool and (which[1:] > which[:-1]).all():
            return  # already in order: spare the copy
        self.numbers, self.owners = self.numbers[which], self.owners[which]
        self.vectors, self.has_vector = self.vectors[which], self.has_vector[which]
