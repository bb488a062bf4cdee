"""One document into every table of the truth, or out of all of them, inside a transaction that the caller holds."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterable, Mapping
from itertools import groupby
from operator import itemgetter

from wekadocs_corpus.fields import Unfit
from wekadocs_corpus.graph.extraction.names import CONCEPT
from wekadocs_corpus.model import Place
from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.sql.reading.words import project_number
from wekadocs_corpus.store.writing.names import unpacked
from wekadocs_corpus.store.writing.nodes import DOCUMENT, ENTITY, SECTION, node
from wekadocs_corpus.store.writing.packing import pack_hash
from wekadocs_corpus.store.writing.rows import Rows

from . import fields, links, names, page_names
from .orphans import Orphans

MODEL_NUMBER = "SELECT number FROM models WHERE name = ?"
_AT_ONCE = 4096  # chunks whose words are made anew
_SECTION = 'number, digest, document, ordinal, level, title, anchor, headings, "start", "end", parent'
_CHUNK = (
    'number, digest, document, section, ordinal, "start", "end", tokens, kind, continues, embedded_hash, name, '
    "own_text, terms"
)
_ENTITY = "number, digest, area, label, key, name"


class Unwritten(Exception):
    """This document cannot be stored; without a reason: vectors it counts on have been tidied away meanwhile."""

    def __init__(self, document_id: str, reason: str = "") -> None:
        super().__init__(reason)
        self.document_id = document_id
        self.reason = reason


def write_all(connection: Connection, batch: Iterable[Rows]) -> int:
    """Replace each document; the number of the last change."""
    last, new, orphans = 0, dict[str, int](), Orphans()
    for document in batch:
        try:
            last = _write(connection, document, new, orphans)
        except Unfit as problem:
            raise Unwritten(document.document_id, str(problem)) from problem
        except (UnicodeEncodeError, OverflowError) as problem:
            raise Unwritten(document.document_id, type(problem).__name__) from problem
        except connection.unfit as problem:
            raise Unwritten(document.document_id, type(problem).__name__) from problem
    names.join(connection, new)
    orphans.drop(connection)
    return last


def _write(connection: Connection, document: Rows, new: dict[str, int], orphans: Orphans) -> int:
    """Replace the document; the number of this change. Concepts that nobody had defined before are added to `new`."""
    project = _project(connection, document.place.project_id)
    # A statement that may change many rows makes full text write out what it holds: not for a new document.
    old = connection.execute("SELECT number FROM documents WHERE id = ?", (document.document_id,)).fetchone()
    if old:
        _take_out(connection, project, old[0], orphans)
    number = _insert_document(connection, document)
    first = _insert_sections(connection, number, document)
    _insert_chunks(connection, project, number, first, document)
    insert_vectors(connection, document.model, document.vectors)
    if missing_vectors(connection, document.model, set(document.hashes) - document.vectors.keys()):
        raise Unwritten(document.document_id)
    new.update(_insert_graph(connection, number, first, document))
    moved = links.connect(connection, document.place, number, document.title, linking=bool(document.links))
    _record_all(connection, moved)
    return record(connection, document.document_id, document.place.project_id, deleted=False)


def delete_all(connection: Connection, document_ids: Iterable[str]) -> int:
    """Take the documents out; how many of them were there."""
    orphans = Orphans()
    found = sum(_delete(connection, each, orphans) for each in document_ids)
    orphans.drop(connection)
    return found


def _delete(connection: Connection, document_id: str, orphans: Orphans) -> bool:
    ask = "SELECT number, project, environment, repository, path, title FROM documents WHERE id = ?"
    row = connection.execute(ask, (document_id,)).fetchone()
    if row is None:
        return False
    _take_out(connection, _project(connection, row[1]), row[0], orphans)
    _record_all(connection, links.reconnect(connection, Place(*row[1:5]), row[5]))
    record(connection, document_id, row[1], deleted=True)
    return True


def _record_all(connection: Connection, documents: Iterable[int]) -> None:
    """Tell the indexes of documents whose edges have changed."""
    for number in sorted(documents):
        row = connection.execute("SELECT id, project FROM documents WHERE number = ?", (number,)).fetchone()
        record(connection, *row, deleted=False)


def record(connection: Connection, document_id: str, project: str, *, deleted: bool) -> int:
    """Tell the indexes: the row moves to the end of the sequence."""
    put = "INSERT OR REPLACE INTO changes (document_id, project, deleted) VALUES (?, ?, ?) RETURNING sequence"
    return int(connection.execute(put, (document_id, project, int(deleted))).fetchone()[0])


def record_having(connection: Connection, project: str, hashes: Iterable[str]) -> None:
    """Tell the project's indexes of every document that has one of these texts."""
    ask = "SELECT d.id FROM chunks JOIN documents AS d ON d.number = document WHERE embedded_hash = ? AND d.project = ?"
    found = {row[0] for name in hashes for row in connection.execute(ask, (pack_hash(name), project))}
    for document_id in sorted(found):
        record(connection, document_id, project, deleted=False)


