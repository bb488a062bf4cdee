"""The truth: documents, sections, chunks, vectors, graph and the sequence of changes, in one SQLite file."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from wekadocs_corpus.model import Prepared, Scope
from wekadocs_corpus.store.errors import StoreError
from wekadocs_corpus.store.filesystem import refuse_network
from wekadocs_corpus.store.sqlite.writing import documents as writing
from wekadocs_corpus.store.sqlite.writing.preparing import prepared
from wekadocs_corpus.store.writing.rows import Rows, rows

from . import inspection
from .connection import PATIENCE, Connections
from .inspection import Counts, Fault
from .reading import documents as reading
from .reading import reading_on, scope_rarity
from .reading.documents import Change, DocumentRow, KnownFile, Passage, SectionRow
from .reading.recent import Recent

FILE = "corpus.db"


@dataclass(frozen=True)
class Written:
    """What became of a batch."""

    sequence: int  # of the last change
    documents: int  # how many are in
    again: tuple[str, ...] = ()  # ids: vectors they counted on were tidied away meanwhile; prepare these again
    refused: Mapping[str, str] = field(default_factory=dict)  # id → what SQLite cannot store of it


class Truth:
    """Any number of processes and threads may hold one of these on the same folder."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        refuse_network(data_dir)
        try:
            data_dir.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise StoreError(f"{data_dir}: {problem.strerror}; choose another folder with --data") from None
        self._connections = Connections(data_dir / FILE)
        self._recent = Recent()
        self._rarity: scope_rarity.Known = {}
        try:
            self.id = prepared(self._connections)
        except BaseException:
            self.close()
            raise

    def reading(self, until: float | None = None) -> AbstractContextManager[sqlite3.Connection]:
        """A consistent view for several queries; interrupted when `time.monotonic()` passes `until`."""
        return self._connections.reading(until)

    def writing(self, seconds: float = PATIENCE) -> AbstractContextManager[sqlite3.Connection]:
        """A transaction of one's own; waits for other writers at most this long."""
        return self._connections.writing(seconds)

    def settle(self) -> None:
        """After much was written: the log need not stay as large as it became."""
        self._connections.settle()

    def close(self) -> None:
        self._connections.close()

    # What changes it

    def write(self, prepared: Prepared) -> Written:
        return self.write_many([prepared])

    def write_many(self, batch: Iterable[Prepared], seconds: float = PATIENCE) -> Written:
        return self.write_rows(map(rows, batch), seconds)

    def write_rows(self, batch: Iterable[Rows], seconds: float = PATIENCE) -> Written:
        """Several documents in one transaction; one that cannot be stored does not keep the others out."""
        left, again, refused = list(batch), list[str](), dict[str, str]()
        while True:
            try:
                with self.writing(seconds) as connection:
                    last = writing.write_all(connection, left)
                return Written(last, len(left), tuple(again), refused)
            except writing.Unwritten as problem:
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

    def touch(self, files: Iterable[tuple[str, int, int]]) -> None:
        """(document id, file size, mtime in ns) of files that were written again with the same content."""
        now = time.time()
        rows = [(size, mtime_ns, now, document_id) for document_id, size, mtime_ns in files]
        change = "UPDATE documents SET file_size = ?, file_mtime_ns = ?, ingested_at = ? WHERE id = ?"
        with self.writing() as connection:
            connection.executemany(change, rows)

    def add_vectors(self, model: str, vectors: Mapping[str, bytes]) -> None:
        """Vectors of another model for what is already stored; the documents concerned count as changed."""
        with self.writing() as connection:
            writing.insert_vectors(connection, model, dict(vectors))
            writing.record_having(connection, vectors)

    def tidy(self, keep_models: Sequence[str] | None = None) -> None:
        """Drop vectors and entities that nothing refers to; with a list, also the vectors of all other models."""
        with self.writing() as connection:
            inspection.tidy(connection, keep_models)

    def repair(self) -> None:
        """Make what is derived inside the truth anew: the full text index and its counts."""
        with self.writing() as connection:
            writing.respell(connection)

    def set_note(self, key: str, value: str) -> None:
        """Keep a small fact, such as when the last ingest ended."""
        with self.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    # What it tells

    def note(self, key: str) -> str | None:
        with self.reading() as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def document(self, document_id: str) -> DocumentRow | None:
        with self.reading() as connection:
            return reading.document(connection, document_id)

    def has_documents(self, project: str, environment: str) -> bool:
        with self.reading() as connection:
            return reading.has_documents(connection, project, environment)

    def has_edges(self, project: str, environment: str) -> bool:
        with self.reading() as connection:
            return reading.has_edges(connection, project, environment)

    def doc_tags(self, scope: Scope) -> list[str]:
        with self.reading() as connection:
            return reading.doc_tags(connection, scope)

    def section(self, section_id: str) -> SectionRow | None:
        with self.reading() as connection:
            return reading.section(connection, section_id)

    def sections_of(self, document_id: str) -> list[SectionRow]:
        with self.reading() as connection:
            return reading.sections_of(connection, document_id)

    def chunks(self, chunk_ids: Sequence[str], until: float | None = None) -> list[Passage]:
        """In the order of the ids; what has been deleted meanwhile is left out."""
        with self.reading(until) as connection:
            return self._recent.passages(connection, chunk_ids)

    def read_on(self, found: Sequence[Passage], others: Sequence[str]) -> list[Passage]:
        """Chunks with what stands around them, see reading_on.py."""
        with self.reading() as connection:
            return reading_on.read_on(connection, found, others, self._recent)

    def opening(self, document_id: str, section_id: str = "") -> Passage | None:
        """Where a document, or a section of it, begins, front matter aside."""
        with self.reading() as connection:
            found = self._recent.passages(connection, reading.first_chunk(connection, document_id, section_id))
        return found[0] if found else None

    def chunks_of(self, document_id: str) -> list[Passage]:
        with self.reading() as connection:
            return reading.passages_of(connection, document_id)

    def known_files(self, project: str, environment: str, uri: str) -> dict[str, KnownFile]:
        """Document id → what tells whether its origin is still the same, for this address and all below it."""
        with self.reading() as connection:
            return reading.known_files(connection, project, environment, uri)

    def roots(self, project: str, environment: str) -> dict[str, str]:
        """The folders and files that were ingested, each with its repository."""
        with self.reading() as connection:
            return reading.roots(connection, project, environment)

    def missing_vectors(self, model: str, hashes: Sequence[str]) -> set[str]:
        """Which of these texts this model has not embedded yet."""
        with self.reading() as connection:
            return writing.missing_vectors(connection, model, hashes)

    def sequence(self) -> int:
        with self.reading() as connection:
            return reading.sequence(connection)

    def changes_after(self, sequence: int, limit: int = 1000, project: str | None = None) -> list[Change]:
        with self.reading() as connection:
            return reading.changes_after(connection, sequence, limit, project)

    def weighted(self, project: str, query: Mapping[int, float]) -> dict[int, float]:
        """The query's terms times IDF: what an index without its own IDF is asked with."""
        with self.reading() as connection:
            return scope_rarity.of_project(self._rarity, project).weighted(connection, query)

    def weighted_within(self, scope: Scope, query: Mapping[int, float]) -> dict[int, float]:
        """The same as far as the scope goes: for whatever a caller is told."""
        with self.reading() as connection:
            return scope_rarity.of_scope(self._rarity, scope).weighted(connection, query)

    def is_whole(self, scope: Scope) -> bool:
        """Whether the scope holds all of its project."""
        with self.reading() as connection:
            return scope_rarity.of_scope(self._rarity, scope).is_whole(connection)

    def counts(self, project: str | None = None) -> Counts:
        with self.reading() as connection:
            return inspection.counts(connection, project)

    def integrity(self, *, thorough: bool = False) -> list[Fault]:
        """What is wrong with the file, each with its cure; an empty list when nothing is."""
        with self.reading() as connection:
            return inspection.integrity(connection, thorough=thorough)
