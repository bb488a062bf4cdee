"""The sequence of changes that indexes follow: the row of what changed moves to its end."""

from __future__ import annotations

import json
from collections.abc import Iterable

from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.writing.packing import pack_hash

_PUT = "INSERT OR REPLACE INTO changes (document_id, project, deleted) VALUES (?, ?, ?)"


def record(connection: Connection, documents: Iterable[tuple[str, str]], *, deleted: bool = False) -> int:
    """(document id, project) of each; the number of the last change."""
    connection.put(_PUT, [(*each, int(deleted)) for each in documents])
    return int(connection.execute("SELECT coalesce(max(sequence), 0) FROM changes").fetchone()[0])


def record_numbers(connection: Connection, documents: Iterable[int]) -> None:
    """The same, by the numbers of the documents."""
    ask = (
        "SELECT id, project FROM documents WHERE number IN (SELECT CAST(value AS INTEGER) FROM json_each(?)) "
        "ORDER BY number"
    )
    if wanted := sorted(documents):
        record(connection, connection.execute(ask, (json.dumps(wanted),)).fetchall())


def record_having(connection: Connection, project: str, hashes: Iterable[str]) -> None:
    """Tell the project's indexes of every document that has one of these texts."""
    ask = "SELECT d.id FROM chunks JOIN documents AS d ON d.number = document WHERE embedded_hash = ? AND d.project = ?"
    found = {row[0] for name in hashes for row in connection.execute(ask, (pack_hash(name), project))}
    if found:
        record(connection, [(document_id, project) for document_id in sorted(found)])