def insert_vectors(connection: Connection, model: str, vectors: Mapping[str, bytes]) -> None:
    if vectors:
        connection.execute("INSERT OR IGNORE INTO models (name) VALUES (?)", (model,))
        number = connection.execute(MODEL_NUMBER, (model,)).fetchone()[0]
        rows = [(number, pack_hash(name), vector) for name, vector in vectors.items()]
        connection.executemany("INSERT OR REPLACE INTO embeddings VALUES (?, ?, ?)", rows)


def missing_vectors(connection: Connection, model: str, hashes: Iterable[str]) -> set[str]:
    """Which of these texts this model has not embedded."""
    ask = f"SELECT 1 FROM embeddings WHERE model = ({MODEL_NUMBER}) AND embedded_hash = ?"
    wanted = list(hashes)
    answers = connection.ask_all([(ask, (model, pack_hash(name))) for name in wanted])
    return {name for name, rows in zip(wanted, answers, strict=True) if not rows.fetchone()}


def respell(connection: Connection) -> None:
    """Make the full text index and the counts anew from the chunks."""
    connection.words.empty(connection)
    connection.execute(
        "UPDATE projects SET chunks = (SELECT count(*) FROM chunks JOIN documents ON documents.number = document "
        "WHERE project = projects.name AND length(terms) > 0)"
    )
    ask = (
        "SELECT c.number, p.number, terms FROM chunks AS c JOIN documents AS d ON d.number = document "
        "JOIN projects AS p ON p.name = project WHERE length(terms) > 0"
    )
    rows = connection.execute(f"{ask} ORDER BY 2, 1")
    while batch := rows.fetchmany(_AT_ONCE):
        for project, chunks in groupby(batch, itemgetter(1)):
            connection.words.put(connection, project, [(number, terms) for number, _, terms in chunks])


def _project(connection: Connection, name: str) -> int:
    connection.execute("INSERT OR IGNORE INTO projects (name, chunks) VALUES (?, 0)", (name,))
    number = project_number(connection, name)
    assert number is not None
    return number


def _take_out(connection: Connection, project: int, document: int, orphans: Orphans) -> None:
    orphans.of(connection, document)
    ask = "SELECT number, terms FROM chunks WHERE document = ? AND length(terms) > 0"
    old = connection.execute(ask, (document,)).fetchall()
    connection.words.take_out(connection, project, old)
    _count(connection, project, -len(old))
    links.disconnect(connection, document)
    page_names.leave(connection, document)
    names.take_out(connection, document)
    connection.execute("DELETE FROM documents WHERE number = ?", (document,))  # and what hangs on it


def _count(connection: Connection, project: int, more: int) -> None:
    if more:
        connection.execute("UPDATE projects SET chunks = chunks + ? WHERE number = ?", (more, project))


