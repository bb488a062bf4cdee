"""Names that a text gives to concepts. Most of them no document ever defines: they wait, packed, one row a document.

They become edges in the transaction that has both ends, whichever comes last: the document that names a concept or the
first one that defines it. So a concept that is stored has all its edges, and what waits is never seen.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from .rows import Row, Rows

_Name = tuple[str, str, float, str]  # source, concept, weight, evidence
_EDGE = "INSERT OR IGNORE INTO edges VALUES (?, 'MENTIONS', ?, ?, ?, ?, ?, ?)"


def put(connection: sqlite3.Connection, document: Rows, defined: Collection[str]) -> None:
    """Keep the document's names; those of concepts that are defined become edges now."""
    found = unpacked(document.names)
    if not found:
        return
    keep = "INSERT INTO names (document_id, packed) VALUES (?, ?)"
    number = connection.execute(keep, (document.document_id, document.names)).lastrowid
    places = sorted({(_short(name[1]), number) for name in found})
    connection.executemany("INSERT INTO name_places VALUES (?, ?)", places)
    where = (document.document_id, document.place.project_id, document.place.environment)
    connection.executemany(_EDGE, [_edge(name, where) for name in found if name[1] in defined])


def take_out(connection: sqlite3.Connection, document_id: str) -> None:
    """Forget where the document's names stand; the rest goes with its row."""
    row = connection.execute("SELECT number, packed FROM names WHERE document_id = ?", (document_id,)).fetchone()
    if row is not None:
        places = sorted({(_short(name[1]), row[0]) for name in unpacked(row[1])})
        connection.executemany("DELETE FROM name_places WHERE concept = ? AND document = ?", places)


def join(connection: sqlite3.Connection, concepts: Collection[str]) -> None:
    """Edges for all that waited for these concepts, which are defined for the first time."""
    wanted: defaultdict[int, set[str]] = defaultdict(set)
    for concept in concepts:
        for (document,) in connection.execute("SELECT document FROM name_places WHERE concept = ?", (_short(concept),)):
            wanted[document].add(concept)
    ask = "SELECT packed, d.id, project, environment FROM names JOIN documents AS d ON d.id = document_id"
    for number in sorted(wanted):
        packed, *where = connection.execute(f"{ask} WHERE number = ?", (number,)).fetchone()
        edges = [_edge(name, tuple(where)) for name in unpacked(packed) if name[1] in wanted[number]]
        connection.executemany(_EDGE, edges)


def waiting(connection: sqlite3.Connection, document_ids: Iterable[str]) -> Iterator[tuple[str, _Name]]:
    """All names of these documents, defined or not."""
    ask = "SELECT document_id, packed FROM names WHERE document_id IN (SELECT value FROM json_each(?))"
    for document_id, packed in connection.execute(ask, (json.dumps(list(document_ids)),)):
        for name in unpacked(packed):
            yield document_id, name


def concepts(packed: str) -> list[str]:
    return [name[1] for name in unpacked(packed)]


def unpacked(packed: str) -> list[_Name]:
    return [(source, concept, weight, evidence) for source, concept, weight, evidence in json.loads(packed or "[]")]


def _short(concept: str) -> int:
    """Enough of an id to find it: half the bytes, and two ids that share them do no harm."""
    return int(concept[:15], 16)


def _edge(name: _Name, where: tuple[str, ...]) -> Row:
    return (name[0], name[1], *where, name[2], name[3])
