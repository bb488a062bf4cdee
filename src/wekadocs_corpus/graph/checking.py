"""What doctor says of the graph: whether it can be asked, and whether it holds everything."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from wekadocs_corpus.errors import Unavailable
from wekadocs_corpus.graph.neo4j.graph import Neo4jGraph
from wekadocs_corpus.graph.neo4j.sync import behind, is_of_another
from wekadocs_corpus.store import checking
from wekadocs_corpus.store.checking import CheckResult

if TYPE_CHECKING:
    from wekadocs_corpus.corpus import Corpus


_CATCHES_UP = "a server that serves sends them by itself; `wekadocs-mcp ingest` does, too"
_OURS_NEXT = (
    "where the corpus has moved, ingest or serve: the graph is made anew from here; where both are in use, give one "
    "another project or neo4j.database"
)
_START = "start Neo4j, or correct plugins.corpus.neo4j in tools.yaml"


async def check(corpus: Corpus) -> list[CheckResult]:
    if not corpus.settings.get("graph", True):
        return [("warning", "", "switched off: plugins.corpus.graph is false", "")]
    graph = corpus.graph
    if isinstance(graph, Neo4jGraph):
        await checking.loaded("neo4j")
    try:
        async with asyncio.timeout(checking.WITHIN):
            stats = await graph.stats(corpus.home)
            late, foreign = 0, False
            if isinstance(graph, Neo4jGraph):
                foreign = await is_of_another(corpus.truth, graph.server, corpus.home.project_id)
                late = await behind(corpus.truth, graph.server, corpus.home.project_id)
    except Unavailable as error:
        return [("broken", "", str(error), _START)]
    except TimeoutError:
        server = f"Neo4j at {graph.server.name}" if isinstance(graph, Neo4jGraph) else "the embedded graph"
        return [("broken", "", f"{server} does not answer", _START)]
    kind = "Neo4j" if isinstance(graph, Neo4jGraph) else "embedded"
    if foreign:
        note = f"Neo4j has the project {corpus.home.project_id} from another data directory or database"
        return [("warning", "", note, _OURS_NEXT)]
    if late:
        return [("warning", "", f"{kind}: {late:,} change(s) behind", _CATCHES_UP)]
    return [("ok", "", f"{kind}: {sum(stats.values()):,} nodes and edges", "")]
