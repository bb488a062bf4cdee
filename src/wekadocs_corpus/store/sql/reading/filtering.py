"""Scope and filters as SQL: the one place that says which documents a question may see."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wekadocs_corpus.model import Filters, Scope
from wekadocs_corpus.store.sql.connection import Connection, Question

from .fields import having

if TYPE_CHECKING:
    import numpy as np

_AMONG = "IN (SELECT value FROM json_each(?))"
_TAGGED = (
    f"(d.doc_tag {_AMONG} OR EXISTS (SELECT 1 FROM other_tags AS o WHERE o.document = d.number AND o.tag {_AMONG}))"
)


def allowed(scope: Scope, filters: Filters) -> tuple[str, list[object]]:
    """A condition on `documents AS d`, and its values; of declared fields nothing, which are the chunks'."""
    wanted: list[tuple[str, list[object]]] = [
        ("d.project = ? AND d.environment = ?", [scope.project_id, scope.environment])
    ]
    for tags in filter(None, (scope.doc_tags, filters.doc_tags)):
        wanted.append((_TAGGED, [json.dumps(list(tags))] * 2))
    if scope.repositories:
        wanted.append((f"d.repository {_AMONG}", [json.dumps(list(scope.repositories))]))
    if filters.path_prefix:
        wanted.append(("substr(d.path, 1, ?) = ?", [len(filters.path_prefix), filters.path_prefix]))
    if filters.updated_after is not None:
        wanted.append(("d.updated_at > ?", [filters.updated_after]))
    return " AND ".join(text for text, _ in wanted), [value for _, values in wanted for value in values]


def allowed_chunks(scope: Scope, filters: Filters) -> tuple[str, list[object]]:
    """The same with what is asked of `chunks AS c`."""
    condition, values = allowed(scope, filters)
    more, wanted = having(scope.project_id, filters.fields) if filters.fields else ("", [])
    return condition + more, values + wanted


def documents_of(connection: Connection, chunk_ids: Sequence[str], scope: Scope, filters: Filters) -> dict[str, str]:
    """Which of these chunks the truth has inside the scope, each with its document.

    An index that lags behind may still know a chunk under the document's old tag, or one that is gone.
    """
    return dict(connection.execute(*question_of_documents(chunk_ids, scope, filters)).fetchall())


def question_of_documents(chunk_ids: Sequence[str], scope: Scope, filters: Filters) -> Question:
    condition, values = allowed_chunks(scope, filters)
    ask = (
        "SELECT c.id, d.id FROM json_each(?) AS wanted CROSS JOIN chunks AS c ON c.digest = id_key(wanted.value) "
        f"CROSS JOIN documents AS d ON d.number = c.document WHERE {condition}"
    )
    return ask, (json.dumps(list(chunk_ids)), *values)


def question_of_allowed(scope: Scope, filters: Filters) -> Question:
    """All documents that a question may see."""
    condition, values = allowed(scope, filters)
    return f"SELECT d.id FROM documents AS d WHERE {condition}", tuple(values)


def chunks_named(connection: Connection, digests: Sequence[str]) -> dict[str, str]:
    ask = "SELECT name FROM chunks WHERE digest = ?"
    found = {each: connection.execute(ask, (b"\0" + bytes.fromhex(each),)).fetchone() for each in digests}
    return {each: row[0] for each, row in found.items() if row}


def documents_under(connection: Connection, scope: Scope, path_prefix: str) -> list[str]:
    """The documents of the scope whose path begins so."""
    condition, values = allowed(scope, Filters(path_prefix=path_prefix))
    return [row[0] for row in connection.execute(f"SELECT d.id FROM documents AS d WHERE {condition}", values)]


def documents_at(connection: Connection, scope: Scope, path: str) -> list[str]:
    """The documents of the scope that have this path."""
    condition, values = allowed(scope, Filters())
    ask = f"SELECT d.id FROM documents AS d WHERE {condition} AND d.path = ? ORDER BY d.id"
    return [row[0] for row in connection.execute(ask, (*values, path))]


def paths(connection: Connection, scope: Scope, beginning: str, most: int) -> list[str]:
    """Paths of the scope that begin so, in order."""
    condition, values = allowed(scope, Filters(path_prefix=beginning))
    ask = f"SELECT DISTINCT d.path FROM documents AS d WHERE {condition} ORDER BY d.path LIMIT ?"
    return [row[0] for row in connection.execute(ask, (*values, most))]


def chunk_flags(connection: Connection, scope: Scope, filters: Filters) -> np.ndarray:
    """A flag for each chunk number: whether the scope has it."""
    import numpy as np

    condition, values = allowed_chunks(scope, filters)
    ask = "SELECT c.number FROM documents AS d CROSS JOIN chunks AS c ON c.document = d.number"
    last = connection.execute("SELECT coalesce(max(number), 0) FROM chunks").fetchone()[0]
    flags = np.zeros(last + 1, bool)
    flags[[row[0] for row in connection.execute(f"{ask} WHERE {condition}", values)]] = True
    return flags
