"""A chunk as an index takes it: its sparse and its dense vector, and what a scope can ask of its document."""

from __future__ import annotations

import json
from collections.abc import Sequence

from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.truth.rows import IndexRow

from . import fields

_TAGS = (
    "SELECT d.id, o.tag FROM json_each(?) AS wanted CROSS JOIN documents AS d ON d.id = wanted.value "
    "CROSS JOIN other_tags AS o ON o.document = d.number"
)


def rows_of(connection: Connection, documents: Sequence[str], model: str) -> list[IndexRow]:
    """The chunks of these documents, without a vector where this model has not embedded them yet."""
    ask = (
        "SELECT c.id, d.id, terms, vector, environment, repository, doc_tag, d.path, updated_at "
        "FROM json_each(?) AS wanted JOIN documents AS d ON d.id = wanted.value "
        "JOIN chunks AS c ON c.document = d.number "
        "LEFT JOIN embeddings AS e ON e.model = (SELECT number FROM models WHERE name = ?) "
        "AND e.embedded_hash = c.embedded_hash ORDER BY d.id, ordinal"
    )
    wanted, tags = json.dumps(list(documents)), dict[str, list[str]]()
    for document, tag in connection.execute(_TAGS, (wanted,)):
        tags.setdefault(document, []).append(tag)
    values = fields.of_documents(connection, documents)
    rows = connection.execute(ask, (wanted, model))
    return [IndexRow(*(*row, tuple(tags.get(row[1], ())), values.get(row[0], ()))) for row in rows]


def chunks_after(connection: Connection, sequence: int, project: str, most: int) -> int:
    """How many chunks the documents have that changed after this number, one for each that is gone; up to `most`."""
    ask = (
        "SELECT count(*) FROM (SELECT 1 FROM changes AS g LEFT JOIN documents AS d ON d.id = g.document_id "
        "LEFT JOIN chunks AS c ON c.document = d.number WHERE g.sequence > ? AND g.project = ? LIMIT ?) AS changed"
    )
    return int(connection.execute(ask, (sequence, project, most)).fetchone()[0])


def chunk_count(connection: Connection, project: str) -> int:
    """Of a project, those that have words."""
    row = connection.execute("SELECT chunks FROM projects WHERE name = ?", (project,)).fetchone()
    return int(row[0]) if row else 0
