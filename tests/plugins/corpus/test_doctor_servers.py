"""`doctor` when a server that is configured is down: it is named, with its address, without credentials."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import qdrant_fake
from click.testing import CliRunner

from wekadocs_corpus.store import checking
from wekadocs_mcp.cli.main import cli


@pytest.fixture
def silent() -> Iterator[int]:
    """A port that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def closed() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def broken(data_dir: Path, what: str) -> dict[str, Any]:
    done = CliRunner().invoke(cli, ["--data", str(data_dir), "doctor", "--json"])
    assert done.exit_code == 1
    assert "hunter2" not in done.output
    (found,) = [row for row in json.loads(done.stdout) if row["what"] == f"plugin {what}" and row["state"] == "broken"]
    return found


@pytest.fixture(autouse=True)
def _secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "WITHIN", 0.5)
    monkeypatch.setenv("QDRANT_API_KEY", "hunter2")
    monkeypatch.setenv("NEO4J_PASSWORD", "hunter2")


def test_a_qdrant_that_does_not_answer_is_named(silent: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QDRANT_URL", f"http://ada:hunter2@127.0.0.1:{silent}")
    found = broken(tmp_path, "corpus.search")
    assert found["note"] == f"Qdrant at http://127.0.0.1:{silent} does not answer"
    assert found["fix"] == "start Qdrant, or correct plugins.corpus.qdrant in tools.yaml"


def test_a_qdrant_that_is_not_there_is_named(closed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "WITHIN", 4.0)
    monkeypatch.setenv("QDRANT_URL", f"http://ada:hunter2@127.0.0.1:{closed}")
    found = broken(tmp_path, "corpus.search")
    assert found["note"].startswith(f"Qdrant at http://127.0.0.1:{closed}: cannot be reached")
    assert "start Qdrant" in found["fix"]


def test_a_neo4j_that_does_not_answer_is_named(silent: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", f"bolt://127.0.0.1:{silent}")
    found = broken(tmp_path, "corpus.graph")
    assert found["note"] == f"Neo4j at bolt://127.0.0.1:{silent}/neo4j does not answer"
    assert "start Neo4j" in found["fix"]


def test_a_neo4j_address_with_a_user_in_it_is_told_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://ada:hunter2@127.0.0.1:7687")
    assert "write them as neo4j.user and neo4j.password" in broken(tmp_path, "corpus.graph")["note"]


# For the loop ten seconds go by while the client of a server is being loaded.
_SLOW_TO_LOAD = """
import asyncio, sys
from wekadocs_mcp.cli.main import cli
late, own = [0.0], asyncio.BaseEventLoop.time
asyncio.BaseEventLoop.time = lambda loop: own(loop) + late[0]
class Slow:
    def find_spec(name, path=None, target=None):
        if name == "qdrant_client":
            late[0] += 10
sys.meta_path.insert(0, Slow)
cli()
"""


def test_what_a_busy_machine_takes_to_load_a_client_is_not_blamed_on_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with qdrant_fake.running() as fake:
        monkeypatch.setenv("QDRANT_URL", fake.url)
        command = [sys.executable, "-c", _SLOW_TO_LOAD, "--data", tmp_path, "doctor", "--json"]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    (found,) = [row for row in json.loads(done.stdout) if row["what"] == "plugin corpus.search"]
    assert "does not answer" not in found["note"]
    assert "did not end" not in found["note"]
