"""tools.yaml: what it refuses, and what the environment puts in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from wekadocs_mcp.app import App
from wekadocs_mcp.cli.main import cli
from wekadocs_mcp.config.deployment import load


def test_a_server_without_tools_yaml_starts_on_the_shipped_one() -> None:
    config = load()
    assert config.server["name"] == "wekadocs"
    assert config.scope["project_id"] == "wekadocs-matrix"
    names = [tool["name"] for tool in App.build(config).tools_list()["tools"]]
    assert "kb.retrieve_evidence" in names
    assert not [name for name in names if name.startswith("test_")]  # conformance is off


def test_a_tools_yaml_over_nothing_has_every_default(workshop: Any) -> None:
    config = workshop.config("extends: none")
    assert config.plugins == {}
    assert config.server["name_style"] == "dotted"
    assert config.budgets == {"response_bytes": 65536, "timeout_seconds": 30, "max_concurrency": 16}
    assert config.scope == {"project_id": "wekadocs-matrix", "environment": "prod", "doc_tags": [], "repositories": []}
    assert config.flags["MCP_KB_V2_ENABLED"] is True


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("server:\n  nmae: x\n", "2:3", "did you mean `name`?"),
        ("sever: {}\n", "1:1", "did you mean `server`?"),
        ("server: {name_style: dots}\n", "1:22", '"dots" is not one of "dotted", "underscore"'),
        ("server: {read_only: yes}\n", "1:21", '"yes" is not of type boolean'),
        ("server: {prefix: 'a b'}\n", "1:18", "does not match"),
        ("budgets: {timeout_seconds: 0}\n", "1:28", "0 is not above 0"),
        ("flags: {lower: true}\n", "1:", "lower"),
        ("flags: {A_FLAG: 1}\n", "1:17", "1 is not of type boolean"),
        ("plugins: [a]\n", "1:10", "is not of type object"),
        ("plugins: {conformance: {enabled: maybe}}\n", "1:34", '"maybe" is not of type boolean'),
        ("toolsets: {a: {strip_prefix: true}}\n", "1:", "`tools` is required"),
        ("scope: {project_id: ''}\n", "1:21", "shorter than 1"),
        ("scope: {doc_tags: a}\n", "1:19", '"a" is not of type array'),
        ("overlays: {x: {caps: {a: b}}}\n", "1:26", '"b" is not of type number'),
        ("- a\n", "1:1", "tools.yaml is a mapping"),
        ("a: 1\na: 2\n", "2:1", "`a` stands here and in line 1"),
        ("server: &a {}\n", "1:9", "anchors"),
        ("server: {name: !!str x}\n", "1:16", "tag"),
        ("a: [\n", "1:5", "not YAML"),
    ],
)
def test_a_mistake_is_shown_with_line_caret_and_way_out(workshop: Any, text: str, place: str, message: str) -> None:
    said = workshop.refusal(text)
    assert f"tools.yaml:{place}" in said
    assert message in said
    assert "^" in said
    assert "  fix: " in said


def test_all_mistakes_come_at_once(workshop: Any) -> None:
    said = workshop.refusal("server: {nmae: x, text: long}\nbudgets: {max_concurrency: 0}\n")
    assert said.count("  fix: ") == 3


def test_a_duplicate_key_or_an_anchor_hides_no_other_mistake(workshop: Any) -> None:
    text = """
server: &base {nmae: x}
server: {text: long}
budgets: {max_concurrency: 0}
scope: *base
plugin_paths: ["${NOT_SET_HERE}"]
"""
    said = workshop.refusal(text)
    for told in ("`server` stands here and in line 2", "did you mean `name`?", "0 is below", "NOT_SET_HERE is not set"):
        assert said.count(told) == 1
    assert said.count("anchors and aliases") == 2
    assert said.count("  fix: ") == 6


def test_all_switches_in_a_wrong_position_come_at_once(workshop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCP_KB_V2_ENABLED", "maybe")
    monkeypatch.setenv("MCP_STRUCTURED_OUTPUT_ENABLED", "2")
    said = workshop.refusal({})
    assert "variable MCP_KB_V2_ENABLED" in said
    assert "variable MCP_STRUCTURED_OUTPUT_ENABLED" in said


def test_a_wrong_switch_is_told_by_plugins_commands_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCP_KB_V2_ENABLED", "maybe")
    result = CliRunner().invoke(cli, ["--data", str(tmp_path), "status"])
    assert result.exit_code == 2
    assert "variable MCP_KB_V2_ENABLED" in result.output
    assert "No such command" not in result.output


def test_a_missing_file_is_said_so(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["--config", str(tmp_path / "nothing.yaml"), "tools"])
    assert result.exit_code == 2
    assert "there is no such tools.yaml" in result.stderr


def test_the_environment_is_put_in(workshop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERVER_NAME", "acme")
    monkeypatch.setenv("EMPTY", "")
    text = """
server:
  {name: "${SERVER_NAME}-${PART:-docs}", title: "${EMPTY:-filled}", instructions: "$${KEPT}", read_only: "${RO:-true}"}
budgets: {timeout_seconds: "${SECONDS_ALLOWED:-2.5}"}
scope: {doc_tags: ["${NO_TAG:-}", "x${PART:-y}"]}
"""
    config = workshop.config(text)
    assert config.server["name"] == "acme-docs"
    assert config.server["title"] == "filled"
    assert config.server["instructions"] == "${KEPT}"
    assert config.server["read_only"] is True
    assert config.budgets["timeout_seconds"] == 2.5
    assert config.scope["doc_tags"] == ["", "xy"]
    assert config.environment["SERVER_NAME"] == "acme"
    assert config.environment["PART"] is None


def test_an_unset_variable_is_refused_with_the_way_out(workshop: Any) -> None:
    said = workshop.refusal('server:\n  name: "${NOT_SET_HERE}"\n  title: "${NOR_THIS}"\n')
    assert "tools.yaml:2:9" in said
    assert "the environment variable NOT_SET_HERE is not set" in said
    assert "NOR_THIS" in said
    assert "${NOT_SET_HERE:-…}" in said


@pytest.mark.parametrize(
    "text",
    [
        'server: {name_style: "${SECRET}"}',
        'server: {max_sessions: "${SECRET}"}',
        'server: ["${SECRET}"]',
        'plugins: {conformance: ["${SECRET}"]}',
        'plugins: {conformance: {enabled: "${SECRET}"}}',
        'plugins: {conformance: {enabled: true, token: "${SECRET}"}}',
        'toolsets: {a: {tools: "${SECRET}"}}',
        'toolsets: {a: "${SECRET}"}',
        'flags: {A: "x${SECRET}"}',
        'budgets: {timeout_seconds: "-${SECRET}"}',
        'overlays: {demo.echo: {caps: {text: "${SECRET}"}}}',
        'overlays: {demo.echo: {defaults: {text: ["${SECRET}"]}}}',
        'overlays: {demo.echo: {defaults: {text: {a: "${SECRET}"}}}}',
    ],
)
def test_a_secret_of_the_environment_is_never_in_an_error(workshop: Any, monkeypatch: Any, text: str) -> None:
    monkeypatch.setenv("SECRET", "hunter2")
    workshop.echo()
    said = workshop.refusal(text + "\n")
    assert "hunter2" not in said
    assert "tools.yaml:1:" in said


def test_an_unknown_key_with_a_value_from_the_environment_is_called_unknown(workshop: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("SECRET", "hunter2")
    said = workshop.refusal('server: {nmae: "${SECRET}"}\n')
    assert "did you mean `name`?" in said
    assert "hunter2" not in said
