"""What other installers read is fresh, valid, and starts the server."""

import base64
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from npm_tools import command

import packages
from wekadocs_mcp import __version__

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent


def read(name):
    return (ROOT / name).read_text("utf-8")


def test_everything_is_as_its_source_says():
    checked = subprocess.run(
        [sys.executable, "scripts/packages.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stderr


def test_a_stale_file_is_told_and_left_alone(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(packages, "files", lambda: {"server.json": "new"})
    monkeypatch.setattr(packages, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["packages.py", "--check"])
    (tmp_path / "server.json").write_text("old", "utf-8")
    with pytest.raises(SystemExit, match="1"):
        packages.main()
    assert "server.json is stale" in capsys.readouterr().err and (tmp_path / "server.json").read_text() == "old"


@pytest.mark.node
def test_the_bundle_passes_its_official_validator():
    validate = [*command("@anthropic-ai/mcpb", "2.1.2", "mcpb"), "validate", str(ROOT / "packages/mcpb/manifest.json")]
    checked = subprocess.run(validate, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_registry_would_take_the_server():
    """Its rules by name: docs.registry.modelcontextprotocol.io, schema of 2025-12-11."""
    entry = json.loads(read("server.json"))
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"]) and len(entry["description"]) <= 100
    assert f"mcp-name: {entry['name']}" in read("README.md")  # how PyPI's package proves whose it is
    assert f'io.modelcontextprotocol.server.name="{entry["name"]}"' in read("Dockerfile")
    python, image = entry["packages"]
    assert entry["version"] == python["version"] == image["identifier"].rpartition(":")[2] == __version__
    assert python["transport"] == image["transport"] == {"type": "stdio"}


@pytest.mark.parametrize("name", [".claude-plugin/plugin.json", "gemini-extension.json"])
def test_what_a_client_would_start_lists_the_tools(name, tmp_path):
    fake = tmp_path / "bin" / "uvx"
    fake.parent.mkdir()
    fake.write_text(f'#!/bin/sh\n[ "$1" = --from ] || exit 9\n[ "$2" = "wekadocs-mcp=={__version__}" ] || exit 9\n'
                    f'shift 3\nexec "{BIN}/wekadocs-mcp" "$@"\n')  # fmt: skip
    fake.chmod(0o755)
    client = tmp_path / "client.json"
    client.write_text(json.dumps({"mcpServers": json.loads(read(name))["mcpServers"]}), "utf-8")
    environment = {**os.environ, "PATH": f"{fake.parent}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}
    asked = [BIN / "wekadocs-mcp", "doctor", "--client", client]
    told = subprocess.run(asked, env=environment, capture_output=True, text=True, timeout=60)
    assert "kb.retrieve_evidence" in told.stdout + told.stderr, told.stdout + told.stderr


def test_the_links_carry_the_same_command_as_the_plugin():
    config = json.loads(read(".claude-plugin/plugin.json"))["mcpServers"]["wekadocs"]
    vscode, cursor = re.findall(r"\(((?:https://vscode|https://cursor)[^)]+)\)", read("README.md"))
    assert json.loads(parse_qs(urlsplit(vscode).query)["config"][0]) == config
    assert json.loads(base64.b64decode(parse_qs(urlsplit(cursor).query)["config"][0])) == config


def test_the_skill_is_one_and_names_every_tool_that_is_listed():
    text = read("skills/wekadocs/SKILL.md")
    head = yaml.safe_load(text.split("---")[1])
    assert head["name"] == "wekadocs" and 0 < len(head["description"]) <= 1024
    assert "kb.retrieve_evidence" in text and "](../" not in text
    shown = re.findall(r"^\| `([\w.]+)` \| Use when", text, re.MULTILINE)
    assert shown == [tool["name"] for tool in json.loads(read("packages/mcpb/manifest.json"))["tools"]]


def test_the_image_is_slim_does_not_run_as_root_and_its_context_has_what_it_builds_from():
    lines = [line for line in read("Dockerfile").splitlines() if line and not line.startswith("#")]
    assert [line.split()[1] for line in lines if line.startswith("FROM")] == ["python:3.12-slim"] * 2
    assert [line for line in lines if line.startswith("USER")] == ["USER 10001"]
    kept = [line[1:] for line in read(".dockerignore").splitlines() if line.startswith("!")]
    assert all((ROOT / name).exists() for name in kept)
    assert {"contracts", "plugins", "src", "tools.yaml", "docs/sample/docs", "pyproject.toml"} <= set(kept)


def test_nothing_is_published_before_all_of_it_is_tested_and_built():
    jobs = yaml.safe_load(read(".github/workflows/release.yml"))["jobs"]
    ran = [step.get("run", "") for step in jobs["build"]["steps"]]
    assert ran.index("make test") < ran.index(".venv/bin/python -m build --outdir dist .")
    assert {name: job.get("needs") for name, job in jobs.items()} == {
        "build": None,
        "image": "build",
        "pypi": ["build", "image"],
        "github": ["build", "pypi"],
        "registry": ["pypi", "image"],
    }
