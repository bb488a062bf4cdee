"""Neo4j filled again, gone, hung or given up on; a slow question to either graph ends with its call."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable
from typing import Any

import pytest
from graph_world import World, filled
from neo4j_server import neo4j_server
from started import stopped

from wekadocs_corpus import stopping
from wekadocs_corpus.graph.embedded.graph import EmbeddedGraph
from wekadocs_corpus.graph.interface import GraphUnavailable
from wekadocs_corpus.graph.neo4j.graph import Neo4jGraph


def test_syncing_again_changes_nothing_and_a_lost_database_is_filled_again(world: World) -> None:
    sample: Any = filled(world)

    async def run() -> None:
        first = await sample.settle()
        before = await sample.both(lambda graph: graph.stats(sample.area))
        assert await sample.settle() == first
        graph = Neo4jGraph(sample.settings)
        await graph.server.change("MATCH (n {project: $project}) DETACH DELETE n", {"project": sample.project})
        assert await graph.stats(sample.area) == {}
        await graph.close()
        await sample.settle()
        assert await sample.both(lambda graph: graph.stats(sample.area)) == before

    world.runner.run(run())


def test_a_read_session_refuses_to_write(sample: Any) -> None:
    async def run() -> None:
        graph = Neo4jGraph(sample.settings)
        with pytest.raises(GraphUnavailable, match="AccessMode"):
            await graph.server.read("CREATE (:Intruder)", {})
        await graph.close()

    asyncio.run(run())


def test_a_wrong_password_and_a_dead_server_are_told_without_the_password(world: World) -> None:
    for wrong in ({"password": "wrong-password"}, {"uri": "bolt://127.0.0.1:1", "password": "wrong-password"}):
        graph = Neo4jGraph(world.settings | wrong)

        async def run(graph: Neo4jGraph = graph) -> None:
            with pytest.raises(GraphUnavailable) as told:
                await graph.stats(world.area)
            assert "wrong-password" not in str(told.value)
            assert "Neo4j at bolt://127.0.0.1" in str(told.value)
            await graph.close()

        asyncio.run(run())


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="stops a process")
def test_a_hung_server_is_given_up_at_the_deadline_and_works_again_afterwards(world: World) -> None:
    pid = neo4j_server().pid
    if pid is None:
        pytest.skip("the server is not ours to stop")
    graph = Neo4jGraph(world.settings | {"timeout_seconds": 0.5})

    async def answered() -> None:
        for _ in range(60):  # a busy machine plans a first question for long, and a server needs a moment to go on
            try:
                assert await graph.stats(world.area) == {}
                return
            except GraphUnavailable:
                await asyncio.sleep(0.2)
        pytest.fail("it does not answer")

    async def run() -> None:
        await answered()
        with stopped(pid):
            for _ in range(2):  # a pooled connection, then a new one
                with pytest.raises(GraphUnavailable, match=r"did not answer|cannot be reached"):
                    await graph.stats(world.area)
        await answered()
        await graph.close()

    asyncio.run(run())


_ENDLESS = "UNWIND range(1, 1000000000) AS n WITH n WHERE n % 7 = 8 RETURN count(n) AS count"

_RUNNING = "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery STARTS WITH 'UNWIND range' RETURN currentQuery"


@pytest.mark.parametrize("by", ["deadline", "cancellation"])
def test_neo4j_ends_a_statement_with_the_call_that_asked(world: World, by: str) -> None:
    async def run() -> None:
        server = Neo4jGraph(world.settings | {"timeout_seconds": 60}).server
        with stopping.by(time.monotonic() + (0.5 if by == "deadline" else 60)):
            asking = asyncio.create_task(server.read(_ENDLESS, {}))
        if by == "cancellation":
            await until(lambda: server.read(_RUNNING, {}), bool)
            asking.cancel()
        with pytest.raises((GraphUnavailable, asyncio.CancelledError)):
            await asyncio.wait_for(asking, 30)  # less than the server's own limit
        await until(lambda: server.read(_RUNNING, {}), lambda rows: not rows)
        await server.close()

    asyncio.run(run())


async def until(ask: Callable[[], Any], holds: Callable[[Any], bool]) -> None:
    for _ in range(200):
        if holds(await ask()):
            return
        await asyncio.sleep(0.05)
    pytest.fail("it never was so")


def test_a_slow_question_to_the_embedded_graph_is_interrupted(world: World) -> None:
    sample: Any = filled(world)
    graph = EmbeddedGraph(sample.truth.reading, seconds=0.0)
    big = "\n".join(f"## Part {n}\n\n`--flag-{n}` `--other`\n" for n in range(3000))
    sample.add("big.md", f"# Big\n\n{big}")
    with pytest.raises(GraphUnavailable, match="within 0 seconds"):
        asyncio.run(graph.stats(sample.area))
