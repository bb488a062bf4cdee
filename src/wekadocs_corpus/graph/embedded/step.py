"""One step of a walk over the truth's tables: the edges of some nodes, in and out.

What a section states is also said by that of its chunks where it stands, and shows from both ends: a search finds
chunks. A section that is referred to begins with a chunk, which is referred to as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from wekadocs_corpus.graph.interface import FAN_OUT, LENT, STATED, TOGETHER, Direction, Relation, directed
from wekadocs_corpus.graph.walk import Step
from wekadocs_corpus.model import Scope
from wekadocs_corpus.store.sql.connection import Connection
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
    values: Values = {**sql.scope_values(scope), "most": most + 1}
    known = numbered(connection, ids)
    found: dict[Relation, None] = {}
    cut = False
    for each in ids:
        if each not in known:
            continue
        own = known[each]
        for way in ("out", "in") if direction == "both" else (direction,):
            for kind in types:
                asked = values | own.values | {"id": each, "type": TYPE.get(kind)}
                ends = list(_ends(connection, _statement(own.kind, way, kind, chunks=chunks), asked))
                cut |= len(ends) > most
                for end in ends[:most]:
                    found[directed(each, kind, end, way)] = None
    return Step(tuple(found), cut)


def numbered(connection: Connection, ids: Iterable[str]) -> dict[str, Known]:
    asked = {"ids": json.dumps(list(ids))}
    rows = (row for statement in sql.KINDS for row in connection.execute(statement, asked))
    return {each: Known(*what) for each, *what in rows}


def _ends(connection: Connection, statement: str, values: Values) -> Iterator[str]:
    if statement:
        yield from (row[0] for row in connection.execute(statement, values))


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
