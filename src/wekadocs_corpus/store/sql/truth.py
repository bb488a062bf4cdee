"""The truth over SQL: documents, sections, chunks, vectors, graph and the sequence of changes. Here is what changes
it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence

from wekadocs_corpus.fields import Field
from wekadocs_corpus.model import Prepared
from wekadocs_corpus.store.truth.jobs import Held
from wekadocs_corpus.store.truth.rows import Binding, Written
from wekadocs_corpus.store.writing.rows import Rows, rows

from . import inspection
from .collections.tables import SqlCollections
from .connection import PATIENCE
from .documents import Documents
from .feeds import Feeds
from .graph_tables import GraphTables
from .reading import replicas
from .writing import changes, fields
from .writing import documents as writing
from .writing import vectors as vector_rows
from .writing.inserting import SomeUnwritten, Unwritten


class SqlTruth(Documents, Feeds, GraphTables):
    """With all its parts; engines bring connections and what is theirs alone."""

    def collection_tables(self) -> SqlCollections:
        return SqlCollections(self)

    def write(self, prepared: Prepared) -> Written:
        return self.write_many([prepared])

    def write_many(self, batch: Iterable[Prepared], seconds: float = PATIENCE) -> Written:
        return self.write_rows(map(rows, batch), seconds)

    def write_rows(self, batch: Iterable[Rows], seconds: float = PATIENCE, *, held: Held | None = None) -> Written:
        """Several documents in one transaction; one that cannot be stored does not keep the others out."""
        left, again, refused = list(batch), list[str](), dict[str, str]()
        while True:
            try:
                with self.writing(seconds) as connection:
                    ids = [each.document_id for each in left]
                    own = held.held(connection, ids) if held else set(ids)
                    mine = [each for each in left if each.document_id in own]
                    last = writing.write_all(connection, mine)
                    if held:
                        held.done(connection, sorted(own))
                return Written(last, len(mine), tuple(again), refused, frozenset(ids) - own)
            except SomeUnwritten:
                return _of_all([self.write_rows([each], seconds, held=held) for each in left], again, refused)
            except Unwritten as problem:
                # From the beginning without it: a savepoint per document would make full text twice as slow.
                left = [each for each in left if each.document_id != problem.document_id]
                if problem.reason:
                    refused[problem.document_id] = problem.reason
                else:
                    again.append(problem.document_id)

    def delete(self, document_ids: Iterable[str]) -> int:
        """How many of them were there."""
        with self.writing() as connection:
            return writing.delete_all(connection, document_ids)

    def touch(self, files: Iterable[tuple[str, int, int]], *, held: Held | None = None) -> None:
        """(document id, file size, mtime in ns) of files that were written again with the same content."""
        now = time.time()
        rows = [(size, mtime_ns, now, document_id) for document_id, size, mtime_ns in files]
        change = "UPDATE documents SET file_size = ?, file_mtime_ns = ?, ingested_at = ? WHERE id = ?"
        with self.writing() as connection:
            own = held.held(connection, [row[-1] for row in rows]) if held else {row[-1] for row in rows}
            connection.executemany(change, [row for row in rows if row[-1] in own])
            if held:
                held.done(connection, sorted(own))

    def add_vectors(self, project: str, model: str, vectors: Mapping[str, bytes]) -> None:
        with self.writing() as connection:
            vector_rows.insert(connection, model, dict(vectors))
            changes.record_having(connection, project, vectors)

    def bind(self, project: str, binding: Binding) -> None:
        with self.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO bindings VALUES (?, ?, ?)", (project, *binding))

    def declare(self, project: str, declared: Iterable[Field]) -> None:
        with self.writing() as connection:
            fields.declare(connection, project, declared)

    def tidy(self, project: str | None = None) -> None:
        with self.writing() as connection:
            inspection.tidy(connection, project)

    def repair(self) -> None:
        """Make what is derived inside the truth anew: the full text index and its counts."""
        with self.writing() as connection:
            writing.respell(connection)

    def set_note(self, key: str, value: str) -> None:
        """Keep a small fact, such as when the last ingest ended."""
        with self.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def set_reached(self, replica: str, sequence: int) -> None:
        with self.writing() as connection:
            replicas.record(connection, replica, sequence)


def _of_all(parts: Sequence[Written], again: Iterable[str], refused: Mapping[str, str]) -> Written:
    """Of documents that were written one by one, and of those that were told apart before."""
    written = [each for each in parts if each.documents]
    return Written(
        written[-1].sequence if written else 0,
        len(written),
        (*again, *(name for each in parts for name in each.again)),
        dict(refused) | {name: why for each in parts for name, why in each.refused.items()},
        frozenset().union(*(each.lost for each in parts)),
    )
