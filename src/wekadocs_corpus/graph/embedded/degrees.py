# ruff: noqa: S608 (no value is ever put into these texts)
"""How many edges nodes have, and which have most: counted in the truth's tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from wekadocs_corpus.graph.interface import LENT, Degree
from wekadocs_corpus.model import Scope
from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.writing.nodes import SECTION, TYPE

from . import sql
from .step import numbered

_LINKED = f"""edges e JOIN documents d ON d.number = e.document JOIN documents t ON t.number = CASE e.target & 3
 WHEN {SECTION} THEN (SELECT s.document FROM sections s WHERE s.number = e.target >> 2) ELSE e.target >> 2 END"""
_BOTH_IN_SCOPE = f"{sql.DOCUMENT_IN_SCOPE} AND {sql.in_scope('t')}"
_STATED = f"{sql.STATED_EDGES} {sql.TO_ENTITY}"
_DEFINED = f"{sql.DOCUMENT_IN_SCOPE} AND {sql.DEFINED}"
_NEAR: Final = {"in": "target", "out": "source"}
_FAR: Final = {"in": "source", "out": "target"}


def degrees(connection: Connection, ids: Sequence[str], types: Sequence[str], scope: Scope) -> list[Degree]:
    """Of nodes that may be seen."""
    values, known = sql.scope_values(scope), numbered(connection, ids)

    def count(each: str, way: str) -> int:
        own = known[each]
        chunk = own.kind == "Chunk"
        return sum(
            connection.execute(_count(name, way, chunk), {**values, **own.values, "type": TYPE[name]}).fetchone()[0]
            for name in types
            if not chunk or (name in LENT if way == "out" else name == "REFERENCES" and own.first)
        )

    return [Degree(each, count(each, "in"), count(each, "out")) for each in ids if each in known]


def hubs(connection: Connection, types: Sequence[str], direction: str, scope: Scope) -> Iterator[tuple[str, int]]:
    """Ids with most edges first; whether each may be seen is still to be looked at."""
    parts = " UNION ALL ".join(_grouped(name, direction) for name in types)
    statement = f"""SELECT {sql.ID.format("node")} AS id, SUM(edges) FROM ({parts}) AS counted
 GROUP BY node ORDER BY 2 DESC, 1"""
    yield from connection.execute(statement, sql.scope_values(scope))


def _source(name: str) -> tuple[str, str]:
    """The tables of a type's edges, and which of them may be seen."""
    return (_LINKED, _BOTH_IN_SCOPE) if name == "REFERENCES" else (_STATED, _DEFINED)


def _count(name: str, way: str, chunk: bool) -> str:
    tables, seen = _source(name)
    there = sql.IN_CHUNK if chunk and way == "out" else ""
    return f"""SELECT COUNT(DISTINCT e.{_FAR[way]}) FROM {tables}
 WHERE e.{_NEAR[way]} = :node AND e.type = :type AND {seen} {there}"""


def _grouped(name: str, way: str) -> str:
    tables, seen = _source(name)
    near, far = _NEAR[way], _FAR[way]
    return f"""SELECT e.{near} AS node, COUNT(DISTINCT e.{far}) AS edges FROM {tables}
 WHERE e.type = {TYPE[name]} AND {seen} GROUP BY e.{near}"""
