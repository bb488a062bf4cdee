"""One step of a walk over the truth's tables: the edges of some nodes, in and out."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from wekadocs_corpus.model import Scope

from . import embedded_sql as sql
from .interface import FAN_OUT, STATED, Direction, Relation
from .link_targets import documents_of, spellings
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
    found: dict[Relation, None] = {}
    cut = False
    for each in ids:
        for way in ("out", "in") if direction == "both" else (direction,):
            for kind in types:
                ends = list(
                    _ends(connection, kinds.get(each, "Entity"), way, kind, values | {"id": each, "type": kind})
                )
                cut |= len(ends) > FAN_OUT
                for end in ends[:FAN_OUT]:
                    found[Relation(each, kind, end) if way == "out" else Relation(end, kind, each)] = None
    return Step(tuple(found), cut)


def _ends(connection: sqlite3.Connection, label: str, way: str, kind: str, values: Values) -> Iterator[str]:
    if kind in STATED:
        if label != "Chunk" and (way == "out" or label == "Entity"):
            statement = sql.STATED_OUT if way == "out" else sql.STATED_IN
            yield from (row[0] for row in connection.execute(statement, values))
    elif kind == "REFERENCES":
        if label == "Section" and way == "out":
            yield from _linked(connection, values)
        elif label in ("Section", "Document") and way == "in":
            yield from _linking(connection, label, values)
    elif statement := sql.HIERARCHY_STEPS.get((label, way, kind), ""):
        yield from (row[0] for row in connection.execute(statement, values))


def _linked(connection: sqlite3.Connection, values: Values) -> list[str]:
    """Where a section's links lead, as far as it is ingested and in scope."""
    found: set[str] = set()
    for path, anchor, repository in connection.execute(sql.LINKS_OF, values).fetchall():
        target = values | {"paths": json.dumps(documents_of(path)), "repository": repository}
        for (document,) in connection.execute(sql.LINKED_DOCUMENTS, target).fetchall():
            section = connection.execute(sql.ANCHORED, {"id": document, "anchor": anchor}).fetchone()
            found.add(section[0] if section else document)
    return sorted(found)[: FAN_OUT + 1]


def _linking(connection: sqlite3.Connection, label: str, values: Values) -> Iterator[str]:
    place = connection.execute(sql.PLACE, values).fetchone()
    if place and (label == "Document" or place[2]):
        path, repository, anchor = place
        target = values | {"paths": json.dumps(spellings(path)), "repository": repository, "anchor": anchor}
        statement = sql.LINKING_TO_DOCUMENT if label == "Document" else sql.LINKING_TO_SECTION
        yield from (row[0] for row in connection.execute(statement, target))
