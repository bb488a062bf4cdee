"""One document into every table of the truth, or out of all of them, inside a transaction that the caller holds."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Collection, Iterable

from wekadocs_corpus.graph.names import CONCEPT

from . import links, names
from .orphans import Orphans
from .rows import Rows
from .words import project_number, spelled


class Unwritten(Exception):
    """This document cannot be stored; without a reason: vectors it counts on have been tidied away meanwhile."""

    def __init__(self, document_id: str, reason: str = "") -> None:
        super().__init__(reason)
        self.document_id = document_id
        self.reason = reason


def write_all(connection: sqlite3.Connection, batch: Iterable[Rows]) -> int:
    """Replace each document; the number of the last change."""
    last, new, orphans = 0, set[str](), Orphans()
    for document in batch:
        try:
            last = _write(connection, document, new, orphans)
        except (UnicodeEncodeError, sqlite3.IntegrityError, sqlite3.DataError, OverflowError) as problem:
            raise Unwritten(document.document_id, type(problem).__name__) from problem
    names.join(connection, new)
    orphans.drop(connection)
    return last


def _write(connection: sqlite3.Connection, document: Rows, new: set[str], orphans: Orphans) -> int:
    """Replace the document; the number of this change. Concepts that nobody had defined before are added to `new`."""
    project = _project(connection, document.place.project_id)
    # A statement that may change many rows makes full text write out what it holds: not for a new document.
    if connection.execute("SELECT 1 FROM documents WHERE id = ?", (document.document_id,)).fetchone():
        _take_out(connection, project, document.document_id, orphans)
    _insert_document(connection, document)
    connection.executemany(f"INSERT INTO sections VALUES ({_marks(10)})", document.sections)
    _insert_chunks(connection, project, document)
    insert_vectors(connection, document.model, document.vectors)
    if missing_vectors(connection, document.model, set(document.hashes) - document.vectors.keys()):
        raise Unwritten(document.document_id)
    new |= _insert_graph(connection, document)
    links.connect(connection, document.place, linking=bool(document.links))
    return record(connection, document.document_id, document.place.project_id, deleted=False)


def delete_all(connection: sqlite3.Connection, document_ids: Iterable[str]) -> int:
    """Take the documents out; how many of them were there."""
    orphans = Orphans()
    found = sum(_delete(connection, each, orphans) for each in document_ids)
    orphans.drop(connection)
    return found


def _delete(connection: sqlite3.Connection, document_id: str, orphans: Orphans) -> bool:
    row = connection.execute("SELECT project FROM documents WHERE id = ?", (document_id,)).fetchone()
    if row is None:
        return False
    _take_out(connection, _project(connection, row[0]), document_id, orphans)
    record(connection, document_id, row[0], deleted=True)
    return True


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


def missing_vectors(connection: sqlite3.Connection, model: str, hashes: Collection[str]) -> set[str]:
    if not hashes:
        return set()
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


def _take_out(connection: sqlite3.Connection, project: int, document_id: str, orphans: Orphans) -> None:
    orphans.of(connection, document_id)
    ask = "SELECT number, terms FROM chunks WHERE document_id = ? AND length(terms) > 0"
    old = connection.execute(ask, (document_id,)).fetchall()
    connection.executemany(
        "INSERT INTO words (words, rowid, terms) VALUES ('delete', ?, ?)",
        [(number, spelled(project, terms)) for number, terms in old],
    )
    _count(connection, project, -len(old))
    links.disconnect(connection, document_id)
    names.take_out(connection, document_id)
    connection.execute("DELETE FROM documents WHERE id = ?", (document_id,))  # and what hangs on it


def _count(connection: sqlite3.Connection, project: int, more: int) -> None:
    if more:
        connection.execute("UPDATE projects SET chunks = chunks + ? WHERE number = ?", (more, project))


def _insert_document(connection: sqlite3.Connection, document: Rows) -> None:
    where_and_what, file = document.document[:11], document.document[11:]
    row = (*where_and_what, time.time(), *file)
    connection.execute(f"INSERT INTO documents VALUES ({_marks(20)})", row)


def _insert_chunks(connection: sqlite3.Connection, project: int, document: Rows) -> None:
    last = connection.execute("SELECT max(number) FROM chunks").fetchone()[0] or 0
    rows = [(number, *row) for number, row in enumerate(document.chunks, last + 1)]
    connection.executemany(f"INSERT INTO chunks VALUES ({_marks(12)})", rows)
    told = [(row[0], spelled(project, row[-1])) for row in rows if row[-1]]
    connection.executemany("INSERT INTO words (rowid, terms) VALUES (?, ?)", told)
    _count(connection, project, len(told))


def _insert_graph(connection: sqlite3.Connection, document: Rows) -> set[str]:
    """Which concepts are new."""
    known = _known(connection, [*(row[0] for row in document.entities), *names.concepts(document.names)])
    entities = [row for row in document.entities if row[0] not in known]
    connection.executemany(f"INSERT OR IGNORE INTO entities VALUES ({_marks(6)})", entities)
    connection.executemany(f"INSERT OR IGNORE INTO edges VALUES ({_marks(8)})", document.edges)
    connection.executemany(f"INSERT INTO links VALUES ({_marks(8)})", document.links)
    names.put(connection, document, known)
    return {row[0] for row in entities if row[3] == CONCEPT}


def _known(connection: sqlite3.Connection, entities: list[str]) -> set[str]:
    ask = "SELECT id FROM entities WHERE id IN (SELECT value FROM json_each(?))"
    return {row[0] for row in connection.execute(ask, (json.dumps(entities),))}


def _marks(count: int) -> str:
    return ", ".join("?" * count)
