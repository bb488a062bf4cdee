"""The graph in the truth's own tables, read with SQL. Hierarchy, order and links are derived, never stored twice."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from typing import Any, Literal, TypeVar

from wekadocs_corpus import stopping
from wekadocs_corpus.graph.extraction.names import code_key, concept_key
from wekadocs_corpus.graph.interface import (
    FAN_OUT,
    FAN_OUT_ONCE,
    LINKS,
    MAX_HOPS,
    MAX_PAGE,
    MAX_PATH_HOPS,
    MAX_PATHS,
    Children,
    Degree,
    Direction,
    EntityMention,
    GraphUnavailable,
    Hub,
    Neighbourhood,
    Node,
    Paths,
    Related,
    SectionMention,
    checked,
    checked_counted,
    checked_ids,
    checked_types,
)
from wekadocs_corpus.graph.pages import neighbourhood, related
from wekadocs_corpus.graph.ties import crossings
from wekadocs_corpus.graph.walk import Step, around, paths
from wekadocs_corpus.model import Scope
from wekadocs_corpus.store.sql.connection import Connection, Question
from wekadocs_corpus.store.writing.nodes import TYPES
from wekadocs_corpus.store.writing.packing import unpack_spans

from . import sql
from .degrees import degrees, hubs
from .step import numbered, questions_of_kinds, step
from .ties import questions_of_ties, ties_of

T = TypeVar("T")
Values = dict[str, Any]
Connect = Callable[[], AbstractContextManager[Connection]]


class EmbeddedGraph:
    """Answers in a thread of its own; a cancelled or late question is interrupted."""

    in_truth = True

    def __init__(self, connect: Connect, *, seconds: float = 10.0) -> None:
        self._connect, self._seconds = connect, seconds

    async def describe(self, ids: Sequence[str], scope: Scope) -> list[Node]:
        wanted = checked_ids(ids)
        return await self._ask(lambda connection: _nodes(connection, wanted, scope))

    async def neighbours(
        self,
        ids: Sequence[str],
        scope: Scope,
        *,
        hops: int = 1,
        types: Collection[str] = (),
        direction: Direction = "both",
        limit: int = 25,
        skip: int = 0,
    ) -> Neighbourhood:
        wanted, allowed = checked_ids(ids), checked_types(types)
        checked("max_hops", hops, 1, MAX_HOPS)
        checked("page_size", limit, 1, MAX_PAGE)

        def work(connection: Connection) -> Neighbourhood:
            seeds = [node.id for node in _nodes(connection, wanted, scope)]
            most = FAN_OUT_ONCE if hops == 1 else FAN_OUT
            found = _drive(connection, around(seeds, hops, skip + limit + 1), allowed, direction, scope, most)
            return neighbourhood(found, skip, limit, lambda page: _nodes(connection, page, scope))

        return await self._ask(work)

    async def paths(
        self,
        a_ids: Sequence[str],
        b_ids: Sequence[str],
        scope: Scope,
        *,
        max_hops: int = 2,
        max_paths: int = 10,
        types: Collection[str] = (),
        direction: Direction = "both",
    ) -> Paths:
        sides, allowed = [checked_ids(a_ids), checked_ids(b_ids)], checked_types(types)
        checked("number of pairs", len(a_ids) * len(b_ids), 0, 400)
        checked("max_hops", max_hops, 1, MAX_PATH_HOPS)
        checked("max_paths", max_paths, 1, MAX_PATHS)

        def work(connection: Connection) -> Paths:
            a, b = ([node.id for node in _nodes(connection, side, scope)] for side in sides)
            return _drive(connection, paths(a, b, max_hops, max_paths, direction), allowed, "both", scope)

        return await self._ask(work)

    async def degrees(self, ids: Sequence[str], scope: Scope, *, types: Collection[str] = LINKS) -> list[Degree]:
        wanted, counted = checked_ids(ids), checked_counted(types)

        def work(connection: Connection) -> list[Degree]:
            seen = [node.id for node in _nodes(connection, wanted, scope)]
            return degrees(connection, seen, counted, scope)

        return await self._ask(work)

    async def hubs(
        self, scope: Scope, *, types: Collection[str] = LINKS, direction: Literal["in", "out"] = "in", limit: int = 10
    ) -> list[Hub]:
        counted = checked_counted(types)
        checked("limit", limit, 1, MAX_PAGE)

        def work(connection: Connection) -> list[Hub]:
            found = hubs(connection, counted, direction, scope)
            seen = (Hub(node, edges) for each, edges in found for node in _nodes(connection, [each], scope))
            return list(islice(seen, limit))

        return await self._ask(work)

    async def parents(self, ids: Sequence[str], scope: Scope) -> dict[str, Node]:
        wanted = checked_ids(ids)

        def work(connection: Connection) -> dict[str, Node]:
            seen = [node.id for node in _nodes(connection, wanted, scope)]
            above = dict(connection.execute(sql.PARENTS, {"ids": json.dumps(seen)}))
            nodes = {node.id: node for node in _nodes(connection, list(above.values()), scope)}
            return {child: nodes[above[child]] for child in seen if above.get(child) in nodes}

        return await self._ask(work)

    async def children(self, parent_id: str, scope: Scope, *, limit: int = 25, skip: int = 0) -> Children:
        checked("page_size", limit, 1, MAX_PAGE)

        def work(connection: Connection) -> Children:
            if not _nodes(connection, [parent_id], scope):
                return Children((), more=False)
            values = {"id": parent_id, "most": limit + 1, "skip": skip}
            found = [row[0] for row in connection.execute(sql.CHILDREN, values)]
            return Children(tuple(_nodes(connection, found[:limit], scope)), more=len(found) > limit)

        return await self._ask(work)

    async def entities_for_sections(
        self, ids: Sequence[str], scope: Scope, *, labels: Collection[str] = (), limit_each: int = 20
    ) -> list[EntityMention]:
        wanted = checked_ids(ids)
        values: Values = {
            **sql.scope_values(scope),
            "labels": json.dumps(sorted(labels)) if labels else None,
            "most": checked("max_per_section", limit_each, 1, MAX_PAGE + 1),
        }

        def work(connection: Connection) -> list[EntityMention]:
            known = numbered(connection, wanted)
            return [
                EntityMention(asked, Node(*row[3:]), TYPES[row[0]], row[1], _spans(row[2], own.start, own.end))
                for asked in wanted
                if (own := known.get(asked))
                for row in connection.execute(_entities_of(own.kind), values | own.values)
            ]

        return await self._ask(work)

    async def sections_for_entities(
        self, ids: Sequence[str], scope: Scope, *, limit_each: int = 20
    ) -> list[SectionMention]:
        wanted = checked_ids(ids)
        values = {**sql.scope_values(scope), "most": checked("max_per", limit_each, 1, MAX_PAGE + 1)}

        def work(connection: Connection) -> list[SectionMention]:
            known = numbered(connection, wanted)
            rows = [
                (entity.id, row)
                for entity in _nodes(connection, wanted, scope)
                for row in connection.execute(sql.CHUNKS_OF, values | {"node": known[entity.id].node})
            ]
            nodes = {node.id: node for node in _nodes(connection, [row[3] for _, row in rows], scope)}
            return [
                SectionMention(entity, nodes[row[3]], TYPES[row[0]], row[1], _spans(row[2], *row[4:]))
                for entity, row in rows
            ]

        return await self._ask(work)

    async def related_sections(
        self, ids: Sequence[str], scope: Scope, *, max_spread: int = 20, limit_each: int = 50, shares: bool = True
    ) -> list[Related]:
        wanted = checked_ids(ids)
        checked("max_spread", max_spread, 1, 100)
        checked("limit_each", limit_each, 1, MAX_PAGE)

        def work(connection: Connection) -> list[Related]:
            connection.expect([*questions_of_nodes(wanted, scope), *questions_of_kinds(wanted)])
            seeds = {node.id: node for node in _nodes(connection, wanted, scope)}
            connection.expect(questions_of_ties(connection, list(seeds), scope, max_spread))
            ties = ties_of(connection, list(seeds), scope, max_spread, shares=shares)
            links = step(connection, list(seeds), ("REFERENCES",), "both", scope, chunks=False)
            found = crossings(ties, max_spread)
            return related(seeds, found, links, limit_each, lambda others: _nodes(connection, others, scope))

        return await self._ask(work)

    async def lookup(self, name: str, scope: Scope, *, prefix: bool = False, limit: int = 25) -> list[Node]:
        keys = sorted({key for key in (concept_key(name), code_key(name[:400])) if key})
        values: Values = {**sql.scope_values(scope), "most": checked("limit", limit, 1, MAX_PAGE)}
        values |= {"keys": json.dumps(keys)}

        def work(connection: Connection) -> list[Node]:
            if not prefix:
                return [Node(*row) for row in connection.execute(sql.LOOKUP, values)]
            found: set[tuple[Any, ...]] = set()
            for key in keys:
                found.update(connection.execute(sql.LOOKUP_PREFIX, values | {"low": key, "high": key + "\U0010ffff"}))
            return [Node(*row) for row in sorted(found, key=lambda row: (code_key(row[2]), row[0]))][:limit]

        return await self._ask(work)

    async def stats(self, scope: Scope) -> dict[str, int]:
        def work(connection: Connection) -> dict[str, int]:
            counted = connection.execute(sql.STATS, sql.scope_values(scope))
            return {name: count for name, count in sorted(counted) if count}

        return await self._ask(work)

    async def close(self) -> None:
        """Connections belong to whoever gave them."""

    async def _ask(self, work: Callable[[Connection], T]) -> T:
        late = time.monotonic() + self._seconds

        def run() -> T:
            with self._connect() as connection:
                return work(connection)

        try:
            return await stopping.in_thread(run, until=stopping.earliest(late))
        except TimeoutError:
            if time.monotonic() < late:
                raise
            raise GraphUnavailable(f"the graph did not answer within {self._seconds:g} seconds") from None


def questions_of_nodes(ids: Sequence[str], scope: Scope) -> list[Question]:
    values = {**sql.scope_values(scope), "ids": json.dumps(ids)}
    return [(statement, values) for statement in sql.NODES]


def _nodes(connection: Connection, ids: Sequence[str], scope: Scope) -> list[Node]:
    """What may be seen of the ids, in their order."""
    answers = connection.ask_all(questions_of_nodes(ids, scope))
    found = {row[0]: Node(*row) for rows in answers for row in rows}
    return [found[each] for each in dict.fromkeys(ids) if each in found]


def _entities_of(kind: str) -> str:
    return sql.ENTITIES_OF_CHUNK if kind == "Chunk" else sql.ENTITIES_OF


def _spans(evidence: bytes, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Those in a part of the text, all of them where no part is named."""
    return tuple(span for span in unpack_spans(evidence) if not end or start <= span[0] < end)


def _drive(
    connection: Connection,
    walk: Generator[tuple[str, ...], Step, T],
    types: Sequence[str],
    direction: Direction,
    scope: Scope,
    most: int = FAN_OUT,
) -> T:
    """Answers a walk's questions until it is done."""
    try:
        asked = next(walk)
        while True:
            stopping.check()
            asked = walk.send(step(connection, asked, types, direction, scope, most=most))
    except StopIteration as done:
        result: T = done.value
        return result
