"""One document into every table of the truth, or out of all of them, inside a transaction that the caller holds."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from wekadocs_corpus.model import Prepared

from . import links
from .words import project_number, spelled


class Unwritten(Exception):
    """This document cannot be stored; without a reason: vectors it counts on have been tidied away meanwhile."""

    def __init__(self, document_id: str, reason: str = "") -> None:
        super().__init__(reason)
        self.document_id = document_id
        self.reason = reason


def write_all(connection: sqlite3.Connection, batch: Iterable[Prepared]) -> int:
    """Replace each document; the number of the last change."""
    last = 0
    for prepared in batch:
        try:
            last = write(connection, prepared)
        except (UnicodeEncodeError, sqlite3.IntegrityError, sqlite3.DataError, OverflowError) as problem:
            raise Unwritten(prepared.document.id, type(problem).__name__) from problem
    return last


def write(connection: sqlite3.Connection, prepared: Prepared) -> int:
    """Replace the document; the number of this change."""
    document, project = prepared.document, _project(connection, prepared.document.place.project_id)
    _take_out(connection, project, document.id)
    _insert_document(connection, prepared)
    _insert_sections(connection, prepared)
    _insert_chunks(connection, project, prepared)
    insert_vectors(connection, prepared.model, prepared.vectors)
    if missing_vectors(connection, prepared.model, prepared.embedded_hashes):
        raise Unwritten(document.id)
    _insert_graph(connection, prepared)
    links.connect(connection, document.place)
    return record(connection, document.id, document.place.project_id, deleted=False)


def delete(connection: sqlite3.Connection, document_id: str) -> int | None:
    """Take the document out; the number of this change, None when it was not there."""
    row = connection.execute("SELECT project FROM documents WHERE id = ?", (document_id,)).fetchone()
    if row is None:
        return None
    _take_out(connection, _project(connection, row[0]), document_id)
    return record(connection, document_id, row[0], deleted=True)


def record(connection: sqlite3.Connection, document_id: str, project: str, *, deleted: bool) -> int:
    """Tell the indexes: the row moves to the end of the sequence."""
    put = "INSERT OR REPLACE INTO changes (document_id, project, deleted) VALUES (?, ?, ?)"
    return int(connection.execute(put, (document_id, project, deleted)).lastrowid or 0)


def record_having(connection: sqlite3.Connection, hashes: Iterable[str]) -> None:
    """Tell the indexes of every document that has one of these texts."""
    ask = "SELECT d.id, project FROM chunks JOIN documents AS d ON d.id = document_id WHERE embedded_hash = ?"
    found = {row for name in hashes for row in connection.execute(ask, (name,))}
    for document_id, project in sorted(found):
        record(connection, document_id, project, deleted=False)


def insert_vectors(connection: sqlite3.Connection, model: str, vectors: dict[str, bytes]) -> None:
    rows = [(model, name, vector) for name, vector in vectors.items()]
    connection.executemany("INSERT OR REPLACE INTO embeddings VALUES (?, ?, ?)", rows)


def missing_vectors(connection: sqlite3.Connection, model: str, hashes: Sequence[str]) -> set[str]:
    rows = connection.execute(
        "SELECT value FROM json_each(?) WHERE NOT EXISTS "
        "(SELECT 1 FROM embeddings WHERE model = ? AND embedded_hash = value)",
        (json.dumps(list(hashes)), model),
    )
    return {row[0] for row in rows}


def respell(connection: sqlite3.Connection) -> None:
    """Make the full text index and the counts anew from the chunks."""
    connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
    connection.execute(
        "UPDATE projects SET chunks = (SELECT count(*) FROM chunks JOIN documents ON documents.id = document_id "
        "WHERE project = projects.name AND length(terms) > 0)"
    )
    ask = (
        "SELECT c.number, p.number, terms FROM chunks AS c JOIN documents AS d ON d.id = document_id "
        "JOIN projects AS p ON p.name = project WHERE length(terms) > 0"
    )
    rows = ((number, spelled(project, terms)) for number, project, terms in connection.execute(ask))
    connection.executemany("INSERT INTO words (rowid, terms) VALUES (?, ?)", rows)


def _project(connection: sqlite3.Connection, name: str) -> int:
    connection.execute("INSERT OR IGNORE INTO projects (name, chunks) VALUES (?, 0)", (name,))
    number = project_number(connection, name)
    assert number is not None
    return number


def _take_out(connection: sqlite3.Connection, project: int, document_id: str) -> None:
    ask = "SELECT number, terms FROM chunks WHERE document_id = ? AND length(terms) > 0"
    old = connection.execute(ask, (document_id,)).fetchall()
    connection.executemany(
        "INSERT INTO words (words, rowid, terms) VALUES ('delete', ?, ?)",
        [(number, spelled(project, terms)) for number, terms in old],
    )
    _count(connection, project, -len(old))
    links.disconnect(connection, document_id)
    connection.execute("DELETE FROM documents WHERE id = ?", (document_id,))  # and what hangs on it


def _count(connection: sqlite3.Connection, project: int, more: int) -> None:
    if more:
        connection.execute("UPDATE projects SET chunks = chunks + ? WHERE number = ?", (more, project))


def _insert_document(connection: sqlite3.Connection, prepared: Prepared) -> None:
    document, place, parsed = prepared.document, prepared.document.place, prepared.document.parsed
    front_matter = json.dumps(parsed.front_matter, ensure_ascii=False, default=str)
    where = (document.id, place.project_id, place.environment, place.repository, place.path, prepared.root)
    what = (document.source_uri, parsed.title, document.doc_tag, parsed.language, document.updated_at, time.time())
    file = (document.content_hash, document.size_bytes, prepared.file_size, prepared.file_mtime_ns)
    rest = (prepared.parser_version, prepared.tokens, front_matter, parsed.text)
    connection.execute(f"INSERT INTO documents VALUES ({_marks(20)})", (*where, *what, *file, *rest))


def _insert_sections(connection: sqlite3.Connection, prepared: Prepared) -> None:
    document_id = prepared.document.id
    rows = [
        (s.id, document_id, s.ordinal, s.level, s.title, s.anchor, _json(s.headings), s.start, s.end, s.parent_id)
        for s in prepared.document.parsed.sections
    ]
    connection.executemany(f"INSERT INTO sections VALUES ({_marks(10)})", rows)


def _insert_chunks(connection: sqlite3.Connection, project: int, prepared: Prepared) -> None:
    rows = list(_chunk_rows(connection, prepared))
    connection.executemany(f"INSERT INTO chunks VALUES ({_marks(12)})", rows)
    told = [(row[0], spelled(project, row[-1])) for row in rows if row[-1]]
    connection.executemany("INSERT INTO words (rowid, terms) VALUES (?, ?)", told)
    _count(connection, project, len(told))


def _chunk_rows(connection: sqlite3.Connection, prepared: Prepared) -> Iterator[tuple[Any, ...]]:
    last = connection.execute("SELECT max(number) FROM chunks").fetchone()[0] or 0
    parts = zip(prepared.document.parsed.chunks, prepared.embedded_hashes, prepared.terms, strict=True)
    for number, (c, embedded, terms) in enumerate(parts, last + 1):
        place = (number, c.id, prepared.document.id, c.section_id, c.ordinal, c.start, c.end)
        yield (*place, c.tokens, c.kind, c.continues, embedded, terms)


def _insert_graph(connection: sqlite3.Connection, prepared: Prepared) -> None:
    graph, document_id, place = prepared.graph, prepared.document.id, prepared.document.place
    where = (place.project_id, place.environment)
    entities = [(e.id, *where, e.label, e.key, e.name) for e in graph.entities]
    connection.executemany(f"INSERT OR IGNORE INTO entities VALUES ({_marks(6)})", entities)
    edges = [(e.source, e.type, e.target, document_id, *where, e.weight, _json(e.evidence)) for e in graph.edges]
    connection.executemany(f"INSERT OR REPLACE INTO edges VALUES ({_marks(8)})", edges)
    found = [
        (document_id, ordinal, link.section_id, link.path, link.anchor, link.text, link.start, link.end)
        for ordinal, link in enumerate(graph.links)
    ]
    connection.executemany(f"INSERT INTO links VALUES ({_marks(8)})", found)


def _json(items: Sequence[object]) -> str:
    return json.dumps(items, ensure_ascii=False) if items else "[]"


def _marks(count: int) -> str:
    return ", ".join("?" * count)
