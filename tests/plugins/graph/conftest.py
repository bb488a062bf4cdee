"""The sample documentation as a graph: served from the embedded store and from a real Neo4j."""

from __future__ import annotations

import asyncio
import importlib.util
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from neo4j_server import neo4j_server

from wekadocs_corpus.graph.choose import sync_neo4j
from wekadocs_corpus.graph.neo4j.graph import Neo4jGraph
from wekadocs_corpus.model import Area
from wekadocs_corpus.store.sqlite.truth import SqliteTruth
from wekadocs_mcp.app import App
from wekadocs_mcp.config import deployment as configuration

_spec = importlib.util.spec_from_file_location("kb_conftest", Path(__file__).parents[1] / "conftest.py")
assert _spec is not None and _spec.loader is not None
kb = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(kb)

PROJECT = f"graph-{uuid4().hex[:8]}"  # the Neo4j server is shared


def settings(**changes: Any) -> dict[str, Any]:
    plugins = {name: changes.pop(name, {}) for name in ("corpus", "scratch", "kb", "graph")}
    scope = {"project_id": PROJECT, "environment": "prod", **changes.pop("scope", {})}
    return {"plugins": plugins, "flags": {"MCP_KB_V2_ENABLED": True}, "scope": scope, **changes}


@pytest.fixture(scope="session")
def project() -> str:
    return PROJECT


@pytest.fixture(scope="session")
def ingest() -> Callable[..., None]:
    """`ingest(data_dir, folder)`."""
    return lambda data_dir, folder: kb.ingest(data_dir, folder, project=PROJECT)


@pytest.fixture(scope="session")
def config(tmp_path_factory: pytest.TempPathFactory, data: Path) -> list[str]:
    """What a command is given to find the sample."""
    file = tmp_path_factory.mktemp("config") / "tools.yaml"
    file.write_text(json.dumps(settings()))
    return ["--config", str(file), "--data", str(data)]


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample, and a secret of another project that speaks of the same things."""
    folder: Path = tmp_path_factory.mktemp("graph")
    kb.ingest(folder, project=PROJECT)
    secret = tmp_path_factory.mktemp("secret")
    (secret / "vault.md").write_text("# Secret Vault\n\nRun `strata mount`, see STR-1007 and Mount a filesystem.\n")
    kb.ingest(folder, secret, project="another")
    return folder


@pytest.fixture(scope="session")
def in_neo4j(data: Path) -> dict[str, str]:
    """Settings of the server that holds the same."""
    server = neo4j_server()
    truth = SqliteTruth(data)
    for project in (PROJECT, "another"):
        asyncio.run(sync_neo4j(truth, server.settings, project))
    asyncio.run(_planned(server.settings))
    truth.close()
    return server.settings


async def _planned(settings: dict[str, str]) -> None:
    """Every question asked once, with patience: a busy machine takes its time to plan them."""
    graph, scope = Neo4jGraph({**settings, "timeout_seconds": 120}), Area(PROJECT, "prod")
    entities = await graph.lookup("strata", scope, prefix=True)
    ids = [each.id for each in entities]
    around = await graph.neighbours(ids, scope, hops=3, limit=100)
    ids = [each.id for each in around.nodes[:20]]
    await graph.paths(ids, ids, scope, max_hops=5, types=["CO_MENTIONED", "MENTIONS"])
    await graph.parents(ids, scope)
    await graph.children(ids[0], scope)
    await graph.sections_for_entities([node.id for node in entities], scope)
    await graph.entities_for_sections(ids, scope)
    await graph.related_sections(ids, scope)
    await graph.stats(scope)
    await graph.close()


@pytest.fixture(scope="module")
def serve(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Any]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WEKADOCS_CACHE", str(tmp_path_factory.mktemp("cache")))
        started: list[Any] = []

        def start(data_dir: Path = data, **changes: Any) -> Any:
            started.append(kb.Served(App.build(configuration.from_dict(settings(**changes), data_dir))))
            return started[-1]

        yield start
        for each in started:
            each.close()


class Both:
    """One question to both stores; the answer on which they agree, order included."""

    def __init__(self, *served: Any) -> None:
        self.served = served

    def ask(self, tool: str, arguments: dict[str, Any], **caller: Any) -> dict[str, Any]:
        answers = [each.ask(tool, self._own(each, arguments), **caller) for each in self.served]
        plain = [self._plain(each, answer) for each, answer in zip(self.served, answers, strict=True)]
        assert plain[0] == plain[1]
        return plain[0]

    def refused(self, tool: str, arguments: dict[str, Any], **caller: Any) -> dict[str, Any]:
        errors = [each.refused(tool, arguments, **caller) for each in self.served]
        assert errors[0] == errors[1]
        return errors[0]

    # Cursors are each server's own: the tests see a pair of them as one.

    def _plain(self, served: Any, answer: dict[str, Any]) -> dict[str, Any]:
        if not answer.get("next_cursor"):
            return answer
        self._cursors = {**getattr(self, "_cursors", {}), id(served): answer["next_cursor"]}
        return {**answer, "next_cursor": "the next page"}

    def _own(self, served: Any, arguments: dict[str, Any]) -> dict[str, Any]:
        if arguments.get("cursor") != "the next page":
            return arguments
        return {**arguments, "cursor": self._cursors[id(served)]}


@pytest.fixture(scope="module")
def embedded(serve: Callable[..., Any]) -> Any:
    return serve()


@pytest.fixture(scope="module")
def both(serve: Callable[..., Any], embedded: Any, in_neo4j: dict[str, str]) -> Both:
    return Both(embedded, serve(corpus={"neo4j": in_neo4j}))


@pytest.fixture(scope="module")
def found(embedded: Any) -> list[str]:
    """section_ids as kb.search returns them."""
    rows = embedded.ask("kb.search", {"query": "How do I mount a filesystem?"})["results"]
    return [row["section_id"] for row in rows]
