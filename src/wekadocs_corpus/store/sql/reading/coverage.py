"""Which of a question's terms stand where, read from the sparse vectors the truth keeps."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence

from wekadocs_corpus.model import Filters, Scope
from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.truth.rows import Coverage
from wekadocs_corpus.store.writing.packing import term_ids

from .filtering import allowed_chunks
from .recent import Recent

FIRST_CHUNKS = 40  # of a document that is named as a whole


def of_chunks(
    connection: Connection, chunk_ids: Sequence[str], terms: Collection[int], recent: Recent
) -> list[Coverage]:
    """Two rows for each chunk: for its section and for its document."""
    rows = recent.terms(connection, chunk_ids)
    return covered([each for row in rows for each in (row, (row[2], *row[1:]))], terms)


def of_nodes(
    connection: Connection, nodes: Iterable[str], terms: Collection[int], scope: Scope, filters: Filters
) -> list[Coverage]:
    """The chunks of these sections and documents that scope and filters let through, in the order of their text."""
    ids = json.dumps(list(dict.fromkeys(nodes)))
    condition, values = allowed_chunks(scope, filters)
    # The order of joins is given: SQLite would begin with every document of the project.
    found = "SELECT value, c.id, d.id, c.terms, c.ordinal FROM json_each(?) AS wanted CROSS JOIN"
    inside = f"{condition} AND c.kind <> 'front_matter'"
    rows = connection.execute(
        f"{found} sections AS s ON s.digest = id_key(wanted.value) CROSS JOIN chunks AS c ON c.section = s.number "
        f"CROSS JOIN documents AS d ON d.number = c.document WHERE {inside} UNION ALL "
        f"{found} documents AS d ON d.id = wanted.value CROSS JOIN chunks AS c "
        f"ON c.document = d.number AND c.ordinal < {FIRST_CHUNKS} WHERE {inside} ORDER BY 3, 5",
        (ids, *values, ids, *values),
    )
    return covered(rows.fetchall(), terms)


def covered(rows: Sequence[tuple[str, str, str, bytes]], terms: Collection[int]) -> list[Coverage]:
    asked = frozenset(terms)
    return [Coverage(row[0], row[1], row[2], asked.intersection(term_ids(row[3]))) for row in rows]
