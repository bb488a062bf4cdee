"""A corpus whose graph is embedded and, after `settle`, in Neo4j as well."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

from graph_documents import document, write
from neo4j_server import Server

from wekadocs_corpus.graph.choose import load, sync_neo4j
from wekadocs_corpus.graph.interface import Graph
from wekadocs_corpus.model import Area, Document, digest
from wekadocs_corpus.store.sqlite.truth import SqliteTruth

INSTALL = """# Install the Cluster

Before you start, read [the network page](network.md#bonding) and [Quick Start](../start.md).
The Protocol Gateway needs `WEKA_HOME` and the file `/etc/weka/agent.conf`.

## Run the installer

1. Download the package.
2. Run the installer.
3. Reboot.

```bash
weka cluster create --host-ips 10.0.0.1
```

## Verify

See `--verbose` and Ubuntu 22.04.
"""

NETWORK = """# Network Setup

## Bonding

Set `--host-ips`. The Protocol Gateway uses it; see [Install](install.md).

### Details

`WEKA_HOME` again, and `WEKA_HOME`.
"""

GATEWAY = "# Protocol Gateway\n\nServes NFS. Set up by `weka cluster create --host-ips`, as Network Setup says.\n"


class World:
    """A truth with its project, the embedded graph and, after `settle`, the same in Neo4j."""

    def __init__(self, truth: SqliteTruth, server: Server) -> None:
        self.truth, self.settings = truth, server.settings
        self.project = f"test-{uuid4().hex}"
        self.area = Area(self.project, "prod")
        self.runner = asyncio.Runner()  # a driver belongs to its loop
        self.graphs = (load(truth), load(truth, self.settings))

    def close(self) -> None:
        for graph in self.graphs:
            self.runner.run(graph.close())
        self.runner.close()
        self.truth.close()

    def add(self, path: str, text: str, **place: Any) -> Document:
        made = document(path, text, **{"project": self.project, **place})
        write(self.truth, made)
        return made

    async def settle(self) -> int:
        return await sync_neo4j(self.truth, self.settings, self.project)

    async def both(self, ask: Callable[[Graph], Awaitable[Any]]) -> Any:
        """The answer on which both agree."""
        answers = [await ask(graph) for graph in self.graphs]
        assert answers[0] == answers[1]
        return answers[0]

    def ask(self, question: Callable[[Graph], Awaitable[Any]]) -> Any:
        async def run() -> Any:
            await self.settle()
            return await self.both(question)

        return self.runner.run(run())


def filled(world: World) -> World:
    world.install = world.add("docs/install.md", INSTALL)  # type: ignore[attr-defined]
    world.network = world.add("docs/network.md", NETWORK, doc_tag="network")  # type: ignore[attr-defined]
    world.gateway = world.add("docs/gateway.md", GATEWAY)  # type: ignore[attr-defined]
    return world


def entity(world: World, label: str, key: str) -> str:
    return digest(world.project, "prod", label, key)


def ids_of(world: World) -> list[str]:
    with world.truth.reading() as connection:
        tables = ("documents", "sections", "chunks", "entities")
        return [row[0] for table in tables for row in connection.execute(f"SELECT id FROM {table} ORDER BY id")]
