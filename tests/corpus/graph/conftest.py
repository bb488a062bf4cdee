"""Worlds of documents, embedded and in a real Neo4j."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from neo4j_server import Server, neo4j_server

from wekadocs_corpus.store.sqlite.truth import SqliteTruth

sys.path.insert(0, str(Path(__file__).parent))  # so that tests share what stands beside this file
from graph_world import World, filled


@pytest.fixture(scope="session")
def neo4j() -> Server:
    return neo4j_server()


@pytest.fixture
def world(tmp_path: Path, neo4j: Server) -> Iterator[World]:
    made = World(SqliteTruth(tmp_path / "data"), neo4j)
    yield made
    made.close()


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory, neo4j: Server) -> Iterator[World]:
    """Shared by tests that only ask."""
    made = World(SqliteTruth(tmp_path_factory.mktemp("graph")), neo4j)
    yield filled(made)
    made.close()
