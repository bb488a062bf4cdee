"""Rules of the house that matter are tests."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import wekadocs_mcp
from wekadocs_mcp.plugins import hookspecs
from wekadocs_mcp.plugins.importing import HOOKS

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(("ruff", "check", "--no-cache", "."), id="lint"),
        pytest.param(("ruff", "format", "--no-cache", "--check", "."), id="format"),
        pytest.param(("mypy",), id="types"),
        pytest.param(("wekadocs-mcp", "contracts", "lint", "contracts", "docs/sample/tools"), id="contracts"),
        pytest.param(("wekadocs-mcp", "contracts", "docs", "--check"), id="reference is fresh"),
        pytest.param(("wekadocs-mcp", "contracts", "lock", "--check"), id="lock is fresh"),
        pytest.param(("wekadocs-mcp", "contracts", "test", "--plugins", "docs/sample/tools"), id="examples hold"),
    ],
)
def test_the_gate_passes(command):
    done = run(BIN / command[0], *command[1:])
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_hook_is_documented_in_one_sentence():
    for name in HOOKS:
        text = getattr(hookspecs, name).__doc__ or ""
        assert text.strip().endswith("."), f"{name} has no sentence"
        assert "\n" not in text.strip(), f"{name} needs one sentence, not a paragraph"


def _undescribed(schema, path=""):
    for name, child in schema.get("properties", {}).items():
        if not child.get("description"):
            yield f"{path}{name}"
        yield from _undescribed(child, f"{path}{name}.")


def test_every_setting_says_what_it_means():
    files = [*ROOT.glob("plugins/*/*/settings.schema.json"), ROOT / "contracts" / "_schema" / "tools.schema.json"]
    assert len(files) > 5
    assert [f"{file.parent.name} {each}" for file in files for each in _undescribed(json.loads(file.read_text()))] == []


@pytest.mark.parametrize(
    "file", sorted(ROOT.glob("plugins/*/*/settings.schema.json")), ids=lambda file: file.parent.name
)
def test_every_setting_of_every_plugin_is_in_the_reference(file):
    page = (ROOT / "docs" / "reference" / "plugin-settings.md").read_text("utf-8")
    part = page.partition(f"## `{file.parents[1].name}`\n")[2].partition("\n## ")[0]
    assert part, "it has no part of its own"
    for name, child in json.loads(file.read_text())["properties"].items():
        assert f"| `{name}` |" in part
        for inner in child.get("properties", {}):
            assert f"| `{name}.{inner}`" in part


@pytest.mark.parametrize("name", ["Prompt(\n    name: str", "Resource(\n    uri: str", "client_for(", "check_plugin("])
def test_the_signatures_that_authors_need_are_in_the_reference(name):
    assert f"```python\n{name}" in (ROOT / "docs" / "reference" / "python.md").read_text("utf-8")


def test_every_public_name_can_be_imported():
    for name in wekadocs_mcp.__all__:
        assert getattr(wekadocs_mcp, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        wekadocs_mcp.nonsense  # noqa: B018


def test_every_public_name_is_in_the_recipes():
    page = (ROOT / "docs" / "how-to" / "handler-recipes.md").read_text("utf-8")
    assert [name for name in wekadocs_mcp.__all__ if f"`{name}" not in page] == []


def test_the_host_knows_no_tool_and_no_database():
    for path in (ROOT / "src" / "wekadocs_mcp").rglob("*.py"):
        modules = {
            name.name.split(".")[0]
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in (node.names if isinstance(node, ast.Import) else [ast.alias(node.module or "")])
        }
        assert not modules & {"qdrant_client", "neo4j", "sqlite3", "wekadocs_corpus"}, path


def test_the_fast_door_imports_nothing_heavy():
    """What stands between the interpreter's start and the first answer."""
    script = (
        "import sys; before = set(sys.modules); from wekadocs_mcp import entry\n"
        "from wekadocs_mcp.transports.fast_door import door\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = run(sys.executable, "-I", "-c", script)
    loaded = set(done.stdout.split())
    heavy = {
        "asyncio",
        "click",
        "yaml",
        "mcp",
        "pydantic",
        "jsonschema_rs",
        "importlib.metadata",
        "dataclasses",
        "pathlib",
    }
    assert "wekadocs_mcp.transports.fast_door.door" in loaded, done.stderr
    assert not loaded & heavy
