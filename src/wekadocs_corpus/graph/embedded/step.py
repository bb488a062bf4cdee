"""One step of a walk over the truth's tables: the edges of some nodes, in and out."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from wekadocs_corpus.graph.interface import FAN_OUT, LENT, STATED, TOGETHER, Direction, Relation, directed
from wekadocs_corpus.graph.walk import Step
from wekadocs_corpus.model import Scope
from wekadocs_corpus.store.writing.nodes import TYPE

from . import sql

Values = dict[str, Any]


def step(
    connection: sqlite3.Connection, ids: Sequence[str], types: Sequence[str], direction: Direction, scope: Scope
) -> Step:
    """The nodes asked for must be visible; then so is every end that comes back."""
    values: Values = dict(sql.scope_values(scope))
    known = numbered(connection, ids)
    found: dict[Relation, None] = {}
    cut = False
    for each in ids:
        own, number = known.get(each, ("", None))
        for way in ("out", "in") if direction == "both" else (direction,):
            for kind in types:
                label = "Section" if kind in LENT and own == "Chunk" else own
                asked = values | {"id": each, "node": number, "type": TYPE.get(kind)}
                ends = list(_ends(connection, label, way, kind, asked))
                cut |= len(ends) > FAN_OUT
                for end in ends[:FAN_OUT]:
                    found[directed(each, kind, end, way)] = None
    return Step(tuple(found), cut)


def numbered(connection: sqlite3.Connection, ids: Iterable[str]) -> dict[str, tuple[str, int]]:
    """What each id is, and the node whose edges it has: a chunk has those of its section."""
    asked = {"ids": json.dumps(list(ids))}
    rows = (row for statement in sql.KINDS for row in connection.execute(statement, asked))
    return {each: (kind, node) for each, kind, node in rows}


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
