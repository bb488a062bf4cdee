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


def put(connection: Connection, document: int, data: bytes, found: Sequence[Name]) -> None:
    """Keep the document's names."""
    if found:
        connection.execute("INSERT INTO names VALUES (?, ?)", (document, data))
        places = sorted({(short(name.concept), document) for name in found})
        connection.executemany("INSERT INTO name_places VALUES (?, ?)", places)


def take_out(connection: Connection, document: int) -> None:
    """Forget where the document's names stand; the rest goes with its row."""
    row = connection.execute("SELECT packed FROM names WHERE document = ?", (document,)).fetchone()
    if row is not None:
        places = sorted({(short(name.concept), document) for name in unpacked(row[0])})
        connection.executemany("DELETE FROM name_places WHERE concept = ? AND document = ?", places)


def join(connection: Connection, concepts: Mapping[str, int]) -> None:
    """Edges for all that waited for these concepts, which are defined for the first time; each with its number."""
    wanted: defaultdict[int, set[str]] = defaultdict(set)
    for concept in concepts:
        for (document,) in connection.execute("SELECT document FROM name_places WHERE concept = ?", (short(concept),)):
            wanted[document].add(concept)
    for document in sorted(wanted):
        data = connection.execute("SELECT packed FROM names WHERE document = ?", (document,)).fetchone()[0]
        found = [name for name in unpacked(data) if name.concept in wanted[document]]
        connect(connection, document, found, concepts)


def connect(connection: Connection, document: int, found: Iterable[Name], concepts: Mapping[str, int]) -> None:
    """Edges for those of the document's names whose concept has a number."""
    told = [name for name in found if name.concept in concepts]
    sections = _sections(connection, document) if told else []
    rows = []
    for name in told:
        number, section = sections[name.section]
        ends = (node(SECTION, number), MENTIONS, node(ENTITY, concepts[name.concept]))
        rows.append((*ends, document, rank(section), name.weight, pack_spans(name.evidence)))
    connection.executemany(_EDGE, rows)


def waiting(connection: Connection, document_ids: Iterable[str]) -> Iterator[tuple[str, str, Name]]:
    """All names of these documents, defined or not, each after its document and its section."""
    ask = (
        "SELECT d.id, d.number, packed FROM names JOIN documents AS d ON d.number = document "
        "WHERE d.id IN (SELECT value FROM json_each(?))"
    )
    for document, number, data in connection.execute(ask, (json.dumps(list(document_ids)),)).fetchall():
        sections = _sections(connection, number)
        for name in unpacked(data):
            yield document, sections[name.section][1], name


def _sections(connection: Connection, document: int) -> list[tuple[int, str]]:
    ask = "SELECT number, id FROM sections WHERE document = ? ORDER BY number"
    return connection.execute(ask, (document,)).fetchall()
