"""What ties a section to others, from the truth's tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wekadocs_corpus.graph.ties import End, Tie
from wekadocs_corpus.model import Scope
from wekadocs_corpus.store.sql.connection import Connection, Question
from wekadocs_corpus.store.writing.nodes import TYPE, TYPES

from . import sql
from .step import numbered, questions_of_step

DEFINES, MENTIONS = TYPE["DEFINES"], TYPE["MENTIONS"]


def questions_of_ties(connection: Connection, seeds: Sequence[str], scope: Scope, max_spread: int) -> list[Question]:
    """What `ties_of` asks first, and links between the same nodes."""
    values: dict[str, Any] = {**sql.scope_values(scope), "most": max_spread + 1}
    known = numbered(connection, seeds)
    nodes = [known[seed].node for seed in seeds if seed in known and known[seed].kind != "Chunk"]
    links = questions_of_step(known, seeds, ("REFERENCES",), "both", scope, chunks=False)
    return [*((sql.TIED, values | {"node": node}) for node in nodes), *(question for *_, question in links)]


def ties_of(connection: Connection, seeds: Sequence[str], scope: Scope, max_spread: int, *, shares: bool) -> list[Tie]:
    values: dict[str, Any] = {**sql.scope_values(scope), "most": max_spread + 1}
    known = numbered(connection, seeds)
    nodes = {seed: known[seed].node for seed in seeds if seed in known and known[seed].kind != "Chunk"}
    answers = connection.ask_all([(sql.TIED, values | {"node": node}) for node in nodes.values()])
    tied = [(seed, *row) for seed, rows in zip(nodes, answers, strict=True) for row in rows.fetchall()]
    ends = _ends(connection, values, tied, shares=shares)
    return [
        Tie(
            *(seed, document, entity, label, TYPES[number], weight, ends[node, DEFINES]),
            ends[node, MENTIONS] if shares or number == DEFINES else (),
        )
        for seed, document, entity, node, label, number, weight in tied
    ]


def _ends(
    connection: Connection, values: dict[str, Any], tied: Sequence[tuple[Any, ...]], *, shares: bool
) -> dict[tuple[int, int], tuple[End, ...]]:
    """By entity and kind: seeds that lie together name the same things."""
    wanted = dict.fromkeys((row[3], DEFINES) for row in tied)
    wanted |= dict.fromkeys((row[3], MENTIONS) for row in tied if shares or row[5] == DEFINES)
    asked = [(sql.TIED_ENDS, values | {"node": node, "type": kind}) for node, kind in wanted]
    answers = connection.ask_all(asked)
    return {key: tuple(End(*row) for row in rows) for key, rows in zip(wanted, answers, strict=True)}
