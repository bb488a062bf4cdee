"""What is asked of the edges of a vault, and their home in this process."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, Protocol

from ..vault import Vault

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
