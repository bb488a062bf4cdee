"""Declared fields into the file, inside a transaction that the caller holds."""

from __future__ import annotations

import json
from collections import defaultdict
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


class Declared:
    """What may be stored of each of these projects."""

    def __init__(self, connection: Connection, projects: Iterable[str]) -> None:
        self._connection = connection
        ask = "SELECT project, name, number, kind FROM fields WHERE project IN (SELECT value FROM json_each(?))"
        self._known: defaultdict[str, dict[str, tuple[int, Field]]] = defaultdict(dict)
        for project, name, number, kind in connection.execute(ask, (json.dumps([*projects]),)):
            self._known[project][name] = number, Field(name, kind)

    def put(self, project: str, first: int, values: Sequence[tuple[int, str, Value]]) -> None:
        """(place of the chunk, field, value); `first` is the number of the first chunk. Raises Unfit."""
        known = self._known[project]
        for _, name, value in values:
            if name not in known:
                raise Unfit(f"field {name[:80]!r} is not declared for project {project}")
            check_value(known[name][1], value)
        stored = self._connection.field_value
        rows = [(known[name][0], stored(value), first + place) for place, name, value in values]
        self._connection.put("INSERT OR IGNORE INTO field_values VALUES (?, ?, ?)", rows)
