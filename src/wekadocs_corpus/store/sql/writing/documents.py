"""Documents into every table of the truth, or out of all of them, inside a transaction that the caller holds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from wekadocs_corpus.model import Place
from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.sql.reading.words import project_number
from wekadocs_corpus.store.writing.rows import Rows

from . import links, names, page_names
from .changes import record, record_numbers
from .inserting import Inserting, blaming, count
from .orphans import Orphans
from .spellings import respell as respell_names

_AT_ONCE = 4096  # chunks whose words are made anew


def write_all(connection: Connection, batch: Iterable[Rows]) -> int:
    """Replace each document; the number of the last change."""
    last = 0
    for documents in _without_repeats(batch):
        with blaming(connection, documents):
            last = _replace(connection, documents)
    return last


def delete_all(connection: Connection, document_ids: Iterable[str]) -> int:
    """Take the documents out; how many of them were there."""
    orphans = Orphans()
    found = sum(_delete(connection, each, orphans) for each in document_ids)
    orphans.drop_entities(connection)
    orphans.drop_vectors(connection)
    respell_names(connection, orphans.entities)
    return found


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


def _without_repeats(batch: Iterable[Rows]) -> Iterator[list[Rows]]:
    """In their order; a document that comes twice is written twice, one after the other."""
    documents: dict[str, Rows] = {}
    for each in batch:
        if each.document_id in documents:
            yield list(documents.values())
            documents = {}
        documents[each.document_id] = each
    if documents:
        yield list(documents.values())


def _replace(connection: Connection, documents: Sequence[Rows]) -> int:
    """The number of the last change."""
    orphans = Orphans()
    projects = {name: _project(connection, name) for name in dict.fromkeys(each.place.project_id for each in documents)}
    # A statement that may change many rows makes full text write out what it holds: not for new documents.
    for number, project in _stored(connection, [each.document_id for each in documents]):
        _take_out(connection, projects[project], number, orphans)
    orphans.drop_entities(connection)
    inserting = Inserting(connection, documents)
    inserting.texts(projects)
    inserting.vectors()
    concepts = inserting.graph()
    record_numbers(connection, links.connect(connection, inserting.documents))
    names.join(connection, concepts)
    orphans.drop_vectors(connection)
    respell_names(connection, orphans.entities)
    return record(connection, [(each.document_id, each.place.project_id) for each in documents])


def _stored(connection: Connection, document_ids: Sequence[str]) -> list[tuple[int, str]]:
    """Number and project of those that are there."""
    ask = "SELECT number, project FROM documents WHERE id IN (SELECT value FROM json_each(?)) ORDER BY number"
    return connection.execute(ask, (json.dumps(document_ids),)).fetchall()


def _delete(connection: Connection, document_id: str, orphans: Orphans) -> bool:
    ask = "SELECT number, project, environment, repository, path, title FROM documents WHERE id = ?"
    row = connection.execute(ask, (document_id,)).fetchone()
    if row is None:
        return False
    _take_out(connection, _project(connection, row[1]), row[0], orphans)
    record_numbers(connection, links.reconnect(connection, Place(*row[1:5]), row[5]))
    record(connection, [(document_id, row[1])], deleted=True)
    return True


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
    count(connection, project, -len(old))
    links.disconnect(connection, document)
    page_names.leave(connection, document)
    names.take_out(connection, document)
    connection.execute("DELETE FROM documents WHERE number = ?", (document,))  # and what hangs on it
