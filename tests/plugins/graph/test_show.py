"""`wekadocs-mcp graph show`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(sys.executable).parent / "wekadocs-mcp"


def show(config: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(SCRIPT), "graph", "show", *arguments, *config]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_a_document_is_shown_as_a_tree(config: list[str]) -> None:
    done = show(config, "filesystems/mount.md")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Document Mount a filesystem [")
    assert lines[0].endswith("filesystems/mount.md")
    assert any("├─ linked from: " in line and "Unmount (Section)" in line for line in lines)
    assert any("Section Mount at boot #mount-at-boot" in line for line in lines)
    assert any("names: " in line and "/mnt/projects (File, 2 times)" in line for line in lines)


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("filesystems/mount.md#mount-at-boot", "Section Mount at boot"),
        ("mount AT boot", "Section Mount at boot"),
        ("edquot", "Error EDQUOT"),
        ("strata_token", "Variable STRATA_TOKEN"),
    ],
)
def test_a_node_is_found_by_place_title_or_name(config: list[str], name: str, first: str) -> None:
    done = show(config, name, "--depth", "0")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(first)


def test_a_node_is_found_by_its_id_and_comes_as_json(config: list[str]) -> None:
    once: dict[str, Any] = json.loads(show(config, "filesystems/mount.md", "--json").stdout)
    again = json.loads(show(config, once["id"], "--json").stdout)
    assert once == again
    assert once["parts"][-1]["parts"][0]["title"] == "Before you start"


def test_what_precedes_the_first_heading_is_shown_too(config: list[str]) -> None:
    whole: dict[str, Any] = json.loads(show(config, "filesystems/mount.md", "--json").stdout)
    done = show(config, whole["parts"][0]["id"])
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Section Front matter [")


def test_for_an_unknown_name_the_nearest_ones_are_told(config: list[str]) -> None:
    done = show(config, "Mount at bot")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no node is called 'Mount at bot'. Near: Mount at boot" in done.stderr


def test_with_nothing_indexed_the_way_out_is_told(config: list[str], tmp_path: Path) -> None:
    done = show([*config[:2], "--data", str(tmp_path)], "anything")
    assert done.returncode == 1
    assert "wekadocs-mcp ingest DIR" in done.stderr


@pytest.mark.parametrize(
    ("password", "code", "tells"), [("", 1, "no node is called"), ("wrong", 2, "user or password")]
)
def test_neo4j_and_its_password_come_from_the_environment(
    in_neo4j: dict[str, str], tmp_path: Path, password: str, code: int, tells: str
) -> None:
    given = {"NEO4J_URI": in_neo4j["uri"], "NEO4J_USER": in_neo4j["user"]}
    environment = {**os.environ, **given, "NEO4J_PASSWORD": password or in_neo4j["password"]}
    command = [str(SCRIPT), "graph", "show", "anything", "--data", str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == code, done.stderr
    assert tells in done.stderr
    assert in_neo4j["password"] not in done.stderr
