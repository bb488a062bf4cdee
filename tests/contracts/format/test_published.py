"""What of a contract goes on the wire."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import pytest

from wekadocs_contracts.problems import StartError

from .on_the_wire import wire


def test_shared_fragments_are_put_in_place(workshop: Any) -> None:
    scope = {"$ref": "wekadocs:shared/scope", "description": "Narrower."}
    workshop.echo(input={"type": "object", "properties": {"scope": scope}})
    found = wire(workshop)["inputSchema"]["properties"]["scope"]
    assert found["description"] == "Narrower."
    assert set(found["properties"]) == {"project_id", "environment", "doc_tags", "repositories"}
    assert "wekadocs:" not in json.dumps(wire(workshop))


def test_assertions_beside_a_shared_ref_are_added_not_replaced(workshop: Any) -> None:
    workshop.write("tools/_shared/few.yaml", "type: integer\nmaximum: 10\n")
    workshop.echo(input={"type": "object", "properties": {"n": {"$ref": "wekadocs:shared/few", "maximum": 50}}})
    assert workshop.call(workshop.app(), "demo.echo", {"n": 11}).code == "INVALID_ARGUMENT"
    assert workshop.call(workshop.app(), "demo.echo", {"n": 10}).code == "OK"


def test_a_fragment_brings_its_own_definitions_and_anchors_along(workshop: Any) -> None:
    text = (
        "$id: https://example.com/row\ntype: object\nproperties: {a: {$ref: '#/$defs/few'}, b: {$ref: '#name'}}\n"
        "$defs: {few: {type: integer, maximum: 3}, word: {$anchor: name, type: string, maxLength: 2}}\n"
    )
    workshop.write("tools/_shared/row.yaml", text)
    workshop.echo(
        input={
            "type": "object",
            "properties": {
                "one": {"$ref": "wekadocs:shared/row"},
                "two": {"$ref": "wekadocs:shared/row"},
                "part": {"$ref": "wekadocs:shared/row#/$defs/few"},
                "word": {"$ref": "wekadocs:shared/row#name"},
            },
        }
    )
    app = workshop.app()
    shown = json.dumps(app.tools_list())
    assert "$ref" not in shown
    assert "$id" not in shown
    for wrong in ({"one": {"a": 4}}, {"two": {"b": "abc"}}, {"part": 4}, {"word": "abc"}):
        assert workshop.call(app, "demo.echo", wrong).code == "INVALID_ARGUMENT"
    assert workshop.call(app, "demo.echo", {"one": {"a": 3, "b": "ab"}, "part": 3, "word": "ab"}).code == "OK"


def test_local_definitions_stay_and_work_recursively(workshop: Any) -> None:
    node = {"type": "object", "properties": {"child": {"$ref": "#/$defs/node"}, "n": {"type": "integer"}}}
    schema = {"type": "object", "$defs": {"node": node}, "properties": {"tree": {"$ref": "#/$defs/node"}}}
    workshop.echo(input=schema)
    found = wire(workshop)["inputSchema"]
    assert found["properties"]["tree"] == {"$ref": "#/$defs/node"}
    assert "node" in found["$defs"]
    deep = {"tree": {"child": {"child": {"n": "x"}}}}
    assert workshop.call(workshop.app(), "demo.echo", deep).code == "INVALID_ARGUMENT"


def test_undeclared_arguments_are_closed_out_on_the_wire_unless_the_contract_opens_them(workshop: Any) -> None:
    workshop.echo()
    workshop.echo("demo.open", input={"type": "object", "additionalProperties": True})
    workshop.echo("demo.composed", input={"type": "object", "allOf": [{"properties": {"a": {}}}]})
    found = {each["name"]: each["inputSchema"] for each in workshop.app().tools_list()["tools"]}
    assert found["demo.echo"]["additionalProperties"] is False
    assert found["demo.open"]["additionalProperties"] is True
    assert found["demo.composed"]["unevaluatedProperties"] is False


def test_an_output_stays_open(workshop: Any) -> None:
    workshop.echo(output={"type": "object", "properties": {"got": {"type": "object"}}})
    assert "additionalProperties" not in wire(workshop)["outputSchema"]


def test_a_contract_without_output_has_no_output_schema(workshop: Any) -> None:
    workshop.echo()
    assert "outputSchema" not in wire(workshop)


def test_the_description_has_its_five_parts_in_order(workshop: Any) -> None:
    properties = {
        "query": {"type": "string", "maxLength": 100},
        "top_k": {"type": "integer", "default": 5, "maximum": 20},
        "options": {"type": "object", "properties": {"mode": {"enum": ["a", "b"], "default": "a"}}},
        "tags": {"type": "array", "maxItems": 3, "items": {"type": "string"}},
        "scope": {"$ref": "wekadocs:shared/scope"},
    }
    routing = {
        "use_when": "Something is looked for",
        "do_not_use_when": "you know where it is.",
        "returns": "At most {{ max.top_k }} rows ({{ default.options.mode }}, {{ max.query }}).",
        "follow_up": "Call {{ tool('demo.next') }}.",
    }
    workshop.echo(input={"type": "object", "properties": properties}, routing=routing)
    workshop.echo("demo.next")
    assert wire(workshop)["description"].splitlines() == [
        "Use when something is looked for.",
        "Do not use when you know where it is.",
        "Returns at most 20 rows (a, 100).",
        "Call demo.next.",
        "Defaults: options.mode=a, top_k=5. Max: query=100 characters, tags=3 items, top_k=20.",
    ]


def test_a_description_without_limits_says_so(workshop: Any) -> None:
    workshop.echo(input={"type": "object"})
    assert wire(workshop)["description"].splitlines()[-1] == "Defaults: none. Max: none."


def test_a_deprecated_tool_says_what_replaces_it_by_its_served_name(workshop: Any) -> None:
    workshop.echo(status="deprecated", replaced_by="demo.newer")
    workshop.echo("demo.newer")
    shown = wire(workshop, {"server": {"name_style": "underscore"}})["description"]
    assert shown.startswith("Use when ")
    assert shown.endswith("\nDeprecated: use demo_newer instead.")


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"properties": {"n": {"type": "integer", "minimun": 1}}}, "did you mean `minimum`?"),
        ({"properties": {"name": {}}, "required": ["nam"], "additionalProperties": False}, "did you mean `name`?"),
    ],
)
def test_a_slip_that_json_schema_would_ignore_is_shown(workshop: Any, schema: dict[str, Any], said: str) -> None:
    workshop.echo(input={"type": "object", **schema})
    with pytest.raises(StartError, match=re.escape(said)):
        workshop.app()


def test_tools_list_is_the_same_bytes_in_every_process(workshop: Any) -> None:
    for index in range(5):
        properties = {name: {"type": "string", "default": name} for name in "zyxabc"}
        workshop.echo(f"demo.tool{index}", input={"type": "object", "properties": properties})
    command = [sys.executable, "-m", "wekadocs_mcp.entry", "tools", "--json", "--plugins", str(workshop.tools)]
    code = "import sys; from wekadocs_mcp.entry import main; sys.argv = sys.argv[1:]; main()"
    command = [sys.executable, "-c", code, *command[2:]]
    seen = []
    for seed in ("1", "2"):
        environment = {**_environment(), "PYTHONHASHSEED": seed, "WEKADOCS_CACHE": str(workshop.folder / seed)}
        seen.append(subprocess.run(command, capture_output=True, env=environment, check=True).stdout)
    assert seen[0] == seen[1]
    listed = json.loads(seen[0])["tools"]
    assert [tool["name"] for tool in listed][:5] == [f"demo.tool{index}" for index in range(5)]
    assert list(listed[0]["inputSchema"]["properties"]) == sorted("zyxabc")


def _environment() -> dict[str, str]:
    import os

    return dict(os.environ)
