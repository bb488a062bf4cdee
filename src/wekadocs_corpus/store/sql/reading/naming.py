"""Where a concept is named, whether or not any document defines it: read from the names that wait, see
writing/names.py."""

from __future__ import annotations

from wekadocs_corpus.graph.embedded.sql import DOCUMENT_IN_SCOPE, scope_values
from wekadocs_corpus.model import Scope
from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.truth.rows import Naming
from wekadocs_corpus.store.writing.names import named, short

DOCUMENTS = f"""SELECT d.number, d.id FROM name_places p CROSS JOIN documents d ON d.number = p.document
 WHERE p.concept = :concept AND {DOCUMENT_IN_SCOPE} LIMIT :most"""
_SECTION = "SELECT id FROM sections WHERE document = ? ORDER BY number LIMIT 1 OFFSET ?"


def sections(connection: Connection, concept: str, scope: Scope, most: int) -> list[Naming]:
    """None if more documents than that name it, or no two do."""
    values = scope_values(scope) | {"concept": short(concept), "most": most + 1}
    documents = connection.execute(DOCUMENTS, values).fetchall()
    if not 1 < len(documents) <= most:
        return []
    found = []
    for number, document in documents:
        row = connection.execute("SELECT packed FROM names WHERE document = ?", (number,)).fetchone()
        for name in named(row[0], concept):
            (section,) = connection.execute(_SECTION, (number, name.section)).fetchone()
            found.append(Naming(concept, section, document))
    return found
