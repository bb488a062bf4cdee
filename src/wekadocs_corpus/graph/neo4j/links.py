"""Links between a plugin's own nodes on a Neo4j server: filled from what the plugin knows, asked for by ids.

A graph has a name, and a mark of the state it was filled with. Every question names the mark it is about: an answer is
of that state as a whole, or there is none and the graph is filled again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from wekadocs_corpus.graph.interface import GraphUnavailable
from wekadocs_corpus.model import digest
from wekadocs_corpus.store.truth.interface import Released

from .session import Neo4jServer

if TYPE_CHECKING:
    from neo4j import AsyncManagedTransaction

Way = Literal["out", "in"]
Links = Mapping[str, Sequence[str]]  # node → where its links lead, in order
_AT_ONCE = 1_000  # nodes of one statement
_A_MOMENT = 0.05  # seconds until another process may have filled it
_TRIES = 5
_SCHEMA = (
    "CREATE CONSTRAINT wekadocs_linked_key IF NOT EXISTS FOR (n:WekadocsLinked) REQUIRE n.key IS UNIQUE",
    "CREATE CONSTRAINT wekadocs_links_name IF NOT EXISTS FOR (n:WekadocsLinks) REQUIRE n.name IS UNIQUE",
    "CREATE INDEX wekadocs_linked_graph IF NOT EXISTS FOR (n:WekadocsLinked) ON (n.graph)",
)
_MARK = "MATCH (g:WekadocsLinks {name: $name}) RETURN g.mark AS mark"
_SET_MARK = "MERGE (g:WekadocsLinks {name: $name}) SET g.mark = $mark"
_KNOWN = "MATCH (n:WekadocsLinked {graph: $name}) WHERE n.said IS NOT NULL RETURN n.id AS id, n.said AS said"
_TAKE_OUT = (
    "UNWIND $ids AS id MATCH (n:WekadocsLinked {key: $name + id}) OPTIONAL MATCH (n)-[r:LINKS_TO]->()"
    " DELETE r REMOVE n.said"
)
_PUT = (
    "UNWIND $rows AS row MERGE (n:WekadocsLinked {key: $name + row.id}) SET n.graph = $name, n.id = row.id,"
    " n.said = row.said WITH n, row UNWIND range(0, size(row.ends) - 1) AS place"
    " MERGE (m:WekadocsLinked {key: $name + row.ends[place]}) SET m.graph = $name, m.id = row.ends[place]"
    " CREATE (n)-[:LINKS_TO {place: place}]->(m)"
)
_DROP_ALONE = "MATCH (n:WekadocsLinked {graph: $name}) WHERE NOT (n)-[:LINKS_TO]-() DELETE n"
_AT_MARK = "MATCH (g:WekadocsLinks {name: $name, mark: $mark}) "
_OUT = "OPTIONAL MATCH (n:WekadocsLinked)-[r:LINKS_TO]->(m) WHERE n.key IN $keys"
_IN = "OPTIONAL MATCH (n:WekadocsLinked)<-[r:LINKS_TO]-(m) WHERE n.key IN $keys"
_PAIRS = " WITH g, n, m, r RETURN g.mark AS mark, collect([n.id, m.id, r.place]) AS found"
_ALL = "OPTIONAL MATCH (n:WekadocsLinked {graph: $name})-[r:LINKS_TO]->(m)"
_COUNTS = (
    "OPTIONAL MATCH (n:WekadocsLinked {{graph: $name}}) WITH g, n, COUNT {{ (n){0}() }} AS many WHERE many >= $least"
    " RETURN collect([n.id, many]) AS found"
)
_MOST = (
    "OPTIONAL MATCH (n:WekadocsLinked {{graph: $name}}) WITH g, COUNT {{ (n){0}() }} AS many"
    " ORDER BY many DESC LIMIT $limit RETURN g.mark AS mark, collect(many) AS found"
)
_ARROW = {"out": "-[:LINKS_TO]->", "in": "<-[:LINKS_TO]-"}


class LinksChanged(Exception):
    """The graph has another state than the one asked for: fill it again."""


class Neo4jLinks:
    """One server; graphs by name."""

    def __init__(self, settings: Mapping[str, Any], turn: Callable[[str], Released | None]) -> None:
        self._server, self._turn = Neo4jServer(settings), turn
        self._known: dict[str, tuple[str, dict[str, str]]] = {}  # name → mark, and what each node says

    async def close(self) -> None:
        await self._server.close()

    async def bring(self, name: str, mark: str, links: Callable[[], Links]) -> None:
        """The graph has the state of this mark; `links` is asked only where it has not."""
        for _ in range(20 * _TRIES):
            found = await self._server.read(_MARK, {"name": name})
            there = str(found[0]["mark"]) if found else ""
            if there == mark:
                return
            turn = await asyncio.to_thread(self._turn, f"links-{digest(name)[:16]}")
            if turn is None:
                await asyncio.sleep(_A_MOMENT)  # another process fills it
                continue
            try:
                await self._fill(name, there, mark, links())
            finally:
                turn.release()
        raise GraphUnavailable(f"Neo4j at {self._server.name} is filled by others with other states of the same links")

    async def _fill(self, name: str, there: str, mark: str, links: Links) -> None:
        before = await self._said(name, there)
        said = {id: digest(*ends) for id, ends in links.items() if ends}
        gone = [id for id in before if id not in said or before[id] != said[id]]
        new = [{"id": id, "said": said[id], "ends": list(links[id])} for id in said if before.get(id) != said[id]]
        await self._write(_SET_MARK, {"name": name, "mark": ""})
        for start in range(0, len(gone), _AT_ONCE):
            await self._write(_TAKE_OUT, {"name": name, "ids": gone[start : start + _AT_ONCE]})
        for start in range(0, len(new), _AT_ONCE):
            await self._write(_PUT, {"name": name, "rows": new[start : start + _AT_ONCE]})
        if gone:
            await self._write(_DROP_ALONE, {"name": name})
        await self._write(_SET_MARK, {"name": name, "mark": mark})
        self._known[name] = (mark, said)

    async def _said(self, name: str, there: str) -> dict[str, str]:
        mark, said = self._known.get(name, ("", {}))
        if there and mark == there:
            return said
        for statement in _SCHEMA:
            await self._write(statement, {})
        return {str(row["id"]): str(row["said"]) for row in await self._server.read(_KNOWN, {"name": name})}

    async def _write(self, text: str, values: Mapping[str, Any]) -> None:
        async def work(transaction: AsyncManagedTransaction) -> None:
            await (await transaction.run(text, dict(values))).consume()

        await self._server.write(work)

    async def ends(self, name: str, mark: str, ids: Collection[str], way: Way) -> dict[str, tuple[str, ...]]:
        """Out: in the order they were given; in: by id."""
        keys = [f"{name}{id}" for id in ids]
        found = await self._found((_OUT if way == "out" else _IN) + _PAIRS, name, mark, keys=keys)
        ends: dict[str, list[str]] = {}
        for id, end, _ in sorted(found, key=lambda row: row[2] if way == "out" else row[1]):
            ends.setdefault(id, []).append(end)
        return {id: tuple(some) for id, some in ends.items()}

    async def most(self, name: str, mark: str, way: Way, limit: int) -> list[tuple[str, int]]:
        counts = await self._found(_MOST.format(_ARROW[way]), name, mark, limit=limit)
        least = max(1, min(counts, default=1))
        found = await self._found(_COUNTS.format(_ARROW[way]), name, mark, least=least)
        return sorted(((id, many) for id, many in found), key=lambda row: (-row[1], row[0]))[:limit]

    async def all(self, name: str, mark: str) -> list[tuple[str, str]]:
        return sorted((id, end) for id, end, _ in await self._found(_ALL + _PAIRS, name, mark))

    async def _found(self, text: str, name: str, mark: str, **values: Any) -> list[Any]:
        rows = await self._server.read(_AT_MARK + text, {"name": name, "mark": mark, **values})
        if not rows and "least" not in values:
            raise LinksChanged
        found = rows[0]["found"] if rows else []
        return [each for each in found if not isinstance(each, list) or each[0] is not None]
