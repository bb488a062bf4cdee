"""A repository with one published contract, and the command run in it as a person would."""

import json
import os
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from wekadocs_contracts.diff.command import diff_command

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "docs" / "sample" / "tools" / "hello.v1.yaml"
RUN = "from wekadocs_mcp.entry import main; main()"


@pytest.fixture
def rand() -> random.Random:
    """The same cases every time; TEST_SEED=N makes others, which is how to look for what nobody thought of."""
    return random.Random(int(os.environ.get("TEST_SEED", "1")))


@dataclass
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def rules(self) -> dict[str, str]:
        return {row["rule"]: row["verdict"] for row in self.json["changes"]}


class Repository:
    """A git repository in a temporary folder, with `contracts/hello.v1.yaml` in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.contract = folder / "contracts" / "hello.v1.yaml"

    def start(self) -> "Repository":
        self.contract.parent.mkdir(parents=True)
        self.contract.write_text(SAMPLE.read_text("utf-8"), "utf-8")
        self.git("init", "-q", "-b", "main")
        self.commit("first")
        return self

    def git(self, *arguments: str) -> str:
        identity = ["-c", "user.email=a@example.org", "-c", "user.name=a", "-c", "commit.gpgsign=false"]
        done = subprocess.run(
            ["git", *identity, *arguments], cwd=self.folder, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def commit(self, message: str) -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def edit(self, *pairs: tuple[str, str], file: Path | None = None) -> None:
        path = file or self.contract
        text = path.read_text("utf-8")
        for old, new in pairs:
            assert old in text, old
            text = text.replace(old, new, 1)
        path.write_text(text, "utf-8")

    def diff(self, *arguments: str, **environment: str) -> Done:
        return run("contracts", "diff", *arguments, cwd=self.folder, **environment)


def run(*arguments: str, cwd: Path, **environment: str) -> Done:
    known = {key: value for key, value in os.environ.items() if not key.startswith(("GITHUB_", "MCP_", "GIT_"))}
    known |= {"PYTHONPATH": str(ROOT / "src"), "WEKADOCS_CACHE": str(cwd / ".cache"), "HOME": str(cwd)}
    done = subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        cwd=cwd,
        env=known | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repository").start()


@pytest.fixture
def released(repository: Repository) -> Repository:
    repository.git("tag", "v1.0.0")
    return repository


@pytest.fixture
def cli():
    return run


def tool(schema: Any = None, output: Any = None, **other: Any) -> dict[str, Any]:
    found = {"name": "t", "inputSchema": {"type": "object"} if schema is None else schema, **other}
    return found if output is None else {**found, "outputSchema": output}


@pytest.fixture
def wire(tmp_path: Path):
    """Compares two tools as JSON files; None is `null`."""

    def compare(old: Any, new: Any, *options: str) -> Done:
        names = []
        for name, data in (("old", old), ("new", new)):
            path = tmp_path / f"{name}.json"
            path.write_text(json.dumps(data), "utf-8")
            names.append("null" if data is None else str(path))
        done = CliRunner().invoke(diff_command(), [*names, "--format", "json", *options])
        return Done(done.exit_code, done.stdout, done.stderr)

    compare.tool = tool
    return compare
