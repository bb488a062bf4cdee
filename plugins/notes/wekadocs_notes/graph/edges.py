"""What is asked of the edges of a vault, and their home in this process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from ..vault import Vault

if TYPE_CHECKING:
    from wekadocs_corpus import Neo4jLinks

Found = TypeVar("Found")
_TRIES = 5

Way = Literal["out", "in"]
Ends = dict[str, tuple[str, ...]]


class Edges(Protocol):
    """Of notes and ghosts, at one moment. Ids are nodes' own; what is unknown has no edges."""

    async def ends(self, ids: Collection[str], way: Way) -> Ends:
        """Out: where their links lead, as written; in: who links there, by id. Each once."""
        ...

    async def most(self, way: Way, limit: int) -> list[tuple[str, int]]:
        """The nodes with most of these edges, then by id; nodes without any are none."""
        ...

    async def all(self) -> list[tuple[str, str]]:
        """Every edge, by source and target."""
        ...


class Seen:
    """A vault's edges as they are now, whatever changes later."""

    @cached_property
    def mark(self) -> str:
        """Two states of one mark have the same edges."""
        from wekadocs_corpus import digest

        return digest(*(digest(id, *self.outgoing[id]) for id in sorted(self.outgoing) if self.outgoing[id]))

    def __init__(self, vault: Vault) -> None:
        self.outgoing, self.incoming = vault.outgoing, vault.incoming
        self.ghosts = vault.ghosts
        self.version = vault.version


class MemoryEdges:
    def __init__(self, seen: Seen) -> None:
        self._seen = seen

    async def ends(self, ids: Collection[str], way: Way) -> Ends:
        kept = self._seen.outgoing if way == "out" else self._seen.incoming
        return {id: kept[id] for id in ids if kept.get(id)}

    async def most(self, way: Way, limit: int) -> list[tuple[str, int]]:
        import heapq

        kept = self._seen.outgoing if way == "out" else self._seen.incoming
        counted = ((-len(ends), id) for id, ends in kept.items() if ends)
        return [(id, -count) for count, id in heapq.nsmallest(limit, counted)]

    async def all(self) -> list[tuple[str, str]]:
        return sorted((source, end) for source, ends in self._seen.outgoing.items() for end in ends)


class ServerEdges:
    """The same on a server that the corpus has; where another process fills it meanwhile, it is filled again."""

    def __init__(self, server: Neo4jLinks, name: str, seen: Seen) -> None:
        self._server, self._name, self._seen = server, name, seen
        self._mark = ""

    async def ends(self, ids: Collection[str], way: Way) -> Ends:
        return await self._asked(lambda: self._server.ends(self._name, self._mark, ids, way))

    async def most(self, way: Way, limit: int) -> list[tuple[str, int]]:
        return await self._asked(lambda: self._server.most(self._name, self._mark, way, limit))

    async def all(self) -> list[tuple[str, str]]:
        return await self._asked(lambda: self._server.all(self._name, self._mark))

    async def _asked(self, ask: Callable[[], Awaitable[Found]]) -> Found:
        from wekadocs_corpus import GraphUnavailable, LinksChanged

        self._mark = self._mark or self._seen.mark
        for _ in range(_TRIES):
            await self._server.bring(self._name, self._mark, lambda: self._seen.outgoing)
            with suppress(LinksChanged):
                return await ask()
        raise GraphUnavailable("the links on the Neo4j server are changed by others all the time")
