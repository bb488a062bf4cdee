"""One step of a walk over the truth's tables: the edges of some nodes, in and out.

What a section states is also said by that of its chunks where it stands, and shows from both ends: a search finds
chunks. A section that is referred to begins with a chunk, which is referred to as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from wekadocs_corpus.graph.interface import FAN_OUT, LENT, STATED, TOGETHER, Direction, Relation, directed
from wekadocs_corpus.graph.walk import Step
from wekadocs_corpus.model import Scope
from wekadocs_corpus.store.sql.connection import Connection, Question
from wekadocs_corpus.store.writing.nodes import TYPE

from . import sql

Values = dict[str, Any]


class Known(NamedTuple):
    """What an id is, the node whose edges it has (a chunk has its section's), and which part of that it is."""

    kind: str
    node: int
    start: int
    end: int
    first: bool

    @property
    def values(self) -> Values:
        return {"node": self.node, "start": self.start, "end": self.end, "first": int(self.first)}


def step(
    connection: Connection,
    ids: Sequence[str],
    types: Sequence[str],
    direction: Direction,
    scope: Scope,
    *,
    chunks: bool = True,
    most: int = FAN_OUT,
) -> Step:
    """The nodes asked for must be visible; then so is every end that comes back.

    Without `chunks` only what documents and sections state.
    """
    found: dict[Relation, None] = {}
    cut = False
    asked = questions_of_step(numbered(connection, ids), ids, types, direction, scope, chunks=chunks, most=most)
    answers = connection.ask_all([question for *_, question in asked])
    for (each, way, kind, _), rows in zip(asked, answers, strict=True):
        ends = [row[0] for row in rows]
        cut |= len(ends) > most
        for end in ends[:most]:
            found[directed(each, kind, end, way)] = None
    return Step(tuple(found), cut)


def questions_of_step(
    known: Mapping[str, Known],
    ids: Sequence[str],
    types: Sequence[str],
    direction: Direction,
    scope: Scope,
    *,
    chunks: bool = True,
    most: int = FAN_OUT,
) -> list[tuple[str, str, str, Question]]:
    """Node, way and type, each with what finds the other ends."""
    values: Values = {**sql.scope_values(scope), "most": most + 1}
    ways = ("out", "in") if direction == "both" else (direction,)
    return [
        (each, way, kind, (statement, values | known[each].values | {"id": each, "type": TYPE.get(kind)}))
        for each in ids
        if each in known
        for way in ways
        for kind in types
        if (statement := _statement(known[each].kind, way, kind, chunks=chunks))
    ]


def questions_of_kinds(ids: Iterable[str]) -> list[Question]:
    asked = {"ids": json.dumps(list(ids))}
    return [(statement, asked) for statement in sql.KINDS]


def numbered(connection: Connection, ids: Iterable[str]) -> dict[str, Known]:
    answers = connection.ask_all(questions_of_kinds(ids))
    return {each: Known(*what) for rows in answers for each, *what in rows}


def _statement(label: str, way: str, kind: str, *, chunks: bool) -> str:
    """What finds the other ends of a node with this label; "" when it can have none."""
    if kind == TOGETHER:
        return sql.CO_MENTIONED if label == "Entity" else ""
    if kind not in (*STATED, "REFERENCES"):
        return sql.HIERARCHY_STEPS.get((label, way, kind), "")
    if label == "Chunk":
        return sql.CHUNK_STEPS.get((way, kind), "")
    if kind == "REFERENCES":
        return "" if label == "Entity" else _stating(kind, chunks) if way == "in" else _referred(chunks)
    return sql.STATED_OUT if way == "out" else _stating(kind, chunks) if label == "Entity" else ""


def _stating(kind: str, chunks: bool) -> str:
    return sql.STATED_IN_CHUNKS if chunks and kind in LENT else sql.STATED_IN


def _referred(chunks: bool) -> str:
    return sql.REFERENCES_OUT_CHUNKS if chunks else sql.REFERENCES_OUT
