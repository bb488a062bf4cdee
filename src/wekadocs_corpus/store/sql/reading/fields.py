"""Declared fields as the file has them: which there are, what chunks have, and conditions on them as SQL."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from wekadocs_corpus.fields import BeginsWith, Between, Field, FieldCondition, OneOf, Value, Values
from wekadocs_corpus.store.sql.connection import Connection

_NUMBER = "(SELECT number FROM fields WHERE project = ? AND name = ?)"
_HAVING = f"c.number IN (SELECT v.chunk FROM field_values AS v WHERE v.field = {_NUMBER} AND {{0}})"
_BEGINS = "v.value >= ? AND typeof(v.value) = 'text' AND substr(v.value, 1, ?) = ?"


def declared(connection: Connection, project: str) -> list[Field]:
    ask = "SELECT name, kind FROM fields WHERE project = ? ORDER BY name"
    return [Field(*row) for row in connection.execute(ask, (project,))]


def having(project: str, conditions: Iterable[FieldCondition]) -> tuple[str, list[object]]:
    """On `chunks AS c`, to stand behind other conditions: " AND …" and its values, nothing where nothing is asked."""
    parts = [(each.field, *_asked(each)) for each in conditions]
    text = "".join(f" AND {_HAVING.format(condition)}" for _, condition, _ in parts)
    return text, [value for field, _, values in parts for value in (project, field, *values)]


def _asked(condition: FieldCondition) -> tuple[str, list[object]]:
    match condition:
        case OneOf(_, values):
            return "v.value IN (SELECT value FROM json_each(?))", [json.dumps(values)]
        case Between(_, least, most):
            bounds = [(sign, bound) for sign, bound in ((">=", least), ("<=", most)) if bound is not None]
            text = "".join(f" AND v.value {sign} ?" for sign, _ in bounds)
            return f"typeof(v.value) <> 'text'{text}", [bound for _, bound in bounds]
        case BeginsWith(_, prefix):
            return _BEGINS, [prefix, len(prefix), prefix]


def beginning(connection: Connection, project: str, field: str, prefix: str) -> list[Value]:
    """The texts that chunks have there and that begin so."""
    ask = f"SELECT DISTINCT v.value FROM field_values AS v WHERE v.field = {_NUMBER} AND {_BEGINS}"
    return [row[0] for row in connection.execute(ask, (project, field, prefix, len(prefix), prefix))]


def of_documents(connection: Connection, documents: Sequence[str]) -> dict[str, Values]:
    """By chunk, where a chunk has any."""
    if connection.execute("SELECT 1 FROM field_values LIMIT 1").fetchone() is None:
        return {}
    ask = (
        "SELECT c.id, f.name, v.value FROM json_each(?) AS wanted CROSS JOIN documents AS d ON d.id = wanted.value "
        "CROSS JOIN chunks AS c ON c.document = d.number CROSS JOIN field_values AS v ON v.chunk = c.number "
        "CROSS JOIN fields AS f ON f.number = v.field ORDER BY c.number, f.name, v.value"
    )
    return _grouped(connection.execute(ask, (json.dumps(list(documents)),)))


def of_chunks(connection: Connection, chunks: Sequence[str]) -> dict[str, Values]:
    ask = (
        "SELECT c.id, f.name, v.value FROM json_each(?) AS wanted "
        "CROSS JOIN chunks AS c ON c.digest = id_key(wanted.value) "
        "CROSS JOIN field_values AS v ON v.chunk = c.number "
        "CROSS JOIN fields AS f ON f.number = v.field ORDER BY c.number, f.name, v.value"
    )
    return _grouped(connection.execute(ask, (json.dumps(list(chunks)),)))


def _grouped(rows: Iterable[tuple[str, str, Value]]) -> dict[str, Values]:
    found: dict[str, list[tuple[str, Value]]] = {}
    for chunk, name, value in rows:
        found.setdefault(chunk, []).append((name, value))
    return {chunk: tuple(values) for chunk, values in found.items()}
