"""Versions of a product side by side: one folder in two states, asked for by version."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from wekadocs_corpus.versions import newest_first
from wekadocs_mcp.cli.main import cli


@pytest.fixture
def run(tmp_path: Path) -> Any:
    def command(*words: str, **search: str) -> dict[str, Any]:
        (tmp_path / "tools.yaml").write_text(json.dumps({"plugins": {"corpus": {"search": search}}}))
        start = ["--config", str(tmp_path / "tools.yaml"), "--data", str(tmp_path / "data")]
        found: dict[str, Any] = json.loads(CliRunner().invoke(cli, [*start, *words]).stdout.splitlines()[-1])
        return found

    return command


def test_each_version_is_kept_and_asked_for_by_itself(run: Any, tmp_path: Path) -> None:
    page = tmp_path / "docs" / "index.md"
    page.parent.mkdir()
    for version in ("4.9", "4.10"):
        page.write_text(f"# Mount\n\nThe timeout of a mount is {version} seconds.\n")
        assert run("ingest", "--json", str(page.parent), "--version", version)["added"] == 1
    assert run("ingest", "--json", str(page.parent), "--version", "4.10")["unchanged"] == 1

    def paths(asked_for: str | None = None, **search: str) -> list[str]:
        asked: dict[str, Any] = {"query": "timeout of a mount"}
        asked |= {"filters": {"version": asked_for}} if asked_for else {}
        return sorted(row["path"] for row in run("call", "kb.search", json.dumps(asked), **search)["results"])

    assert paths() == paths("*", version="newest") == ["4.10/index.md", "4.9/index.md"]
    assert paths("4.9") == paths(version="4.9") == ["4.9/index.md"]
    assert paths("newest") == paths(version="newest") == ["4.10/index.md"]
    missing = run("call", "kb.search", '{"query": "timeout of a mount", "filters": {"version": "5"}}')
    assert (missing["results"], "Versions that exist: 4.10, 4.9." in missing["hint"]) == ([], True)
    assert run("ingest", "--json", "--remove", str(page.parent), "--version", "4.9")["deleted"] == 1
    assert paths() == ["4.10/index.md"]


def test_versions_are_ordered_by_their_numbers() -> None:
    assert newest_first(["4.9", "latest", "4.10-rc1", "v4.10", "4.2.1"]) == [
        "v4.10",
        "4.10-rc1",
        "4.9",
        "4.2.1",
        "latest",
    ]
