"""tools.yaml: what it refuses, what it switches, what it may change of a contract."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from wekadocs_mcp.app import App
from wekadocs_mcp.cli.main import cli
from wekadocs_mcp.config.deployment import load

WRITES = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": False}
SIZES = {
    "type": "object",
    "properties": {
        "top_k": {"type": "integer", "default": 5, "minimum": 1, "maximum": 20},
        "query": {"type": "string", "maxLength": 100},
        "options": {
            "type": "object",
            "default": {"depth": 8},
            "properties": {"depth": {"type": "integer", "maximum": 10}, "mode": {"enum": ["a", "b"], "default": "a"}},
        },
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 9},
        "flag": {"type": "boolean"},
    },
}


def names(app: App) -> list[str]:
    return [tool["name"] for tool in app.tools_list()["tools"]]


def disabled(workshop: Any, app: App, name: str) -> dict[str, Any]:
    told = workshop.call(app, name).error["error"]
    assert told["code"] == "INVALID_ARGUMENT"
    assert told["details"]["reason"] == "disabled"
    return told


# --- strict reading ---


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


# --- the environment ---


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


# --- switches ---


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


# --- what is served ---


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


# --- overlays ---


def overlaid(workshop: Any, overlay: dict[str, Any], schema: Any = SIZES, **settings: Any) -> dict[str, Any]:
    workshop.echo(input=schema)
    return workshop.app({"overlays": {"demo.echo": overlay}, **settings}).tools_list()["tools"][0]


def test_an_overlay_changes_words_and_the_limits_line_stays(workshop: Any) -> None:
    shown = overlaid(
        workshop, {"title": "Other", "routing": {"use_when": "It rains"}, "instructions": "Be {{ max.top_k }}."}
    )
    assert shown["title"] == "Other"
    lines = shown["description"].splitlines()
    assert lines[0] == "Use when it rains."
    assert lines[1] == "Do not use when nothing should."
    assert lines[-1] == "Be 20."
    replaced = overlaid(workshop, {"description": "All new."})["description"].splitlines()
    assert replaced[0] == "All new."
    assert replaced[1].startswith("Defaults: ")


@pytest.mark.parametrize("where", ["description", "instructions", "routing"])
@pytest.mark.parametrize("template", ["{{ nothing }}", "{% if %}", "{{ 1 / 0 }}"])
def test_an_overlays_template_that_fails_is_refused(workshop: Any, where: str, template: str) -> None:
    workshop.echo()
    overlay = {"routing": {"returns": template}} if where == "routing" else {where: template}
    said = workshop.refusal({"overlays": {"demo.echo": overlay}})
    assert "the template fails" in said
    assert "tools.yaml:" in said
    assert "known: max.NAME" in said


def test_server_instructions_that_fail_are_refused(workshop: Any) -> None:
    said = workshop.refusal({"server": {"instructions": "{{ max.x }}"}})
    assert "tools.yaml:" in said
    assert "the template fails" in said


def test_caps_and_defaults_of_an_overlay_are_listed_and_enforced(workshop: Any) -> None:
    overlay = {
        "defaults": {"top_k": 3, "options": {"mode": "b"}},
        "caps": {"top_k": 10, "query": 5, "tags": 2, "options.depth": 9},
    }
    shown = overlaid(workshop, overlay)
    assert shown["inputSchema"]["properties"]["top_k"] == {"type": "integer", "default": 3, "minimum": 1, "maximum": 10}
    assert "options.mode=b" in shown["description"]
    assert "query=5 characters" in shown["description"]
    app = workshop.app({"overlays": {"demo.echo": overlay}})
    got = workshop.call(app, "demo.echo").data["got"]
    assert got["top_k"] == 3
    assert got["options"] == {"depth": 8, "mode": "b"}
    for wrong in ({"top_k": 11}, {"query": "abcdef"}, {"tags": ["a", "b", "c"]}, {"options": {"depth": 10}}):
        assert workshop.call(app, "demo.echo", wrong).code == "INVALID_ARGUMENT"
    assert workshop.call(workshop.app(), "demo.echo", {"top_k": 20}).code == "OK"


@pytest.mark.parametrize(
    ("overlay", "message"),
    [
        ({"caps": {"top_k": 21}}, "21 is above the contract's cap of 20"),
        ({"caps": {"top_k": 0}}, "0 is below the contract's minimum of 1"),
        ({"caps": {"top_k": 4}}, "5 is above the maximum of 4"),
        ({"caps": {"options.depth": 7}}, "8 is above the maximum of 7"),
        ({"caps": {"flag": 1}}, "`flag` has no size to cap"),
        ({"caps": {"topk": 1}}, "did you mean `top_k`?"),
        ({"caps": {"query": 2.5}}, "2.5"),
        ({"defaults": {"top_k": 21}}, "default 21 is above the maximum of 20"),
        ({"caps": {"top_k": 10}, "defaults": {"top_k": 11}}, "default 11 is above the maximum of 10"),
        ({"defaults": {"top_k": "x"}}, 'default "x" is not of type integer'),
        ({"defaults": {"options.mode": "c"}}, 'default "c" is not one of "a", "b"'),
        ({"defaults": {"nothing": 1}}, "`nothing` is no argument"),
        ({"defaults": {"options.nothing": 1}}, "`options.nothing` is no argument"),
        ({"budgets": {"timeout_seconds": 31}}, "an overlay can only lower a budget"),
    ],
)
def test_what_an_overlay_may_not_do_is_refused(workshop: Any, overlay: dict[str, Any], message: str) -> None:
    workshop.echo(input=SIZES)
    said = workshop.refusal({"overlays": {"demo.echo": overlay}})
    assert message in said
    assert "tools.yaml:" in said


@pytest.mark.parametrize("name", ["must", "behind", "inner.must"])
def test_an_overlays_default_of_a_required_argument_is_refused(workshop: Any, name: str) -> None:
    """Only a contract says what callers may leave out."""

    def demanding(name: str, **more: Any) -> dict[str, Any]:
        return {"type": "object", "required": [name], "properties": {name: {"type": "integer"}, **more}}

    behind = {"allOf": [{"$ref": "#/$defs/b"}], "$defs": {"b": demanding("behind")}}
    workshop.echo(input={**demanding("must", inner=demanding("must")), **behind})
    said = workshop.refusal({"overlays": {"demo.echo": {"defaults": {name: 1}}}})
    assert f"`{name}` is required, so its default would never be used" in said
    assert "tools.yaml:" in said
    assert "  fix: " in said


def test_an_overlay_reaches_behind_references_and_all_of(workshop: Any) -> None:
    schema = {
        "type": "object",
        "$defs": {
            "paging": {"type": "object", "properties": {"size": {"type": "integer", "default": 10, "maximum": 50}}}
        },
        "allOf": [{"properties": {"n": {"type": "integer", "default": 5, "maximum": 9}}}],
        "properties": {"paging": {"$ref": "#/$defs/paging"}, "other": {"$ref": "#/$defs/paging"}},
    }
    overlay = {"caps": {"paging.size": 20, "n": 3}, "defaults": {"paging.size": 4, "n": 2}}
    workshop.echo(input=schema)
    app = workshop.app({"overlays": {"demo.echo": overlay}})
    got = workshop.call(app, "demo.echo").data["got"]
    assert got == {"paging": {"size": 4}, "other": {"size": 10}, "n": 2}
    assert workshop.call(app, "demo.echo", {"paging": {"size": 21}}).code == "INVALID_ARGUMENT"
    assert workshop.call(app, "demo.echo", {"other": {"size": 21}}).code == "OK"
    assert workshop.call(app, "demo.echo", {"n": 4}).code == "INVALID_ARGUMENT"
    shown = app.tools_list()["tools"][0]["description"]
    assert "paging.size=4" in shown
    assert "paging.size=20" in shown


def test_an_overlay_may_lower_budgets(workshop: Any) -> None:
    workshop.tool("@tool('demo.echo')\nasync def echo(call, text):\n    return {'x': 'a' * 200}\n")
    app = workshop.app({"overlays": {"demo.echo": {"budgets": {"response_bytes": 100}}}})
    assert workshop.call(app, "demo.echo").code == "BUDGET_EXCEEDED"


def test_an_overlay_for_an_unknown_tool_is_refused(workshop: Any) -> None:
    workshop.echo()
    said = workshop.refusal("overlays:\n  demo.ecko: {title: X}\n")
    assert "tools.yaml:2:3" in said
    assert "did you mean `demo.echo`?" in said


def test_budgets_of_tools_yaml_hold_where_a_contract_is_silent(workshop: Any) -> None:
    returned = "{{'s': call.deadline.seconds, 'b': call.budget.limit}}"
    code = f"@tool('demo.{{0}}')\nasync def {{0}}(call, text):\n    return {returned}\n"
    workshop.tool(code.format("silent"), "demo.silent")
    workshop.tool(code.format("says"), "demo.says", budgets={"timeout_seconds": 9})
    app = workshop.app({"budgets": {"timeout_seconds": 4, "response_bytes": 5000}})
    assert workshop.call(app, "demo.silent").data == {"s": 4, "b": 5000}
    assert workshop.call(app, "demo.says").data == {"s": 9, "b": 5000}


# --- the command line ---


def test_call_prints_the_structured_answer(workshop: Any) -> None:
    workshop.echo()
    result = CliRunner().invoke(cli, ["call", "demo.echo", '{"text": "é"}', "--plugins", str(workshop.tools)])
    assert (result.exit_code, result.stdout) == (0, '{"got":{"text":"é"}}\n')


def test_call_as_text_shows_where_links_lead(workshop: Any) -> None:
    blocks = [
        {"type": "image", "data": "AA==", "mimeType": "image/png"},
        {"type": "resource", "resource": {"uri": "x://embedded", "text": "inside"}},
    ]
    answer = f"Answer({{'a': 1}}, [{{'uri': 'x://y', 'name': 'y'}}], {blocks})"
    workshop.tool(f"@tool('demo.echo')\nasync def echo(call, text):\n    return {answer}\n")
    result = CliRunner().invoke(cli, ["call", "demo.echo", "--text", "--plugins", str(workshop.tools)])
    lines = ["a: 1", "[image] image/png", "[resource] x://embedded", "[resource_link] x://y"]
    assert result.stdout.splitlines() == lines


def test_call_exits_with_1_and_the_envelope_when_the_tool_says_no(workshop: Any) -> None:
    workshop.echo()
    result = CliRunner().invoke(cli, ["call", "demo.echo", '{"text": 1}', "--plugins", str(workshop.tools)])
    assert result.exit_code == 1
    assert result.stdout.startswith('{"error":{"code":"INVALID_ARGUMENT"')


def test_what_a_plugin_prints_does_not_reach_standard_output(workshop: Any) -> None:
    workshop.tool(
        "print('on import')\n@tool('demo.echo')\nasync def echo(call, text):\n    print('in call')\n    return {}\n"
    )
    result = CliRunner().invoke(cli, ["call", "demo.echo", "--plugins", str(workshop.tools)])
    assert result.stdout == "{}\n"


def test_the_data_directory_is_never_the_current_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WEKADOCS_DATA")
    assert not load().data_dir.is_relative_to(tmp_path)
    assert load(data_dir="here").data_dir == tmp_path / "here"
    assert os.listdir(tmp_path) == []
