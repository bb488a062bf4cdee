"""What tools.yaml may change of a contract."""

from __future__ import annotations

from typing import Any

import pytest

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
