"""The same graph in a real Neo4j: asked as the tools do, and with plain Cypher."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from wekadocs_corpus.graph.choose import sync_neo4j
from wekadocs_corpus.graph.neo4j.graph import Neo4jGraph
from wekadocs_corpus.store.sqlite.truth import SqliteTruth

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "backends"))
import neo4j_server

Pairs = list[tuple[str, str]]
EXPAND = "MATCH (a:WekadocsNode {id: $a})-[*1..2]-(m) RETURN DISTINCT m.id LIMIT 25"
ORDERED = "MATCH (a:WekadocsNode {id: $a})-[*1..2]-(m) WITH DISTINCT m.id AS id ORDER BY id LIMIT 25 RETURN id"
# The tools' own promise: what a scope hides is not among them.
SCOPED = """MATCH (a:WekadocsNode {id: $a})-[*1..2]-(m)
 WHERE m.project = $project AND m.environment = $environment AND m.label IS NOT NULL
 WITH DISTINCT m.id AS id ORDER BY id LIMIT 25 RETURN id"""
PATH = "MATCH p = shortestPath((a:WekadocsNode {id: $a})-[*..5]-(b:WekadocsNode {id: $b})) RETURN length(p)"


async def in_neo4j(
    truth: SqliteTruth,
    pairs: Pairs,
    walks: Callable[..., Awaitable[dict[str, Any]]],
    timed: Callable[..., Awaitable[dict[str, float]]],
) -> dict[str, Any] | str:
    # What a server of its own would have; the tests' one is small on purpose.
    neo4j_server._CONFIGURATION = neo4j_server._CONFIGURATION.replace("size=32m", "size=1g")
    neo4j_server._JVM = [_for_long_work(each) for each in neo4j_server._JVM]
    pairs = pairs[:40]
    found = neo4j_server._found()
    if isinstance(found, str):
        return found
    settings = {**found.settings, "timeout_seconds": 60}
    start, here, there = time.perf_counter(), time.process_time(), _spent(found.pid)
    await sync_neo4j(truth, settings, "bench")
    loaded = time.perf_counter() - start
    cost = {"client": round(time.process_time() - here, 1), "server": round(_spent(found.pid) - there, 1)}
    graph = Neo4jGraph(settings)

    async def cypher(text: str, a: str, b: str) -> None:
        await graph.server.read(text, {"a": a, "b": b, "project": "bench", "environment": "prod"})

    async def both(ask: Callable[[str, str], Awaitable[Any]], pairs: Pairs) -> dict[str, float]:
        """By the clock, and the processor's time of a question, client and server together."""
        before = time.process_time(), _spent(found.pid)
        figures = await timed(ask, pairs)
        spent = time.process_time() - before[0] + _spent(found.pid) - before[1]
        return {**figures, "cpu_ms": round(spent * 1000 / (len(pairs) + 1), 1)}

    for a, b in pairs[:5]:  # a server that has just started reads its disk and compiles
        await cypher(EXPAND, a, b)
    await walks(graph, pairs[:5], both)
    plain = {
        "expand_2": await both(lambda a, b: cypher(EXPAND, a, b), pairs),
        "expand_2_ordered": await both(lambda a, b: cypher(ORDERED, a, b), pairs),
        "expand_2_ordered_scoped": await both(lambda a, b: cypher(SCOPED, a, b), pairs),
        "path_5": await both(lambda a, b: cypher(PATH, a, b), pairs),
    }
    asked = await walks(graph, pairs, both)
    await graph.close()
    return {"load_s": round(loaded, 1), "load_cpu_s": cost, **asked, "plain_cypher": plain}


def _spent(pid: int | None) -> float:
    """Processor seconds of the server, where this system tells."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _for_long_work(option: str) -> str:
    return {"-Xmx512m": "-Xmx2g", "-XX:TieredStopAtLevel=1": "-XX:TieredStopAtLevel=4"}.get(option, option)
