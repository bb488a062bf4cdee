"""Neo4j follows the truth by itself: many documents side by side, one process at a time, over TLS and routing."""

from __future__ import annotations

import asyncio
import socket
import ssl
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from graph_world import World, filled, ids_of
from tls_site import authority

from wekadocs_corpus.corpus import Corpus
from wekadocs_corpus.graph.choose import follower
from wekadocs_corpus.graph.interface import GraphUnavailable
from wekadocs_corpus.graph.neo4j.graph import Neo4jGraph

_HELD = "MERGE (r:WekadocsReplica {project: $project}) SET r.holder = $holder, r.until = timestamp() + $milliseconds"


def _many(world: World, count: int) -> None:
    """More than go in one transaction, with names that all have and links from each to the next and to the first."""
    for n in range(count):
        links = f"[next](p{n + 1}.md) [first](p0.md#parts)"
        world.add(f"p{n}.md", f"# Page {n}\n\nRun `tool --flag-{n % 7}` and `--all`, {links}.\n\n## Parts\n\n`--all`\n")


def test_many_documents_sent_side_by_side_are_as_if_sent_one_by_one(world: World) -> None:
    _many(world, 130)
    ids = ids_of(world)

    async def run() -> None:
        await asyncio.gather(world.settle(), world.settle())  # the second waits for its turn and finds nothing to do
        stats = await world.both(lambda graph: graph.stats(world.area))
        assert stats["Document"] == 130
        for start in (0, len(ids) // 2, len(ids) - 60):
            some = ids[start : start + 60]
            await world.both(lambda graph, some=some: graph.neighbours(some, world.area, hops=2, limit=100))
            await world.both(lambda graph, some=some: graph.degrees(some, world.area))
        linked = await world.both(lambda graph: graph.neighbours(ids[:1], world.area, types=["REFERENCES"], limit=100))
        assert linked.edges

    world.runner.run(run())


def test_the_turn_of_a_process_that_has_died_is_taken_over_at_once(world: World) -> None:
    filled(world)
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()

    async def run() -> None:
        graph = Neo4jGraph(world.settings)
        holder = f"{socket.gethostname()}/{dead.pid}/00"
        await graph.server.change(_HELD, {"project": world.project, "holder": holder, "milliseconds": 3_600_000})
        await asyncio.wait_for(world.settle(), 60)
        await graph.close()

    world.runner.run(run())


def test_while_another_machine_has_the_turn_nothing_is_sent(world: World) -> None:
    filled(world)

    async def run() -> None:
        graph = Neo4jGraph(world.settings)
        held = {"project": world.project, "holder": "elsewhere/1/00", "milliseconds": 3_600_000}
        await graph.server.change(_HELD, held)
        waiting = asyncio.create_task(world.settle())
        done, _ = await asyncio.wait([waiting], timeout=1.5)
        assert not done
        assert await graph.stats(world.area) == {}
        await graph.server.change(_HELD, held | {"milliseconds": -1})  # its time is over
        await asyncio.wait_for(waiting, 60)
        assert (await graph.stats(world.area))["Document"] == 3
        await graph.close()

    world.runner.run(run())


def test_a_server_that_serves_follows_without_an_ingest(world: World) -> None:
    filled(world)

    async def run() -> None:
        task = follower(world.truth, {"neo4j": world.settings}, pytest.fail, every=0.05)
        assert task is not None
        try:
            await _until_same(world, 3)
            world.add("docs/later.md", "# Later\n\nSee `--later`.\n")
            await _until_same(world, 4)
            world.truth.delete([world.gateway.id])  # type: ignore[attr-defined]
            await _until_same(world, 3)
        finally:
            task.cancel()
            await asyncio.wait([task])

    world.runner.run(run())


async def _until_same(world: World, documents: int) -> None:
    embedded, served = world.graphs
    for _ in range(600):
        if (await served.stats(world.area)).get("Document") == documents:
            break
        await asyncio.sleep(0.1)
    assert await embedded.stats(world.area) == await served.stats(world.area)


def test_a_corpus_follows_while_it_is_served_and_tells_of_a_server_that_is_away(tmp_path: Path) -> None:
    told: list[str] = []

    async def run() -> None:
        settings = {"neo4j": {"uri": "bolt://127.0.0.1:1", "timeout_seconds": 1}, "graph": True}
        corpus = await Corpus.open(tmp_path / "data", settings, None)  # type: ignore[arg-type]
        async with corpus.graph_followed(told.append):
            for _ in range(200):
                if told:
                    break
                await asyncio.sleep(0.1)
        await corpus.close()

    asyncio.run(run())
    assert told == ["the graph in Neo4j does not follow: Neo4j at bolt://127.0.0.1:1/ cannot be reached"]


def test_doctor_names_a_graph_that_another_truth_has_put_there(world: World, tmp_path: Path) -> None:
    filled(world)

    async def run() -> None:
        await world.settle()
        settings = {"neo4j": world.settings, "graph": True}
        corpus = await Corpus.open(tmp_path / "other", settings, world.area)
        ((state, _, note, fix),) = await corpus.check_graph()
        assert (state, note) == (
            "warning",
            f"Neo4j has the project {world.project} from another data directory or database",
        )
        assert "give one another project or neo4j.database" in fix
        await corpus.close()

    world.runner.run(run())


def test_a_private_authority_is_trusted_with_the_encrypted_schemes_and_nobody_else_is(
    world: World, tmp_path: Path
) -> None:
    filled(world)
    both, alone = authority(tmp_path)

    async def run() -> None:
        await world.settle()
        server = await _encrypting(both, urlsplit(world.settings["uri"]).port or 7687)
        port = server.sockets[0].getsockname()[1]
        for scheme in ("bolt", "bolt+s"):
            graph = Neo4jGraph(world.settings | {"uri": f"{scheme}://127.0.0.1:{port}", "ca_file": str(alone)})
            assert (await graph.stats(world.area))["Document"] == 3
            await graph.close()
        strict = Neo4jGraph(world.settings | {"uri": f"bolt+s://127.0.0.1:{port}"})
        with pytest.raises(GraphUnavailable, match="cannot be reached with TLS, as its scheme says"):
            await strict.stats(world.area)
        await strict.close()
        server.close()

    world.runner.run(run())


def test_a_database_that_is_not_there_is_named(world: World) -> None:
    async def run() -> None:
        graph = Neo4jGraph(world.settings | {"database": "nowhere"})
        with pytest.raises(GraphUnavailable, match=r"/nowhere has no database of that name; correct neo4j\.database"):
            await graph.stats(world.area)
        await graph.close()

    world.runner.run(run())


async def _encrypting(certificate: Path, port: int) -> asyncio.Server:
    """TLS in front of a Bolt port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)

    async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        except (OSError, ssl.SSLError):
            pass
        finally:
            writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pipe(reader, far_writer), pipe(far_reader, writer))

    return await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)


def test_a_routed_address_reads_what_it_has_written(world: World) -> None:
    """One server is its own cluster: it is asked for its routing table, writes go to its leader, reads to a reader."""
    filled(world)
    if urlsplit(world.settings["uri"]).scheme != "bolt":
        pytest.skip("the server at hand is no single one")
    routed: Any = world.settings | {"uri": world.settings["uri"].replace("bolt://", "neo4j://")}

    async def run() -> None:
        graph = Neo4jGraph(routed)
        await graph.server.change("MERGE (:WekadocsReplica {project: $project})", {"project": world.project})
        asked = "MATCH (r:WekadocsReplica {project: $project}) RETURN r"
        found = await graph.server.read(asked, {"project": world.project})
        assert len(found) == 1
        await graph.close()

    world.runner.run(run())
