"""The graph in Neo4j: the same questions, its own Cypher, read-only."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Generator, Mapping, Sequence
from typing import Any, Literal, TypeVar

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
    directed,
)
from wekadocs_corpus.graph.pages import neighbourhood, page_ids, related, related_ids
from wekadocs_corpus.graph.ties import End, Tie, crossings
from wekadocs_corpus.graph.walk import Step, around, paths
from wekadocs_corpus.model import Scope

from . import cypher
from .session import Neo4jServer
from .steps import step

T = TypeVar("T")
Ends = dict[str, list[tuple[str, str, list[str]]]]  # of each node: out or in, type, other ends


class Neo4jGraph:
    """Reads what `neo4j_sync` wrote."""

    def __init__(self, settings: Mapping[str, object]) -> None:
        self.server = Neo4jServer(settings)

    async def describe(self, ids: Sequence[str], scope: Scope) -> list[Node]:
        return await self._nodes(checked_ids(ids), scope)

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
        most = FAN_OUT_ONCE if hops == 1 else FAN_OUT
        first = await self._ends(wanted, allowed, direction, scope, most=most)
        walk = around([each for each in wanted if each in first], hops, skip + limit + 1)
        found = await self._drive(walk, allowed, direction, scope, most, _as_step(first, most))
        nodes = await self._nodes(page_ids(found, skip, limit)[0], scope)
        return neighbourhood(found, skip, limit, lambda _: nodes)

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
        seen = {node.id for node in await self._nodes([*sides[0], *sides[1]], scope)}
        a, b = ([each for each in side if each in seen] for side in sides)
        return await self._drive(paths(a, b, max_hops, max_paths, direction), allowed, "both", scope)

    async def degrees(self, ids: Sequence[str], scope: Scope, *, types: Collection[str] = LINKS) -> list[Degree]:
        counted = checked_counted(types)
        seen = [node.id for node in await self._nodes(checked_ids(ids), scope)]
        values = cypher.scope_values(scope) | {"ids": seen, "types": list(counted)}
        found = {row["id"]: Degree(*row.values()) for row in await self.server.read(cypher.DEGREES, values)}
        return [found[each] for each in seen]

    async def hubs(
        self, scope: Scope, *, types: Collection[str] = LINKS, direction: Literal["in", "out"] = "in", limit: int = 10
    ) -> list[Hub]:
        most = checked("limit", limit, 1, MAX_PAGE)
        values = cypher.scope_values(scope) | {"types": list(checked_counted(types)), "most": most}
        rows = await self.server.read(cypher.HUBS[direction], values)
        return [Hub(Node(*row["row"]), row["edges"]) for row in rows]

    async def parents(self, ids: Sequence[str], scope: Scope) -> dict[str, Node]:
        seen = [node.id for node in await self._nodes(checked_ids(ids), scope)]
        rows = await self.server.read(cypher.PARENTS, cypher.scope_values(scope) | {"ids": seen})
        above = {row["id"]: row["parent"] for row in rows}
        nodes = {node.id: node for node in await self._nodes(list(above.values()), scope)}
        return {child: nodes[above[child]] for child in seen if above.get(child) in nodes}

    async def children(self, parent_id: str, scope: Scope, *, limit: int = 25, skip: int = 0) -> Children:
        checked("page_size", limit, 1, MAX_PAGE)
        if not await self._nodes([parent_id], scope):
            return Children((), more=False)
        values = cypher.scope_values(scope) | {"id": parent_id, "most": limit + 1, "skip": skip}
        found = [row["id"] for row in await self.server.read(cypher.CHILDREN, values)]
        return Children(tuple(await self._nodes(found[:limit], scope)), more=len(found) > limit)

    async def entities_for_sections(
        self, ids: Sequence[str], scope: Scope, *, labels: Collection[str] = (), limit_each: int = 20
    ) -> list[EntityMention]:
        wanted = checked_ids(ids)
        most = checked("max_per_section", limit_each, 1, MAX_PAGE + 1)
        values = cypher.scope_values(scope) | {"ids": wanted, "labels": sorted(labels) or None, "most": most}
        rows = await self.server.read(cypher.ENTITIES_OF, values)
        found = [EntityMention(row["id"], Node(*row["row"]), row["type"], row["weight"], _spans(row)) for row in rows]
        place = {each: number for number, each in enumerate(wanted)}
        return sorted(found, key=lambda each: (place[each.section_id], -each.weight, each.entity.id, each.type))

    async def sections_for_entities(
        self, ids: Sequence[str], scope: Scope, *, limit_each: int = 20
    ) -> list[SectionMention]:
        seen = [node.id for node in await self._nodes(checked_ids(ids), scope)]
        values = cypher.scope_values(scope) | {"ids": seen, "most": checked("max_per", limit_each, 1, MAX_PAGE + 1)}
        rows = await self.server.read(cypher.CHUNKS_OF, values)
        nodes = {node.id: node for node in await self._nodes([row["other"] for row in rows], scope)}
        place = {each: number for number, each in enumerate(seen)}
        found = [
            SectionMention(row["id"], nodes[row["other"]], row["type"], row["weight"], _spans(row)) for row in rows
        ]
        return sorted(found, key=lambda each: (place[each.entity_id], each.type, -each.weight, each.node.id))

    async def related_sections(
        self, ids: Sequence[str], scope: Scope, *, max_spread: int = 20, limit_each: int = 50, shares: bool = True
    ) -> list[Related]:
        checked("max_spread", max_spread, 1, 100)
        checked("limit_each", limit_each, 1, MAX_PAGE)
        seeds = {node.id: node for node in await self._nodes(checked_ids(ids), scope)}
        values = cypher.scope_values(scope) | {"ids": list(seeds), "most": max_spread + 1, "shares": shares}
        ties, ends = await asyncio.gather(
            self.server.read(cypher.TIES, values),
            self._ends(list(seeds), ("REFERENCES",), "both", scope, chunks=False),
        )
        found, links = crossings([_tie(row) for row in ties], max_spread), _as_step(ends, FAN_OUT)
        nodes = await self._nodes(related_ids(seeds, found, links, limit_each), scope)
        return related(seeds, found, links, limit_each, lambda _: nodes)

    async def lookup(self, name: str, scope: Scope, *, prefix: bool = False, limit: int = 25) -> list[Node]:
        keys = sorted({key for key in (concept_key(name), code_key(name[:400])) if key})
        values = cypher.scope_values(scope) | {"most": checked("limit", limit, 1, MAX_PAGE), "keys": keys}
        if not prefix:
            return [Node(*row["row"]) for row in await self.server.read(cypher.LOOKUP, values)]
        found: set[Node] = set()
        for key in keys:
            rows = await self.server.read(cypher.LOOKUP_PREFIX, values | {"prefix": key})
            found.update(Node(*row["row"]) for row in rows)
        return sorted(found, key=lambda node: (code_key(node.title), node.id))[:limit]

    async def stats(self, scope: Scope) -> dict[str, int]:
        rows = await self.server.read(cypher.STATS, cypher.scope_values(scope))
        return {name: count for name, count in sorted((row["name"], row["count"]) for row in rows) if count}

    async def close(self) -> None:
        await self.server.close()

    async def _nodes(self, ids: Sequence[str], scope: Scope) -> list[Node]:
        if not ids:
            return []
        wanted = list(dict.fromkeys(ids))
        rows = await self.server.read(cypher.NODES, cypher.scope_values(scope) | {"ids": wanted})
        found = {row["row"][0]: Node(*row["row"]) for row in rows}
        return [found[each] for each in wanted if each in found]

    async def _ends(
        self,
        ids: Sequence[str],
        types: tuple[str, ...],
        direction: Direction,
        scope: Scope,
        *,
        chunks: bool = True,
        most: int = FAN_OUT,
    ) -> Ends:
        """Of those that may be seen."""
        if not ids:
            return {}
        statement, asked = step(types, direction)
        values = cypher.scope_values(scope) | asked | {"ids": list(ids), "chunks": chunks, "most": most + 1}
        return {row["id"]: row["ends"] for row in await self.server.read(statement, values)}

    async def _drive(
        self,
        walk: Generator[tuple[str, ...], Step, T],
        types: tuple[str, ...],
        direction: Direction,
        scope: Scope,
        most: int = FAN_OUT,
        first: Step | None = None,
    ) -> T:
        """Answers a walk's questions until it is done; the first may have been answered before it began."""
        try:
            asked, answer = next(walk), first
            while True:
                if answer is None:
                    answer = _as_step(await self._ends(asked, types, direction, scope, most=most), most)
                asked, answer = walk.send(answer), None
        except StopIteration as done:
            result: T = done.value
            return result


def _as_step(found: Ends, most: int) -> Step:
    ends = [(id, *each) for id, some in found.items() for each in some]
    relations = dict.fromkeys(
        directed(id, kind, other, way) for id, way, kind, others in ends for other in others[:most]
    )
    return Step(tuple(relations), any(len(others) > most for *_, others in ends))


def _tie(row: Any) -> Tie:
    ends = [tuple(End(*end) for end in row[side]) for side in ("definers", "mentioners")]
    return Tie(row["id"], row["document"], row["entity"], row["label"], row["type"], row["weight"], ends[0], ends[1])


def _spans(row: Any) -> tuple[tuple[int, int], ...]:
    """Those in a part of the text, all of them where no part is named."""
    low, high = row["start"], row["end"]
    spans = json.loads(row["evidence"] or "[]")
    return tuple((start, end) for start, end in spans if high is None or low <= start < high)
