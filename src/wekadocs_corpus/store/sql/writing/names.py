"""Names that a text gives to concepts wait, packed, until a document defines one.

They become edges in the transaction that has both ends, whichever comes last: the document that names a concept or the
first one that defines it. So a concept that is stored has all its edges, and what waits is never seen.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.writing.names import Name, short, unpacked
from wekadocs_corpus.store.writing.nodes import ENTITY, SECTION, TYPE, node, rank
from wekadocs_corpus.store.writing.packing import pack_spans

MENTIONS = TYPE["MENTIONS"]
_EDGE = "INSERT OR IGNORE INTO edges VALUES (?, ?, ?, ?, ?, ?, ?)"
_LISTED = "IN (SELECT CAST(value AS INTEGER) FROM json_each(?))"
_WAITING = f"SELECT document, concept FROM name_places WHERE concept {_LISTED}"
_PACKED = f"SELECT document, packed FROM names WHERE document {_LISTED} ORDER BY document"
_SECTIONS = f"SELECT document, number, id FROM sections WHERE document {_LISTED} ORDER BY document, number"


def put(connection: Connection, document: int, data: bytes, found: Sequence[Name]) -> None:
    """Keep the document's names."""
    if found:
        connection.put("INSERT INTO names VALUES (?, ?)", [(document, data)])
        places = sorted({(short(name.concept), document) for name in found})
        connection.put("INSERT INTO name_places VALUES (?, ?)", places)


def take_out(connection: Connection, document: int) -> None:
    """Forget where the document's names stand; the rest goes with its row."""
    row = connection.execute("SELECT packed FROM names WHERE document = ?", (document,)).fetchone()
    if row is not None:
        places = sorted({(short(name.concept), document) for name in unpacked(row[0])})
        connection.executemany("DELETE FROM name_places WHERE concept = ? AND document = ?", places)


def join(connection: Connection, concepts: Mapping[str, int]) -> None:
    """Edges for all that waited for these concepts, which are defined for the first time; each with its number."""
    if not concepts:
        return
    by_short: defaultdict[int, set[str]] = defaultdict(set)
    for concept in concepts:
        by_short[short(concept)].add(concept)
    wanted: defaultdict[int, set[str]] = defaultdict(set)
    for document, key in connection.execute(_WAITING, (json.dumps(sorted(by_short)),)).fetchall():
        wanted[document] |= by_short[key]
    documents = json.dumps(sorted(wanted))
    sections = _sections(connection, documents)
    for document, data in connection.execute(_PACKED, (documents,)).fetchall():
        found = [name for name in unpacked(data) if name.concept in wanted[document]]
        connect(connection, document, found, concepts, sections[document])


def connect(
    connection: Connection,
    document: int,
    found: Iterable[Name],
    concepts: Mapping[str, int],
    sections: Sequence[tuple[int, str]],
) -> None:
    """Edges for those of the document's names whose concept has a number."""
    rows = []
    for name in found:
        if name.concept in concepts:
            number, section = sections[name.section]
            ends = (node(SECTION, number), MENTIONS, node(ENTITY, concepts[name.concept]))
            rows.append((*ends, document, rank(section), name.weight, pack_spans(name.evidence)))
    connection.put(_EDGE, rows)


def waiting(connection: Connection, document_ids: Iterable[str]) -> Iterator[tuple[str, str, Name]]:
    """All names of these documents, defined or not, each after its document and its section."""
    ask = (
        "SELECT d.id, d.number, packed FROM names JOIN documents AS d ON d.number = document "
        "WHERE d.id IN (SELECT value FROM json_each(?))"
    )
    rows = connection.execute(ask, (json.dumps(list(document_ids)),)).fetchall()
    sections = _sections(connection, json.dumps([number for _, number, _ in rows]))
    for document, number, data in rows:
        for name in unpacked(data):
            yield document, sections[number][name.section][1], name


def _sections(connection: Connection, documents: str) -> dict[int, list[tuple[int, str]]]:
    """By document, number and id of each; the documents as JSON."""
    found: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    for document, *section in connection.execute(_SECTIONS, (documents,)):
        found[document].append((section[0], section[1]))
    return found