def _insert_document(connection: Connection, document: Rows) -> int:
    """Its number."""
    where_and_what, file = document.document[:12], document.document[12:]
    number = _next(connection, "documents")
    row = (number, *where_and_what, time.time(), *file)
    connection.execute(f"INSERT INTO documents VALUES ({_marks(24)})", row)
    if document.tags:
        connection.executemany("INSERT INTO other_tags VALUES (?, ?)", [(number, tag) for tag in document.tags])
    return number


def _insert_sections(connection: Connection, number: int, document: Rows) -> int:
    """The number of the first; the others follow it without a gap."""
    first = _next(connection, "sections")
    rows = [
        (first + place, row[0], number, *row[1:-1], None if row[-1] is None else first + row[-1])
        for place, row in enumerate(document.sections)
    ]
    connection.executemany(f"INSERT INTO sections ({_SECTION}) VALUES ({_marks(11)})", rows)
    return first


def _insert_chunks(connection: Connection, project: int, number: int, section: int, document: Rows) -> None:
    first = _next(connection, "chunks")
    rows = [(first + n, row[0], number, section + row[1], *row[2:]) for n, row in enumerate(document.chunks)]
    connection.executemany(f"INSERT INTO chunks ({_CHUNK}) VALUES ({_marks(14)})", rows)
    if document.fields:
        fields.put(connection, document.place.project_id, first, document.fields)
    worded = [(row[0], row[-1]) for row in rows if row[-1]]
    connection.words.put(connection, project, worded)
    _count(connection, project, len(worded))


def _insert_graph(connection: Connection, number: int, section: int, document: Rows) -> dict[str, int]:
    """Which concepts are new, each with its number."""
    named = list(unpacked(document.names))
    known = _numbers(connection, [*(row[0] for row in document.entities), *(name.concept for name in named)])
    new = _insert_entities(connection, document, known)
    entities = known | new

    def end(of: int | str) -> int:
        if isinstance(of, str):
            return node(ENTITY, entities[of])
        return node(SECTION, section + of) if of >= 0 else node(DOCUMENT, number)

    edges = [(end(row[0]), row[1], end(row[2]), number, *row[3:]) for row in document.edges]
    edges.sort(key=itemgetter(0, 1, 2))  # of two alike the first counts
    connection.executemany(f"INSERT OR IGNORE INTO edges VALUES ({_marks(7)})", edges)
    rows = [(number, ordinal, section + row[0], *row[1:]) for ordinal, row in enumerate(document.links)]
    connection.executemany(f"INSERT INTO links VALUES ({_marks(8)})", rows)
    names.put(connection, number, document.names, named)
    names.connect(connection, number, named, known)
    return {row[0]: new[row[0]] for row in document.entities if row[0] in new and row[1] == CONCEPT}


def _insert_entities(connection: Connection, document: Rows, known: Collection[str]) -> dict[str, int]:
    """The numbers of those that were not there."""
    rows = [row for row in document.entities if row[0] not in known]
    if not rows:
        return {}
    first, area = _next(connection, "entities"), _area(connection, document.place)
    made = [(first + n, bytes.fromhex(row[0]), area, *row[1:]) for n, row in enumerate(rows)]
    connection.executemany(f"INSERT INTO entities ({_ENTITY}) VALUES ({_marks(6)})", made)
    return {row[0]: first + n for n, row in enumerate(rows)}


def _numbers(connection: Connection, entities: list[str]) -> dict[str, int]:
    ask = "SELECT id, number FROM entities WHERE digest IN (SELECT id_key(value) FROM json_each(?))"
    return dict(connection.execute(ask, (json.dumps(entities),)).fetchall())


def _area(connection: Connection, place: Place) -> int:
    where = (place.project_id, place.environment)
    connection.execute("INSERT OR IGNORE INTO areas (project, environment) VALUES (?, ?)", where)
    ask = "SELECT number FROM areas WHERE project = ? AND environment = ?"
    return int(connection.execute(ask, where).fetchone()[0])


def _next(connection: Connection, table: str) -> int:
    return 1 + int(connection.execute(f"SELECT coalesce(max(number), 0) FROM {table}").fetchone()[0])


def _marks(count: int) -> str:
    return ", ".join("?" * count)
