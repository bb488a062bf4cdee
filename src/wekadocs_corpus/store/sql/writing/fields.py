"""Declared fields into the file, inside a transaction that the caller holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wekadocs_corpus.fields import Field, Unfit, Value, check_field, check_value
from wekadocs_corpus.store.errors import Refused
from wekadocs_corpus.store.sql.connection import Connection


def declare(connection: Connection, project: str, fields: Iterable[Field]) -> None:
    """What is declared stays, with its kind: values of it may be stored."""
    for field in fields:
        try:
            check_field(field)
        except Unfit as problem:
            raise Refused(f"{problem}; nothing was declared") from None
        put = "INSERT OR IGNORE INTO fields (project, name, kind) VALUES (?, ?, ?)"
        connection.execute(put, (project, *field))
        ask = "SELECT kind FROM fields WHERE project = ? AND name = ?"
        (kind,) = connection.execute(ask, (project, field.name)).fetchone()
        if kind != field.kind:
            raise Refused(f"field {field.name} of project {project} is {kind}, not {field.kind}; choose another name")


def put(connection: Connection, project: str, first: int, values: Sequence[tuple[int, str, Value]]) -> None:
    """(place of the chunk, field, value); `first` is the number of the first chunk. Raises Unfit."""
    ask = "SELECT name, number, kind FROM fields WHERE project = ?"
    known = {row[0]: row for row in connection.execute(ask, (project,))}
    for _, name, value in values:
        if name not in known:
            raise Unfit(f"field {name[:80]!r} is not declared for project {project}")
        check_value(Field(name, known[name][2]), value)
    rows = [(known[name][1], connection.field_value(value), first + place) for place, name, value in values]
    connection.executemany("INSERT OR IGNORE INTO field_values VALUES (?, ?, ?)", rows)
