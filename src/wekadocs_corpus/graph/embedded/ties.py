"""What ties a section to others, from the truth's tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from wekadocs_corpus.graph.ties import End, Tie
from wekadocs_corpus.model import Scope
from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.writing.nodes import TYPE, TYPES

from . import sql
from .step import numbered


def ties_of(connection: Connection, seeds: Sequence[str], scope: Scope, max_spread: int, *, shares: bool) -> list[Tie]:
    values: dict[str, Any] = {**sql.scope_values(scope), "most": max_spread + 1}

    @lru_cache(None)  # seeds that lie together name the same things
    def ends(entity: int, kind: str) -> tuple[End, ...]:
        asked = values | {"node": entity, "type": TYPE[kind]}
        return tuple(End(*row) for row in connection.execute(sql.TIED_ENDS, asked))

    def tie(seed: str, document: str, entity: str, node: int, label: str, number: int, weight: float) -> Tie:
        kind = TYPES[number]
        mentioners = ends(node, "MENTIONS") if shares or kind == "DEFINES" else ()
        return Tie(seed, document, entity, label, kind, weight, ends(node, "DEFINES"), mentioners)

    nodes = {seed: own.node for seed, own in numbered(connection, seeds).items() if own.kind != "Chunk"}
    return [
        tie(seed, *row)
        for seed in seeds
        if seed in nodes
        for row in connection.execute(sql.TIED, values | {"node": nodes[seed]}).fetchall()
    ]
