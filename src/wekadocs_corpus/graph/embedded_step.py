"""One step of a walk over the truth's tables: the edges of some nodes, in and out."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from wekadocs_corpus.model import Scope

from . import embedded_sql as sql
from .interface import FAN_OUT, LENT, STATED, TOGETHER, Direction, Relation, directed
from .walk import Step

Values = dict[str, Any]


def step(
    connection: sqlite3.Connection, ids: Sequence[str], types: Sequence[str], direction: Direction, scope: Scope
) -> Step:
    """The nodes asked for must be visible; then so is every end that comes back."""
    values: Values = dict(sql.scope_values(scope))
    kinds: dict[str, str] = {}
    for statement in sql.KINDS:
        kinds.update(connection.execute(statement, {"ids": json.dumps(ids)}))
    sections = dict(connection.execute(sql.SECTION_OF, {"ids": json.dumps(ids)}))
    found: dict[Relation, None] = {}
    cut = False
    for each in ids:
        for way in ("out", "in") if direction == "both" else (direction,):
            for kind in types:
                lends = kind in LENT and each in sections
                asked = values | {"id": sections[each] if lends else each, "type": kind}
                label = "Section" if lends else kinds.get(each, "Entity")
                ends = list(_ends(connection, label, way, kind, asked))
                cut |= len(ends) > FAN_OUT
                for end in ends[:FAN_OUT]:
                    found[directed(each, kind, end, way)] = None
    return Step(tuple(found), cut)


def _ends(connection: sqlite3.Connection, label: str, way: str, kind: str, values: Values) -> Iterator[str]:
    statement = _statement(label, way, kind)
    if statement:
        yield from (row[0] for row in connection.execute(statement, values))


def _statement(label: str, way: str, kind: str) -> str:
    """What finds the other ends of a node with this label; "" when it can have none."""
    if kind == TOGETHER:
        return sql.CO_MENTIONED if label == "Entity" else ""
    if label == "Chunk" or kind not in (*STATED, "REFERENCES"):
        return sql.HIERARCHY_STEPS.get((label, way, kind), "")
    if kind == "REFERENCES":
        return "" if label == "Entity" else sql.STATED_IN if way == "in" else sql.REFERENCES_OUT
    return sql.STATED_OUT if way == "out" else sql.STATED_IN if label == "Entity" else ""
