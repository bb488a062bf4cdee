"""The commands of the page on Qdrant, run against a server of our own: the same answers as without one."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import qdrant_fake
import qdrant_grpc

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs" / "how-to" / "use-qdrant.md").read_text("utf-8")
DOCKER, COMMANDS = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[:2]
EXPORTS, *RUN = [line for line in COMMANDS.splitlines() if line]


@pytest.fixture
def fake() -> Iterator[qdrant_fake.FakeQdrant]:
    with qdrant_fake.running() as made:
        (made.key,) = re.findall(r"QDRANT__SERVICE__API_KEY=(\S+)", DOCKER)
        yield made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "docs" / "sample" / "docs", tmp_path / "docs")
    return tmp_path


def told(folder: Path, command: str, **environment: str) -> str:
    given = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", **environment}
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=given, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def answer(text: str) -> list[dict[str, Any]]:
    """What was found, without the names that each call gives it anew."""
    anew = {"passage_id", "scratch_uri"}
    return [{key: value for key, value in each.items() if key not in anew} for each in json.loads(text)["results"]]


@pytest.mark.parametrize("grpc", [False, True], ids=["http", "grpc"])
def test_the_page_leads_to_the_same_answers_as_without_a_server(fake, folder, grpc):
    ingest, doctor, call = RUN
    told(folder, ingest, WEKADOCS_DATA=str(folder / "without"))
    expected = answer(told(folder, call, WEKADOCS_DATA=str(folder / "without")))
    with qdrant_grpc.running(fake) as port:
        settings = (ROOT / "tools.yaml").read_text("utf-8").replace("grpc:", f"grpc_port: {port}, grpc:")
        (folder / "tools.yaml").write_text(settings, "utf-8")
        exports = EXPORTS.replace("http://127.0.0.1:6333", fake.url)
        given = {"WEKADOCS_CONFIG": "tools.yaml", "WEKADOCS_DATA": str(folder / "with")}
        given |= {"QDRANT_GRPC": "true"} if grpc else {}
        told(folder, f"{exports}\n{ingest}", **given)
        assert "the Qdrant server answers and holds everything" in told(folder, f"{exports}\n{doctor}", **given)
        assert answer(told(folder, f"{exports}\n{call}", **given)) == expected != []
        for collection in fake.engine.names():
            fake.engine.drop(collection)
        told(folder, f"{exports}\n{ingest}", **given)  # which has nothing new to tell
        assert "the Qdrant server answers and holds everything" in told(folder, f"{exports}\n{doctor}", **given)
    assert {request.startswith("/qdrant.") for request in fake.seen} == {grpc}
