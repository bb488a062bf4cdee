"""Tools that are named where no contract has them: told with place and nearest name, and no reason not to start."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import CliRunner

from wekadocs_mcp.cli.main import cli


def warnings(workshop: Any, settings: Any = None, **options: Any) -> str:
    return "\n".join(map(str, workshop.app(settings, **options).warnings()))


def pointing_to(workshop: Any, name: str) -> dict[str, str]:
    return {**workshop.contract()["routing"], "follow_up": f"Call {{{{ tool('{name}') }}}}."}


def test_routing_text_that_sends_the_model_nowhere_is_told(workshop: Any) -> None:
    workshop.echo(routing=pointing_to(workshop, "demo.ecko"))
    told = warnings(workshop)
    assert "echo.v1.yaml:9:" in told
    assert "^" in told
    assert "no tool is called `demo.ecko` — did you mean `demo.echo`?" in told
    assert "  fix: " in told


@pytest.mark.parametrize("name", ["demo.two", "demo.two.v1", "old.name"])
def test_names_versions_and_aliases_of_tools_are_known(workshop: Any, name: str) -> None:
    workshop.echo(routing=pointing_to(workshop, name))
    code = "@hookimpl\ndef register_aliases():\n    return {'old.name': 'demo.two'}\n"
    workshop.tool(f"{code}@tool('demo.two')\nasync def two(call, text):\n    return {{}}\n", "demo.two")
    assert warnings(workshop) == ""


def test_replaced_by_may_name_a_tool_of_a_plugin_that_is_off_but_no_tool_of_nobody(workshop: Any) -> None:
    workshop.echo("demo.two")
    workshop.echo(status="deprecated", replaced_by="demo.two")
    assert warnings(workshop, {"plugins": {"two": {"enabled": False}}}) == ""
    workshop.echo(status="deprecated", replaced_by="demo.twoo")
    assert "$.replaced_by: no tool is called `demo.twoo` — did you mean `demo.two`?" in warnings(workshop)


@pytest.mark.parametrize(
    ("text", "place", "told"),
    [
        ("server: {include: [demo.*, dmo.*]}\n", "1:28", "`dmo.*` matches no tool — did you mean `demo.*`?"),
        ("server: {exclude: [demo_echo]}\n", "1:20", "`demo_echo` matches no tool — did you mean `demo.echo`?"),
        ("toolsets:\n  docs: [demo.eco]\n", "2:10", "`demo.eco` matches no tool — did you mean `demo.echo`?"),
        ("toolsets:\n  docs: {tools: [x.y.*]}\n", "2:18", "`x.y.*` matches no tool"),
        ("server: {instructions: \"{{ tool('demo.eco') }}\"}\n", "1:24", "did you mean `demo.echo`?"),
        ("overlays: {demo.echo: {instructions: \"{{ tool('nope') }}\"}}\n", "1:38", "no tool is called `nope`"),
    ],
)
def test_names_in_tools_yaml_are_told_at_their_place(workshop: Any, text: str, place: str, told: str) -> None:
    workshop.echo()
    chosen = ("docs",) if "toolsets" in text else ()
    found = warnings(workshop, text, toolsets=chosen)
    assert f"tools.yaml:{place}" in found
    assert told in found
    assert "^" in found


def test_words_of_an_overlay_may_cite_a_cap_that_only_the_overlay_has(workshop: Any) -> None:
    workshop.echo()
    overlay = {"caps": {"text": 5}, "instructions": "{{ max.text }} {{ tool('demo.echo') }}"}
    assert warnings(workshop, {"overlays": {"demo.echo": overlay}}) == ""


def test_a_toolset_that_nobody_chose_is_left_to_doctor(workshop: Any) -> None:
    workshop.echo()
    text = "toolsets: {docs: [nobody.*]}\n"
    assert warnings(workshop, text) == ""
    arguments = ["--config", str(workshop.folder / "tools.yaml"), "doctor", "--plugins", str(workshop.tools)]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0
    assert "`nobody.*` matches no tool" in result.stdout


def test_the_command_line_tells_them(workshop: Any) -> None:
    workshop.echo(routing=pointing_to(workshop, "demo.ecko"))
    workshop.config()
    arguments = ["--config", str(workshop.folder / "tools.yaml"), "tools", "--plugins", str(workshop.tools)]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0
    assert "warning: " in result.stderr
    assert "no tool is called `demo.ecko`" in result.stderr


def test_an_overlay_or_alias_for_a_tool_of_a_plugin_that_is_off_waits_for_it(workshop: Any) -> None:
    workshop.echo("demo.two")
    code = "@hookimpl\ndef register_aliases():\n    return {'second': 'demo.two'}\n"
    workshop.tool(f"{code}@tool('demo.echo')\nasync def echo(call, text):\n    return {{}}\n")
    settings = {"plugins": {"two": {"enabled": False}}, "overlays": {"demo.two": {"title": "Other"}}}
    assert [tool.name for tool in workshop.app(settings).catalogue.listed] == ["demo.echo"]
    on = workshop.app(settings, enable=("two",))
    assert [tool.title for tool in on.catalogue.listed] == ["Echo", "Other"]
    assert workshop.call(on, "second").code == "OK"
    said = workshop.refusal({"overlays": {"demo.three": {"title": "Other"}}})
    assert "no tool is called `demo.three`" in said
