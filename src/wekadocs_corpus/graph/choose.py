"""Which graph answers: Neo4j where a URI is configured, else the truth's own tables."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from .interface import Graph

LOOK_EVERY = 1.0  # seconds between two looks for changes

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


def follower(
    truth: Truth, settings: Mapping[str, Any], warn: Callable[[str], None], every: float = LOOK_EVERY
) -> asyncio.Task[None] | None:
    """What keeps Neo4j up to date until it is cancelled; `settings` is tools.yaml `plugins.corpus`."""
    server = settings.get("neo4j") or {}
    if not server.get("uri") or not settings.get("graph", True):
        return None
    from wekadocs_corpus.graph.neo4j.following import follow

    return asyncio.create_task(follow(truth, server, warn, every))
