"""Neo4j follows the truth: batches of changed documents, each in one transaction together with how far it came."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from . import cypher
from .rows import Rows, rows
from .session import Neo4jServer

if TYPE_CHECKING:
    from neo4j import AsyncManagedTransaction

    from wekadocs_corpus.store.truth.interface import Truth
    from wekadocs_corpus.store.truth.rows import Change

Progress = Callable[[str, int, int], None]
_DOCUMENTS, _ROWS = 25, 1_000  # of one transaction, of one statement


async def sync(truth: Truth, server: Neo4jServer, project: str, progress: Progress | None = None) -> int:
    """Bring one project up to date; the sequence it now has. Interrupted at any moment, it goes on where it was."""
    reached = await _begin(truth, server, project)
    total, done, changed = 0, 0, False
    while batch := await asyncio.to_thread(_batch, truth, project, reached):
        changes, made, left = batch
        await _write(server, truth, project, changes, made)
        reached, changed = changes[-1].sequence, True
        done, total = done + len(changes), max(total, done + left)
        if progress:
            progress("neo4j", done, total)
    while changed and await server.change(cypher.DROP_ORPHANS, {"project": project, "most": 10_000}):
        pass
    return reached


async def behind(truth: Truth, server: Neo4jServer, project: str) -> int:
    """How many changed documents the server has not got."""
    found = await server.read(cypher.MARK, {"project": project})
    reached = int(found[0]["sequence"]) if found and found[0]["truth"] == truth.id else 0

    return await asyncio.to_thread(truth.behind, reached, project)


async def _begin(truth: Truth, server: Neo4jServer, project: str) -> int:
    """Where to go on. What another truth has put under this project's name is taken out first."""
    found = await server.read(cypher.MARK, {"project": project})
    if found and found[0]["truth"] == truth.id:
        return int(found[0]["sequence"])
    for statement in cypher.SCHEMA:
        await server.change(statement, {})
    while await server.change(cypher.FORGET, {"project": project, "most": 10_000}):
        pass
    return 0


def _batch(truth: Truth, project: str, reached: int) -> tuple[list[Change], Rows, int] | None:
    changes = truth.changes_after(reached, _DOCUMENTS, project)
    if not changes:
        return None
    made = rows(truth.graph_rows([change.document_id for change in changes]))
    return changes, made, truth.behind(reached, project)


async def _write(server: Neo4jServer, truth: Truth, project: str, changes: list[Change], made: Rows) -> None:
    ids = [change.document_id for change in changes]
    mark = {"project": project, "truth": truth.id, "sequence": changes[-1].sequence}

    async def work(transaction: AsyncManagedTransaction) -> None:
        for statement in cypher.TAKE_OUT:
            await (await transaction.run(statement, {"ids": ids})).consume()
        steps = [(cypher.PUT_ENTITIES, made.nodes["Entity"])]
        steps += [(text, made.nodes[kind]) for kind, text in cypher.PUT_NODES.items()]
        steps += [(text, made.edges[kind]) for kind, text in cypher.PUT_EDGES.items()]
        for statement, data in steps:
            for start in range(0, len(data), _ROWS):
                part = {"rows": data[start : start + _ROWS]}
                await (await transaction.run(statement, part)).consume()
        await (await transaction.run(cypher.SET_MARK, mark)).consume()

    await server.write(work)
