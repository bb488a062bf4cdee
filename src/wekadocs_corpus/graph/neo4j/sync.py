"""Neo4j follows the truth: by one process at a time, in batches of changed documents, together with how far it came.

A few documents are one transaction. Many are sent side by side, each document whole but for its links to others, which
come last; what was interrupted is sent again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import writing
from .batches import Batch, batch
from .session import Neo4jServer
from .statements import Statement, documents, entities, links, taking_out
from .turns import SECONDS, Turn, TurnLost

if TYPE_CHECKING:
    from neo4j import AsyncManagedTransaction

    from wekadocs_corpus.store.truth.interface import Truth

Progress = Callable[[str, int, int], None]
_AT_ONCE = 10_000  # nodes that are deleted together
_A_MOMENT = 0.3  # seconds until another process may be done


async def sync(truth: Truth, server: Neo4jServer, project: str, progress: Progress | None = None) -> int:
    """Bring one project up to date; the sequence it now has. Interrupted at any moment, it goes on where it was."""
    while (reached := await _reached(truth, server, project)) is None or await _late(truth, reached, project):
        if reached is None:
            for statement in writing.SCHEMA:
                await server.change(statement, {})
        if not await _fill(truth, server, project, progress):
            await asyncio.sleep(_A_MOMENT)
    return reached


async def behind(truth: Truth, server: Neo4jServer, project: str) -> int:
    """How many changed documents the server has not got."""
    return await _late(truth, await _reached(truth, server, project) or 0, project)


async def is_of_another(truth: Truth, server: Neo4jServer, project: str) -> bool:
    """Whether the server has the project from another truth: what it answers is not ours."""
    found = await server.read(writing.MARK, {"project": project})
    return bool(found) and found[0]["truth"] not in {None, truth.id}


async def projects(truth: Truth, server: Neo4jServer) -> set[str]:
    """Those that this truth has put there."""
    return {row["project"] for row in await server.read(writing.MARKED, {"truth": truth.id})}


async def _late(truth: Truth, reached: int, project: str) -> int:
    return await asyncio.to_thread(truth.behind, reached, project)


async def _reached(truth: Truth, server: Neo4jServer, project: str) -> int | None:
    """The sequence that the server has; None where it has nothing of this truth, or in another layout."""
    found = await server.read(writing.MARK, {"project": project})
    if found and (found[0]["truth"], found[0]["layout"]) == (truth.id, writing.LAYOUT):
        return int(found[0]["sequence"])
    return None


async def _fill(truth: Truth, server: Neo4jServer, project: str, progress: Progress | None) -> bool:
    """Whether it was this process's turn."""
    turn = Turn(server, project)
    if not await turn.take():
        return False
    try:
        await _Filling(truth, server, turn, progress).run()
    except TurnLost:
        return False
    finally:
        await turn.release()
    return True


@dataclass
class _Filling:
    """As long as the turn lasts."""

    truth: Truth
    server: Neo4jServer
    turn: Turn
    progress: Progress | None
    done: int = 0

    async def run(self) -> None:
        reached, many = await self._begin(), False
        async for each in self._batches(reached):
            many |= len(each.groups) > 1
            await (self._put_many if len(each.groups) > 1 else self._put)(each)
            self.done += len(each.changes)
            if self.progress:
                self.progress("neo4j", self.done, self.done + each.left)
        if many:
            await self._repeat(writing.DROP_ORPHANS)

    async def _begin(self) -> int:
        """Where to go on. What another truth has put under this project's name is taken out first."""
        found = await _reached(self.truth, self.server, self.turn.project)
        if found is not None:
            return found
        await self._repeat(writing.FORGET)
        await self._transaction([self._mark(0)])
        return 0

    async def _repeat(self, text: str) -> None:
        while await self.server.change(text, {"project": self.turn.project, "most": _AT_ONCE}):
            await self.turn.prolong()

    async def _batches(self, reached: int) -> AsyncIterator[Batch]:
        """The next is read while one is being sent."""

        def ask(after: int) -> asyncio.Task[Batch | None]:
            return asyncio.create_task(asyncio.to_thread(batch, self.truth, self.turn.project, after))

        coming = ask(reached)
        try:
            while (ready := await coming) is not None:
                coming = ask(ready.changes[-1].sequence)
                yield ready
        finally:
            coming.cancel()

    async def _put(self, each: Batch) -> None:
        ids, made = each.ids[0], each.groups[0]
        named = [row["id"] for row in await self.server.read(writing.NAMED_BY, {"ids": ids})]
        statements = [*taking_out(ids), *entities([made]), *documents(made), *links(each.links)]
        statements += [(writing.DROP_UNNAMED, {"ids": named}), self._mark(each.changes[-1].sequence)]
        await self._transaction(statements)

    async def _put_many(self, each: Batch) -> None:
        await self._transaction(entities(each.groups))
        pairs = zip(each.ids, each.groups, strict=True)
        await asyncio.gather(*(self._transaction([*taking_out(ids), *documents(made)]) for ids, made in pairs))
        await self._transaction([*links(each.links), self._mark(each.changes[-1].sequence)])

    def _mark(self, sequence: int) -> Statement:
        mark = {"truth": self.truth.id, "sequence": sequence, "layout": writing.LAYOUT}
        return writing.SET_MARK, {**self.turn.values, **mark}

    async def _transaction(self, statements: list[Statement]) -> None:
        async def work(transaction: AsyncManagedTransaction) -> None:
            await self.turn.check(transaction)
            for text, values in statements:
                await (await transaction.run(text, values)).consume()

        await self.server.write(work, SECONDS / 2)
