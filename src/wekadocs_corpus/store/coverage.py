"""Which of a question's terms stand where, read from the sparse vectors the truth keeps."""

from __future__ import annotations

import json
import sqlite3
import struct
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from wekadocs_corpus.model import Filters, Scope

from .filtering import allowed

_FIRST_CHUNKS = 40  # of a document that is named as a whole
_AMONG = "IN (SELECT value FROM json_each(?))"
_OVERLAP = 'c.document_id = s.document_id AND c."start" < s."end" AND c."end" > s."start"'
_BODY = "c.kind <> 'front_matter'"


@dataclass(frozen=True, slots=True)
class Coverage:
    """A chunk, the node it was asked for by, and the question's terms it has."""

    node_id: str
    chunk_id: str
    document_id: str
    terms: frozenset[int]


def of_chunks(connection: sqlite3.Connection, chunk_ids: Sequence[str], terms: Collection[int]) -> list[Coverage]:
    """One row for every section and for the document of each chunk."""
    ids = json.dumps(list(chunk_ids))
    rows = connection.execute(
        f"SELECT s.id, c.id, c.document_id, c.terms FROM chunks c JOIN sections s ON {_OVERLAP} WHERE c.id {_AMONG} "
        f"UNION ALL SELECT c.document_id, c.id, c.document_id, c.terms FROM chunks c WHERE c.id {_AMONG}",
        (ids, ids),
    )
    return _covered(rows.fetchall(), terms)


def of_nodes(
    connection: sqlite3.Connection, nodes: Sequence[str], terms: Collection[int], scope: Scope, filters: Filters
) -> list[Coverage]:
    """The chunks of these sections and documents that scope and filters let through, in the order of their text."""
    ids = json.dumps(list(nodes))
    condition, values = allowed(scope, filters)
    inside = f"JOIN documents d ON d.id = c.document_id WHERE {condition} AND {_BODY}"
    rows = connection.execute(
        f"SELECT s.id, c.id, c.document_id, c.terms, c.ordinal FROM sections s JOIN chunks c ON {_OVERLAP} {inside} "
        f"AND s.id {_AMONG} UNION ALL SELECT d.id, c.id, c.document_id, c.terms, c.ordinal FROM chunks c {inside} "
        f"AND d.id {_AMONG} AND c.ordinal < {_FIRST_CHUNKS} ORDER BY 3, 5",
        (*values, ids, *values, ids),
    )
    return _covered(rows.fetchall(), terms)


def _covered(rows: Sequence[tuple[str, str, str, bytes]], terms: Collection[int]) -> list[Coverage]:
    asked = frozenset(terms)
    return [Coverage(row[0], row[1], row[2], asked.intersection(_ids(row[3]))) for row in rows]


def _ids(packed: bytes) -> tuple[int, ...]:
    """A packed vector begins with its term ids; as many bytes of weights follow."""
    return struct.unpack_from(f"<{len(packed) // 8}I", packed)
