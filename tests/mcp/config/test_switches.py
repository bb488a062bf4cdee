"""Switches, toolsets and patterns: what is served, and what is refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from wekadocs_mcp.app import App

from .served_names import names

WRITES = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": False}


def disabled(workshop: Any, app: App, name: str) -> dict[str, Any]:
    told = workshop.call(app, name).error["error"]
    assert told["code"] == "INVALID_ARGUMENT"
    assert told["details"]["reason"] == "disabled"
    return told


@pytest.mark.parametrize("word", ["1", "true", "TRUE", "Yes", "on", "oN"])
def test_the_environment_switches_on(workshop: Any, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv("DEMO_ON", word)
    workshop.echo(flag="DEMO_ON")
    assert names(workshop.app({"flags": {"DEMO_ON": False}})) == ["demo.echo"]


@pytest.mark.parametrize("word", ["0", "false", "FALSE", "No", "off", "oFF"])
def test_the_environment_switches_off(workshop: Any, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv("DEMO_ON", word)
    workshop.echo(flag="DEMO_ON")
    app = workshop.app({"flags": {"DEMO_ON": True}})
    assert names(app) == []
    assert disabled(workshop, app, "demo.echo")["details"]["switch"] == "DEMO_ON"


def test_an_exclamation_mark_inverts_a_switch(workshop: Any) -> None:
    workshop.echo(flag="!DEMO_ON")
    assert names(workshop.app({"flags": {"DEMO_ON": False}})) == ["demo.echo"]
    assert names(workshop.app({"flags": {"DEMO_ON": True}})) == []


def test_an_empty_variable_leaves_the_switch_as_tools_yaml_has_it(
    workshop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEMO_ON", "")
    workshop.echo(flag="DEMO_ON")
    assert names(workshop.app({"flags": {"DEMO_ON": True}})) == ["demo.echo"]


@pytest.mark.parametrize("word", ["maybe", "2", " true", "wahr", "hunter2"])
def test_any_other_position_is_refused_without_showing_it(
    workshop: Any, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    monkeypatch.setenv("MCP_KB_V2_ENABLED", word)
    said = workshop.refusal({})
    assert "environment variable MCP_KB_V2_ENABLED" in said
    assert "1/true/yes/on or 0/false/no/off" in said
    assert "hunter2" not in said


def test_a_switch_that_nobody_knows_is_refused(workshop: Any) -> None:
    workshop.echo(flag="DEMO_ON")
    said = workshop.refusal()
    assert "$.flag: the flag DEMO_ON is unknown" in said
    assert "echo.v1.yaml:" in said
    assert "^" in said
    workshop.echo(flag="MCP_KB_V3_ENABLED")
    assert "did you mean `MCP_KB_V2_ENABLED`?" in workshop.refusal()
    assert "flags:" in said


def test_an_empty_variable_makes_no_switch_known(workshop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMO_ON", "")
    workshop.echo(flag="DEMO_ON")
    assert "the flag DEMO_ON is unknown" in workshop.refusal()


def test_a_switch_that_only_the_environment_knows_is_fine(workshop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMO_ON", "1")
    workshop.echo(flag="DEMO_ON")
    assert names(workshop.app()) == ["demo.echo"]


@pytest.mark.parametrize("value", ["many", "-1", "10", "999999999", "1e4", "²"])
def test_max_response_bytes_must_be_a_number_within_limits(
    workshop: Any, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("MAX_RESPONSE_BYTES", value)
    said = workshop.refusal({})
    assert "environment variable MAX_RESPONSE_BYTES" in said
    assert "from 1024 to 524288" in said


@pytest.mark.parametrize("how", ["file", "option"])
def test_read_only_hides_and_refuses_what_changes_something(workshop: Any, how: str) -> None:
    workshop.echo("demo.read")
    workshop.echo("demo.write", annotations=WRITES)
    app = workshop.app({"server": {"read_only": True}}) if how == "file" else workshop.app(read_only=True)
    assert names(app) == ["demo.read"]
    assert disabled(workshop, app, "demo.write")["details"]["switch"] == "server.read_only"
    assert workshop.call(app, "demo.read").code == "OK"


def test_include_and_exclude_choose_by_pattern_and_exclude_wins(workshop: Any) -> None:
    for name in ("demo.one", "demo.two", "other.three"):
        workshop.echo(name)
    assert names(workshop.app({"server": {"include": ["demo.*"]}})) == ["demo.one", "demo.two"]
    app = workshop.app({"server": {"include": ["demo.*"], "exclude": ["*.two"]}})
    assert names(app) == ["demo.one"]
    assert disabled(workshop, app, "demo.two")["details"]["switch"] == "server.exclude"
    assert disabled(workshop, app, "other.three")["details"]["switch"] == "server.include"


def test_a_toolset_serves_only_its_tools(workshop: Any) -> None:
    for name in ("demo.one", "other.two", "third.three"):
        workshop.echo(name)
    settings = {"toolsets": {"a": ["demo.*"], "b": {"tools": ["other.two"]}}}
    assert len(names(workshop.app(settings))) == 3
    app = workshop.app(settings, toolsets=("a",))
    assert names(app) == ["demo.one"]
    assert disabled(workshop, app, "other.two")["details"]["switch"] == "toolset"
    assert names(workshop.app(settings, toolsets=("a", "b"))) == ["demo.one", "other.two"]


def test_an_unknown_toolset_is_refused(workshop: Any) -> None:
    workshop.echo()
    said = workshop.refusal({"toolsets": {"docs": ["*"]}}, toolsets=("dosc",))
    assert "--toolset dosc" in said
    assert "did you mean `docs`?" in said


def test_a_disabled_contract_is_neither_listed_nor_called(workshop: Any) -> None:
    workshop.echo(status="disabled")
    app = workshop.app()
    assert names(app) == []
    assert disabled(workshop, app, "demo.echo")["details"]["switch"] == "status"
