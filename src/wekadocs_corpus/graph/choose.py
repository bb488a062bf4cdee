"""Which graph answers: Neo4j where a URI is configured, else the truth's own tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from .interface import Graph

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.interface import Truth


def load(truth: Truth, settings: Mapping[str, Any] | None = None) -> Graph:
    """`settings` is tools.yaml `plugins.corpus.neo4j`; nothing is connected before the first question."""
    if settings and settings.get("uri"):
        from wekadocs_corpus.graph.neo4j.graph import Neo4jGraph

        return Neo4jGraph(settings)
    return truth.embedded_graph()


async def sync_neo4j(
    truth: Truth, settings: Mapping[str, Any], project: str, progress: Callable[[str, int, int], None] | None = None
) -> int:
    """Bring the project's graph in Neo4j up to date; the sequence it now has."""
    from wekadocs_corpus.graph.neo4j.session import Neo4jServer
    from wekadocs_corpus.graph.neo4j.sync import sync

    server = Neo4jServer(settings)
    try:
        return await sync(truth, server, project, progress)
    finally:
        await server.close()
