"""One call's path: arguments in, handler, answer out, and everything that can be refused on the way."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from wekadocs_mcp.calls.call import Caller, Client
from wekadocs_mcp.errors import ProtocolError
from wekadocs_mcp.testing import CheckFailed, check_plugin

ANYTHING = {"type": "object", "additionalProperties": True}
NESTED = {
    "type": "object",
    "$defs": {"paging": {"type": "object", "properties": {"size": {"type": "integer", "default": 10}}}},
    "properties": {
        "query": {"type": "string"},
        "plain": {"type": "object", "properties": {"a": {"type": "string"}}},
        "options": {
            "type": "object",
            "properties": {"mode": {"enum": ["fast", "slow"], "default": "fast"}, "deep": {"$ref": "#/$defs/paging"}},
        },
        "rows": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer", "default": 1}}}},
        "both": {
            "allOf": [{"type": "object", "properties": {"x": {"default": "x"}}}, {"properties": {"y": {"default": 2}}}]
        },
        "any": {"anyOf": [{"type": "object", "properties": {"z": {"default": 1}}}, {"type": "null"}]},
        "one": {"oneOf": [{"type": "object", "properties": {"z": {"default": 1}}}, {"type": "null"}]},
        "when": {"if": {"properties": {"z": {"default": 1}}}, "type": "object"},
    },
}


def error(outcome: Any) -> dict[str, Any]:
    assert outcome.error is not None, outcome
    assert outcome.data is None
    (block,) = outcome.content
    assert json.loads(block["text"]) == outcome.error
    assert set(outcome.error["error"]) == {"code", "message", "details", "retryable"}
    assert outcome.error["error"]["message"].strip()
    return outcome.error["error"]


def got(workshop: Any, arguments: dict[str, Any], **contract: Any) -> dict[str, Any]:
    workshop.echo(**contract)
    outcome = workshop.call(workshop.app(), "demo.echo", arguments)
    assert outcome.error is None, outcome.error
    return outcome.data["got"]


# --- arguments ---


def test_defaults_are_filled_through_properties_items_all_of_and_refs_only(workshop: Any) -> None:
    sent = {"rows": [{}, {"n": 5}], "any": {}, "one": {}, "when": {}}
    assert got(workshop, sent, input=NESTED) == {
        "query": None,
        "plain": None,
        "options": {"mode": "fast", "deep": {"size": 10}},
        "rows": [{"n": 1}, {"n": 5}],
        "both": {"x": "x", "y": 2},
        "any": {},
        "one": {},
        "when": {},
    }


def test_an_absent_object_is_made_only_if_something_in_it_has_a_default(workshop: Any) -> None:
    found = got(workshop, {}, input=NESTED)
    assert found["options"] == {"mode": "fast", "deep": {"size": 10}}
    assert found["plain"] is None
    assert found["any"] is None
    assert found["when"] is None


def test_given_values_are_never_replaced(workshop: Any) -> None:
    sent = {"options": {"mode": "slow", "deep": {"size": 3}}, "both": {"x": "", "y": 0}}
    found = got(workshop, sent, input=NESTED)
    assert found["options"] == sent["options"]
    assert found["both"] == sent["both"]


def test_the_nearest_default_wins_and_is_the_one_that_is_listed(workshop: Any) -> None:
    schema = {
        "type": "object",
        "allOf": [{"properties": {"n": {"type": "integer", "default": 1}}}],
        "properties": {"n": {"default": 2}},
    }
    assert got(workshop, {}, input=schema) == {"n": 2}
    assert "Defaults: n=2." in workshop.app().tools_list()["tools"][0]["description"]


def test_a_recursive_schema_with_defaults_is_filled_once(workshop: Any) -> None:
    node = {"type": "object", "properties": {"n": {"default": 1}, "child": {"$ref": "#/$defs/node"}}}
    schema = {"type": "object", "$defs": {"node": node}, "properties": {"tree": {"$ref": "#/$defs/node"}}}
    found = got(workshop, {"tree": {"child": {"n": 5}}}, input=schema)
    assert found["tree"]["n"] == 1
    assert found["tree"]["child"]["n"] == 5
    assert got(workshop, {}, input=schema)["tree"]["n"] == 1


def test_a_default_object_is_fresh_in_every_call(workshop: Any) -> None:
    code = "@tool('demo.echo')\nasync def echo(call, tags):\n    tags.append('x')\n    return {'got': tags}\n"
    workshop.tool(code, input={"type": "object", "properties": {"tags": {"type": "array", "default": []}}})
    app = workshop.app()
    for _ in range(2):
        assert workshop.call(app, "demo.echo").data == {"got": ["x"]}


@pytest.mark.parametrize(
    ("schema", "sent", "kind"),
    [
        ({"type": "integer"}, 3.0, int),
        ({"type": ["integer", "null"]}, 3.0, int),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, 3.0, int),
        ({"type": "number"}, 3.0, float),
        ({}, 3.0, float),
        ({"allOf": [{"type": "integer"}]}, 3.0, int),
        ({"$ref": "#/$defs/count"}, 3.0, int),
    ],
)
def test_an_integral_float_becomes_an_int_where_an_integer_is_meant(
    workshop: Any, schema: Any, sent: Any, kind: type
) -> None:
    root = {"type": "object", "$defs": {"count": {"type": "integer"}}, "properties": {"n": schema}}
    found = got(workshop, {"n": sent}, input=root)["n"]
    assert found == 3
    assert type(found) is kind


def test_integral_floats_become_ints_inside_lists_and_objects(workshop: Any) -> None:
    assert repr(got(workshop, {"rows": [{"n": 2.0}]}, input=NESTED)["rows"]) == "[{'n': 2}]"


def test_an_absent_argument_is_none_unless_the_parameter_has_a_default(workshop: Any) -> None:
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in ("a", "b", "c")}}
    code = "@tool('demo.echo')\nasync def echo(call, a, b='own', *, c=...):\n    return {'got': [a, b, c is ...]}\n"
    workshop.tool(code, input=schema)
    app = workshop.app()
    assert workshop.call(app, "demo.echo").data == {"got": [None, "own", True]}
    assert workshop.call(app, "demo.echo", {"a": "1", "b": "2", "c": "3"}).data == {"got": ["1", "2", False]}


def test_names_that_are_no_identifiers_come_in_rest(workshop: Any) -> None:
    schema = {"type": "object", "properties": {"content-type": {"type": "string"}, "from": {}, "x": {}}}
    code = "@tool('demo.echo')\nasync def echo(call, x, **rest):\n    return {'got': [x, rest]}\n"
    workshop.tool(code, input=schema)
    outcome = workshop.call(workshop.app(), "demo.echo", {"content-type": "a/b", "from": 1, "x": 2})
    assert outcome.data == {"got": [2, {"content-type": "a/b", "from": 1}]}


def test_undeclared_arguments_reach_rest_where_the_contract_is_open(workshop: Any) -> None:
    assert got(workshop, {"surprise": 1}, input=ANYTHING) == {"surprise": 1}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("call", "does not take `text`"),
        ("call, text, txet", "`txet` is none of its arguments — did you mean `text`?"),
        ("", "first parameter must be `call`"),
        ("*, call, text", "first parameter must be `call`"),
        ("call, *text", "cannot be passed by name"),
        ("call, text, /", "cannot be passed by name"),
        ("call, text, scope", "it comes as `call.scope`"),
        ("text", "its first parameter must be `call`, and `text` is an argument: write `call, text`"),
    ],
)
def test_parameters_that_do_not_fit_the_contract_are_refused_at_start(
    workshop: Any, parameters: str, message: str
) -> None:
    workshop.tool(f"@tool('demo.echo')\nasync def echo({parameters}): ...")
    said = workshop.refusal()
    assert message in said
    assert "echo.py:3" in said or "echo.py:2" in said
    assert "fix: " in said


@pytest.mark.parametrize("name", ["content-type", "class", "1st"])
def test_a_name_that_is_no_identifier_needs_rest(workshop: Any, name: str) -> None:
    workshop.tool("@tool('demo.echo')\nasync def echo(call): ...", input={"type": "object", "properties": {name: {}}})
    said = workshop.refusal()
    assert f"does not take `{name}`" in said
    assert "**rest" in said


@pytest.mark.parametrize("kind", ["async def", "def"])
def test_a_handler_that_yields_is_refused_at_start(workshop: Any, kind: str) -> None:
    workshop.tool(f"@tool('demo.echo')\n{kind} echo(call, text):\n    yield {{}}\n")
    said = workshop.refusal()
    assert "handler of `demo.echo`: it yields" in said
    assert "return it" in said


def test_a_generator_behind_a_decorator_that_collects_it_is_a_handler(workshop: Any) -> None:
    code = """
    import functools
    def collected(function):
        @functools.wraps(function)
        async def collect(call, **rest):
            return {'all': [each async for each in function(call, **rest)]}
        return collect
    @tool('demo.echo')
    @collected
    async def echo(call, text):
        yield 1
        yield 2
    """
    workshop.tool(code)
    assert workshop.call(workshop.app(), "demo.echo").data == {"all": [1, 2]}


def test_an_argument_called_as_the_first_parameter_is_refused_at_start(workshop: Any) -> None:
    workshop.echo(input={"type": "object", "properties": {"call": {}}})
    assert "`call`" in workshop.refusal()
    workshop.tool(
        "@tool('demo.echo')\nasync def echo(call, /, **rest):\n    return rest",
        input={"type": "object", "properties": {"call": {}}},
    )
    assert workshop.call(workshop.app(), "demo.echo", {"call": 1}).data == {"call": 1}


def test_aliases_are_applied_before_the_check(workshop: Any) -> None:
    assert got(workshop, {"q": "x"}, argument_aliases={"q": "text"}) == {"text": "x"}
    app = workshop.app()
    both = error(workshop.call(app, "demo.echo", {"q": "x", "text": "y"}))
    assert both["code"] == "INVALID_ARGUMENT"
    assert "pass `text` only" in both["message"]


@pytest.mark.parametrize(
    ("sent", "path", "message"),
    [
        ({"query": 5}, "/query", "query: 5 is not of type string."),
        ({"qury": "x"}, "/qury", "Unknown argument `qury` — did you mean `query`?"),
        ({"options": {"mode": "x"}}, "/options/mode", 'options.mode: "x" is not one of "fast", "slow".'),
        ({"rows": [{}, {"n": "1"}]}, "/rows/1/n", 'rows.1.n: "1" is not of type integer.'),
        ({"rows": {}}, "/rows", "rows: {} is not of type array."),
        ({"any": 5}, "/any", "any: 5 is not of type object or null."),
    ],
)
def test_a_wrong_argument_is_told_with_path_value_and_expectation(
    workshop: Any, sent: Any, path: str, message: str
) -> None:
    workshop.echo(input=NESTED)
    told = error(workshop.call(workshop.app(), "demo.echo", sent))
    assert told["code"] == "INVALID_ARGUMENT"
    assert told["details"]["path"] == path
    assert told["message"].startswith(message.rstrip("."))
    assert told["retryable"] is False


def test_an_unknown_argument_is_named_where_there_is_none(workshop: Any) -> None:
    workshop.echo(input={"type": "object"})
    error = workshop.call(workshop.app(), "demo.echo", {"x": 1}).error["error"]
    assert error["message"] == "Unknown argument `x` — known here: none."
    assert error["details"]["path"] == "/x"


def test_an_unknown_argument_is_named_with_its_neighbour_behind_all_of_and_aliases(workshop: Any) -> None:
    schema = {"type": "object", "allOf": [{"properties": {"top_k": {"type": "integer"}}}]}
    workshop.echo(input=schema, argument_aliases={"limit": "top_k"})
    app = workshop.app()
    assert "did you mean `top_k`?" in error(workshop.call(app, "demo.echo", {"topk": 1}))["message"]
    assert "did you mean `limit`?" in error(workshop.call(app, "demo.echo", {"limits": 1}))["message"]


def deep(levels: int) -> Any:
    root: list[Any] = []
    for _ in range(levels):
        root = [root]
    return root


HOSTILE = {
    "nan": float("nan"),
    "infinity": float("inf"),
    "a lone surrogate": "\ud800",
    "a lone surrogate as a name": {"\udfff": 1},
    "a lone surrogate inside": [{"a": ["x\ud800y"]}],
    "a number of 5000 digits": 10**5000,
    "nesting": deep(3000),
}


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize(
    "schema", [{}, {"type": "integer", "maximum": 5}, {"type": "string"}, {"type": ["array", "object", "number"]}]
)
def test_hostile_values_never_reach_a_handler(workshop: Any, value: Any, schema: Any) -> None:
    workshop.echo(input={"type": "object", "properties": {"x": schema}})
    told = error(workshop.call(workshop.app(), "demo.echo", {"x": value}))
    assert told["code"] == "INVALID_ARGUMENT"
    json.dumps(told).encode()


@pytest.mark.parametrize("name", ["\ud800", "x" * 5000])
def test_hostile_argument_names_are_refused(workshop: Any, name: str) -> None:
    workshop.echo()
    told = error(workshop.call(workshop.app(), "demo.echo", {name: 1}))
    assert told["code"] == "INVALID_ARGUMENT"
    assert len(json.dumps(told, ensure_ascii=False).encode()) < 25000


def test_a_number_that_only_python_can_hold_exactly_is_still_capped(workshop: Any) -> None:
    workshop.echo(input={"type": "object", "properties": {"x": {"type": "integer", "maximum": 5}}})
    assert "above the maximum" in error(workshop.call(workshop.app(), "demo.echo", {"x": 10**400}))["message"]


def test_a_pattern_that_would_backtrack_for_ever_is_refused_quickly(workshop: Any) -> None:
    bomb = {"type": "string", "pattern": r"^(([a-z])+.)+(?=[A-Z])\2([a-z])+$"}
    workshop.echo(input={"type": "object", "properties": {"x": bomb}})
    app = workshop.app()
    started = time.perf_counter()
    told = error(workshop.call(app, "demo.echo", {"x": "a" * 5000}))
    assert told["code"] == "INVALID_ARGUMENT"
    assert time.perf_counter() - started < 10


def test_a_pattern_of_two_words_does_not_take_one_letter(workshop: Any) -> None:
    words = {"x": {"type": "string", "pattern": "^[a-z]+-?[a-z]+$"}}
    workshop.echo(input={"type": "object", "properties": words})
    app = workshop.app()
    assert error(workshop.call(app, "demo.echo", {"x": "a"}))["code"] == "INVALID_ARGUMENT"
    assert workshop.call(app, "demo.echo", {"x": "a-b"}).error is None


@pytest.mark.parametrize("name", ["demo.ecko", "nothing at all", "", "\ud800", "x" * 5000])
def test_an_unknown_tool_is_a_protocol_error_with_the_nearest_name(workshop: Any, name: str) -> None:
    workshop.echo()
    with pytest.raises(ProtocolError) as caught:
        workshop.call(workshop.app(), name)
    assert caught.value.code == -32602
    json.dumps([caught.value.message, caught.value.data], ensure_ascii=False).encode()
    assert len(caught.value.message) < 400
    if name == "demo.ecko":
        assert "Did you mean demo.echo?" in caught.value.message


# --- answers ---


def test_a_plain_function_runs_in_a_thread(workshop: Any) -> None:
    code = """
    import threading
    @tool("demo.echo")
    def echo(call, text):
        return {"main": threading.current_thread() is threading.main_thread()}
    """
    workshop.tool(code)
    assert workshop.call(workshop.app(), "demo.echo").data == {"main": False}


@pytest.mark.parametrize(
    "code",
    [
        "@tool('demo.echo')\n@functools.wraps(inner)\nasync def echo(call, text):\n    return inner(call, text)\n",
        "class Echo:\n    async def __call__(self, call, text):\n        return {'got': text}\n"
        "echo = tool('demo.echo')(Echo())\n",
        "async def base(x, call, text):\n    return {'got': text}\n"
        "echo = tool('demo.echo')(functools.partial(base, 1))\n",
        "@tool('demo.echo')\ndef echo(call, text):\n    return later(call, text)\n",
    ],
    ids=["async wrapper", "callable object", "partial", "def that returns a coroutine"],
)
def test_every_kind_of_callable_can_be_a_handler(workshop: Any, code: str) -> None:
    start = (
        "import functools\ndef inner(call, text):\n    return {'got': text}\n"
        "async def later(call, text):\n    return {'got': text}\n"
    )
    workshop.tool(start + code)
    assert workshop.call(workshop.app(), "demo.echo", {"text": "a"}).data == {"got": "a"}


def test_an_answer_brings_links_and_content_beside_its_text(workshop: Any) -> None:
    code = """
    @tool("demo.echo")
    async def echo(call, text):
        links = [{"uri": "demo://a", "name": "a", "size": 3}]
        return Answer({"n": 1}, links=links, content=[{"type": "image", "data": "AA==", "mimeType": "image/png"}])
    """
    workshop.tool(code)
    outcome = workshop.call(workshop.app(), "demo.echo")
    assert outcome.data == {"n": 1}
    assert outcome.content == [
        {"type": "text", "text": "n: 1"},
        {"type": "image", "data": "AA==", "mimeType": "image/png"},
        {"type": "resource_link", "uri": "demo://a", "name": "a", "size": 3},
    ]
    quiet = workshop.call(workshop.app({"server": {"resource_links": False}}), "demo.echo")
    assert [block["type"] for block in quiet.content] == ["text", "image"]


def test_the_text_comes_from_the_contracts_template(workshop: Any) -> None:
    text = "{% for r in got.rows %}{{ r }}\n{% else %}Nothing found.{% endfor %}"
    workshop.echo(text=text, input=ANYTHING)
    app = workshop.app()
    assert workshop.call(app, "demo.echo", {"rows": ["a", "b"]}).content[0]["text"] == "a\nb"
    assert workshop.call(app, "demo.echo", {"rows": []}).content[0]["text"] == "Nothing found."


@pytest.mark.parametrize("text", [None, "state: {{ state }}"])
def test_a_member_of_an_enum_reads_in_the_text_as_in_the_structure(workshop: Any, text: str | None) -> None:
    code = """
    import enum
    class State(str, enum.Enum):
        OPEN = "open"
    @tool("demo.echo")
    async def echo(call, text):
        return {"state": State.OPEN}
    """
    workshop.tool(code, text=text)
    assert workshop.call(workshop.app(), "demo.echo").content[0]["text"] == "state: open"


def test_a_text_template_that_fails_falls_back_to_minified_json(workshop: Any, caplog: Any) -> None:
    workshop.echo(text="{{ got.secret / 2 }}", input=ANYTHING)
    outcome = workshop.call(workshop.app(), "demo.echo", {"secret": "s3cret"})
    assert outcome.content[0]["text"] == '{"got":{"secret":"s3cret"}}'
    assert "text template of demo.echo failed" in caplog.text
    assert "s3cret" not in caplog.text


def test_an_absent_list_in_a_text_template_is_an_empty_one(workshop: Any) -> None:
    workshop.echo(text="{% for r in results %}{{ r }}{% else %}Nothing found.{% endfor %}")
    assert workshop.call(workshop.app(), "demo.echo").content[0]["text"] == "Nothing found."


def test_an_interceptor_sees_the_checked_arguments(workshop: Any) -> None:
    workshop.tool(
        "from wekadocs_mcp import hookimpl, tool\n"
        "@tool('demo.echo')\nasync def echo(call, text):\n    return {'got': text}\n"
        "async def note(call, proceed):\n    return {**await proceed(call), 'seen': dict(call.arguments)}\n"
        "@hookimpl\ndef register_interceptors():\n    return [note]\n"
    )
    outcome = workshop.call(workshop.app(), "demo.echo", {"text": "x"})
    assert outcome.data["seen"] == {"text": "x"}


@pytest.mark.parametrize("kind", ["async def", "def"])
@pytest.mark.parametrize("raised", ["KeyboardInterrupt", "GeneratorExit", "SystemExit"])
def test_a_handler_cannot_end_the_server(workshop: Any, kind: str, raised: str) -> None:
    workshop.tool(f"@tool('demo.echo')\n{kind} echo(call, text):\n    raise {raised}\n")
    assert workshop.call(workshop.app(), "demo.echo").code == "INTERNAL_ERROR"


BLOCKS = {
    "no dict": ("'s3cret'", "content[0] of its answer is of type str, not a dict"),
    "an unknown type": ("{'type': 's3cret'}", "needs a `type`: text, image"),
    "no data": ("{'type': 'image', 'mimeType': 'image/png'}", "no text as `data`"),
    "raw bytes": ("{'type': 'image', 'mimeType': 'image/png', 'data': b's3cret'}", "no text as `data`"),
    "no base64": ("{'type': 'audio', 'mimeType': 'audio/wav', 'data': 's3cret!'}", "base64.b64encode(raw).decode()"),
    "an empty resource": ("{'type': 'resource', 'resource': {'uri': 'a://s3cret'}}", "neither `text` nor `blob`"),
    "a set in it": (
        "{'type': 'text', 'text': 'x', 'annotations': {'audience': {'s3cret'}}}",
        "/annotations/audience: set",
    ),
}


@pytest.mark.parametrize(("block", "why"), BLOCKS.values(), ids=BLOCKS.keys())
def test_a_content_block_that_no_client_could_read_is_our_fault_and_logged_with_its_place(
    workshop: Any, caplog: Any, block: str, why: str
) -> None:
    workshop.tool(f"@tool('demo.echo')\nasync def echo(call, text):\n    return Answer({{}}, content=[{block}])\n")
    told = error(workshop.call(workshop.app(), "demo.echo"))
    assert told["code"] == "INTERNAL_ERROR"
    assert why in caplog.text
    assert "s3cret" not in caplog.text


@pytest.mark.parametrize("link", ["'demo://a'", "{'uri': 'demo://a'}"])
def test_a_link_needs_its_name_also_where_links_are_off(workshop: Any, caplog: Any, link: str) -> None:
    workshop.tool(f"@tool('demo.echo')\nasync def echo(call, text):\n    return Answer({{}}, links=[{link}])\n")
    app = workshop.app({"server": {"resource_links": False}})
    assert error(workshop.call(app, "demo.echo"))["code"] == "INTERNAL_ERROR"
    assert "links[0] of its answer" in caplog.text


def test_the_text_is_never_empty(workshop: Any) -> None:
    workshop.tool("@tool('demo.echo')\nasync def echo(call, text):\n    return {}\n")
    workshop.echo("demo.blank", text="{% if false %}x{% endif %}")
    app = workshop.app()
    assert workshop.call(app, "demo.echo").content[0]["text"].strip()
    assert workshop.call(app, "demo.blank").content[0]["text"].strip()


def test_brief_text_is_one_line(workshop: Any) -> None:
    workshop.tool("@tool('demo.echo')\nasync def echo(call, text):\n    return {'rows': [1, 2], 'x': 1}\n")
    outcome = workshop.call(workshop.app({"server": {"text": "brief"}}), "demo.echo")
    assert outcome.content == [{"type": "text", "text": "Echo: 2 rows."}]


def test_without_structured_output_the_text_is_minified_json_alone(
    workshop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCP_STRUCTURED_OUTPUT_ENABLED", "off")
    workshop.echo(output={"type": "object"}, text="words")
    app = workshop.app()
    assert "outputSchema" not in app.tools_list()["tools"][0]
    outcome = workshop.call(app, "demo.echo", {"text": "é"})
    assert outcome.data is None
    assert outcome.content == [{"type": "text", "text": '{"got":{"text":"é"}}'}]


def test_without_structured_output_links_and_other_blocks_stay_beside_the_text(
    workshop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCP_STRUCTURED_OUTPUT_ENABLED", "off")
    link = {"uri": "x://y", "name": "y"}
    block = {"type": "image", "data": "AA==", "mimeType": "image/png"}
    workshop.tool(
        f"@tool('demo.echo')\nasync def echo(call, text):\n    return Answer({{'a': 1}}, [{link}], [{block}])\n"
        f"@tool('demo.outer')\nasync def outer(call, text):\n    return await call.invoke('demo.echo')\n"
    )
    workshop.tool("", "demo.outer")
    text = {"type": "text", "text": '{"a":1}'}
    app = workshop.app()
    assert workshop.call(app, "demo.echo").content == [text, block, {"type": "resource_link", **link}]
    assert workshop.call(app, "demo.outer").content == [text]
    app = workshop.app({"server": {"resource_links": False}})
    assert workshop.call(app, "demo.echo").content == [text, block]


def test_a_tool_error_becomes_the_envelope(workshop: Any) -> None:
    code = """
    @tool("demo.echo")
    async def echo(call, text):
        raise ToolError("NO_NAME", "Pass a name.", details={"name": text})
    """
    workshop.tool(code)
    assert workshop.call(workshop.app(), "demo.echo", {"text": "ä"}).error == {
        "error": {"code": "NO_NAME", "message": "Pass a name.", "details": {"name": "ä"}, "retryable": False}
    }


@pytest.mark.parametrize("details", ["{'x': float('nan')}", "{('a', 'b'): 1}", "{'x': '\\ud800'}", "{'x': object()}"])
def test_a_tool_error_always_reaches_the_wire(workshop: Any, details: str) -> None:
    raising = f"raise ToolError('NO', 'It \\ud800 is so.', details={details})"
    workshop.tool(f"@tool('demo.echo')\nasync def echo(call, text):\n    {raising}\n")
    outcome = workshop.call(workshop.app(), "demo.echo")
    told = json.loads(outcome.content[0]["text"].encode(), parse_constant=pytest.fail)
    assert told["error"]["code"] == "NO"
    json.dumps(outcome.error, ensure_ascii=False, allow_nan=False).encode()


@pytest.mark.parametrize(
    ("errors", "code"), [(["OTHER"], "INTERNAL_ERROR"), (["NO_NAME"], "NO_NAME"), (None, "NO_NAME")]
)
def test_only_listed_codes_leave_the_host(workshop: Any, caplog: Any, errors: Any, code: str) -> None:
    workshop.tool(
        "@tool('demo.echo')\nasync def echo(call, text):\n    raise ToolError('NO_NAME', 'Secret words.')\n",
        errors=errors,
    )
    told = error(workshop.call(workshop.app(), "demo.echo"))
    assert told["code"] == code
    if code == "INTERNAL_ERROR":
        assert "Secret" not in told["message"]
        assert "NO_NAME" in caplog.text


@pytest.mark.parametrize(
    "code", ["INVALID_ARGUMENT", "SCOPE_VIOLATION", "BACKEND_UNAVAILABLE", "TIMEOUT", "BUDGET_EXCEEDED"]
)
def test_the_hosts_own_codes_are_always_allowed(workshop: Any, code: str) -> None:
    workshop.tool(f"@tool('demo.echo')\nasync def echo(call, text):\n    raise ToolError({code!r}, 'So.')\n", errors=[])
    assert error(workshop.call(workshop.app(), "demo.echo"))["code"] == code


BROKEN = {
    "wrong type": "return {'n': 's3cret'}",
    "missing field": "return {'s3cret': 1}",
    "an exception": "raise RuntimeError('s3cret')",
    "no dict": "return 's3cret'",
    "nothing": "return None",
    "not json": "return {'n': 1, 'x': {'s3cret'}}",
    "nan": "return {'n': 1, 'x': [float('nan'), 's3cret']}",
    "a surrogate": "return {'n': 1, 'x': 's3cret\\ud800'}",
    "a circle": "a = {'n': 1, 'x': 's3cret'}; a['a'] = a; return a",
    "numbers as names": "return {'n': 1, 7: 's3cret', 'o': {1: 2}}",
    "an exit": "raise SystemExit('s3cret')",
    "a stopped iteration": "next(iter(()))",
    "a cancellation of its own": "import asyncio; raise asyncio.CancelledError('s3cret')",
    "a timeout of its own": "raise TimeoutError('s3cret')",
    "a bad error code": "raise ToolError('s3cret code', 'x')",
    "an answer without data": "return Answer(None, content=[{'type': 'text', 'text': 's3cret'}])",
}


@pytest.mark.parametrize("kind", ["async def", "def"])
@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_promise_is_our_fault_and_tells_nothing(workshop: Any, caplog: Any, kind: str, body: str) -> None:
    caplog.set_level(logging.DEBUG)
    output = {
        "type": "object",
        "required": ["n"],
        "properties": {"n": {"type": "integer"}, "o": {"type": "object", "maxProperties": 0}},
    }
    workshop.tool(
        f"@tool('demo.echo')\n{kind} echo(call, text):\n    {body}\n", output=output, budgets={"timeout_seconds": 5}
    )
    told = error(workshop.call(workshop.app(), "demo.echo"))
    assert told["code"] == "INTERNAL_ERROR"
    assert told["details"]["id"] in told["message"]
    assert "s3cret" not in json.dumps(told)
    assert told["details"]["id"] in caplog.text
    assert "s3cret" not in caplog.text


UNFIT = {
    "datetime": ("{'rows': [1, {'at': __import__('datetime').datetime.now()}]}", "is not JSON at /rows/1/at: datetime"),
    "nan": ("{'rows': [0.1, float('nan')]}", "is not JSON at /rows/1: float"),
    "a surrogate": ("{'word': 'a\\ud800'}", "is not JSON at /word: str"),
    "a tuple as a name": ("{'o': {(1, 2): 3}}", "is not JSON at /o: a name that is no text"),
    "a number as a name": ("{7: 8}", "a name in it is no text"),
    "a list as data": ("Answer([1])", "the data of its Answer is of type list"),
}


@pytest.mark.parametrize(("value", "why"), UNFIT.values(), ids=UNFIT.keys())
def test_what_json_cannot_carry_is_logged_with_its_place_and_type(
    workshop: Any, caplog: Any, value: str, why: str
) -> None:
    code = f"@tool('demo.echo')\nasync def echo(call, text):\n    return {value}\n"
    workshop.tool(code, output={"type": "object"})
    error(workshop.call(workshop.app(), "demo.echo"))
    assert why in caplog.text


@pytest.mark.parametrize("kind", ["async def", "def"])
def test_a_timeout_of_the_handlers_own_is_logged_with_its_place(workshop: Any, caplog: Any, kind: str) -> None:
    path = workshop.tool(f"@tool('demo.echo')\n{kind} echo(call, text):\n    raise TimeoutError\n")
    error(workshop.call(workshop.app(), "demo.echo"))
    assert str(path.with_name("echo.py")) in caplog.text


def test_a_failure_does_not_flood_the_context(workshop: Any) -> None:
    workshop.tool(
        "@tool('demo.echo')\nasync def echo(call, text):\n"
        "    raise ToolError('TOO_MUCH', 'Ask for less. ' + 'x' * 100_000, {'rows': list(range(10_000))})\n"
    )
    outcome = workshop.call(workshop.app(), "demo.echo")
    assert error(outcome)["message"].startswith("Ask for less. ")
    assert outcome.size < 16_384


def test_an_output_violation_is_logged_with_its_place(workshop: Any, caplog: Any) -> None:
    output = {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "integer"}}}}
    workshop.tool(
        "@tool('demo.echo')\nasync def echo(call, text):\n    return {'rows': [1, 's3cret']}\n", output=output
    )
    error(workshop.call(workshop.app(), "demo.echo"))
    assert "/rows/1 (type integer)" in caplog.text
    assert "s3cret" not in caplog.text


def test_a_missing_field_of_an_answer_is_named_for_the_author_alone(workshop: Any, caplog: Any) -> None:
    row = {"type": "object", "required": ["title"], "properties": {"rank": {"type": "integer"}}}
    output = {"type": "object", "required": ["total"], "properties": {"rows": {"type": "array", "items": row}}}
    example = {"arguments": {}}
    code = "@tool('demo.echo')\nasync def echo(call, text):\n    return {'rows': [{'rank': 's3cret'}]}\n"
    workshop.tool(code, output=output, examples=[example])
    told = error(workshop.call(workshop.app(), "demo.echo"))
    assert not any(word in json.dumps(told) for word in ("total", "title", "rank"))
    for what in ("/total is missing", "/rows/0/title is missing", "/rows/0/rank (type integer)"):
        assert what in caplog.text
    assert "s3cret" not in caplog.text
    with pytest.raises(CheckFailed, match="/total is missing"):
        check_plugin(workshop.tools)
    assert "s3cret" not in caplog.text


@pytest.mark.parametrize(("size", "code"), [(989, "OK"), (990, "BUDGET_EXCEEDED")])
def test_an_answer_over_its_budget_is_refused_never_cut(workshop: Any, size: int, code: str) -> None:
    code_text = "@tool('demo.echo')\nasync def echo(call, n):\n    return {'x': 'é' + 'a' * (n - 1)}\n"
    workshop.tool(
        code_text, input={"type": "object", "properties": {"n": {"type": "integer"}}}, budgets={"response_bytes": 998}
    )
    outcome = workshop.call(workshop.app(), "demo.echo", {"n": size})
    assert outcome.code == code
    if code != "OK":
        assert error(outcome)["details"] == {"bytes": 999, "response_bytes": 998}


def test_max_response_bytes_is_over_every_tools_budget(workshop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAX_RESPONSE_BYTES", "2000")
    workshop.tool(
        "@tool('demo.echo')\nasync def echo(call, text):\n    return {'x': 'a' * 3000}\n",
        budgets={"response_bytes": 9999},
    )
    assert workshop.call(workshop.app(), "demo.echo").code == "BUDGET_EXCEEDED"


def test_rows_that_fit_the_budget_make_an_answer_that_does(workshop: Any) -> None:
    code = """
    @tool("demo.echo")
    async def echo(call, text):
        rows = []
        while call.budget.fits(row := {"id": len(rows), "text": "ä" * 50}):
            rows.append(row)
        return {"rows": rows, "partial": True}
    """
    workshop.tool(code, budgets={"response_bytes": 4096})
    outcome = workshop.call(workshop.app(), "demo.echo")
    assert outcome.code == "OK"
    assert len(outcome.data["rows"]) > 20


def test_a_handler_may_end_a_call_with_a_protocol_error(workshop: Any) -> None:
    workshop.tool(
        "from wekadocs_mcp import ProtocolError\n@tool('demo.echo')\nasync def echo(call, text):\n"
        "    raise ProtocolError(-32001, 'gone', {'x': 1})\n"
    )
    with pytest.raises(ProtocolError) as caught:
        workshop.call(workshop.app(), "demo.echo")
    assert (caught.value.code, caught.value.data) == (-32001, {"x": 1})


# --- time and places ---

FAST = {"timeout_seconds": 0.3}


def timed_out(workshop: Any, code: str, wait_for: Any = None) -> dict[str, Any]:
    """A call that must time out; then `wait_for` must come true within some seconds."""
    workshop.tool(code, budgets=FAST)
    app = workshop.app()

    async def work() -> Any:
        outcome = await app.dispatcher.call("demo.echo", {}, Caller())
        if wait_for is not None:
            await workshop.until(wait_for)
        # asyncio hears of a child's end a little later than /proc; its loop must not be closed before.
        children = getattr(app.plugins["echo"].module, "CHILDREN", [])
        await workshop.until(lambda: all(child.returncode is not None for child in children))
        return outcome

    started = time.monotonic()
    told = error(workshop.run(app, work))
    assert time.monotonic() - started < 6
    assert told["code"] == "TIMEOUT"
    assert told["retryable"] is True
    assert told["details"] == {"timeout_seconds": 0.3}
    return told


def test_a_deadline_cancels_async_work(workshop: Any) -> None:
    mark = workshop.folder / "cancelled"
    code = f"""
    import asyncio, pathlib
    @tool("demo.echo")
    async def echo(call, text):
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            pathlib.Path({str(mark)!r}).touch()
            raise
    """
    timed_out(workshop, code, mark.exists)


def test_a_slow_start_of_the_plugin_counts_against_the_deadline_but_goes_on(workshop: Any) -> None:
    code = """
    import asyncio, contextlib
    @hookimpl
    @contextlib.asynccontextmanager
    async def lifespan(context):
        await asyncio.sleep(0.6)
        yield "ready"
    @tool("demo.echo")
    async def echo(call, text):
        return {"got": call.state}
    """
    workshop.tool(code, budgets=FAST)
    app = workshop.app()

    async def work() -> Any:
        first = await app.dispatcher.call("demo.echo", {}, Caller())
        await asyncio.sleep(0.4)
        return first, await app.dispatcher.call("demo.echo", {}, Caller())

    first, second = workshop.run(app, work)
    assert first.code == "TIMEOUT"
    assert second.data == {"got": "ready"}


def gone(file: Path) -> Any:
    """Whether the process whose number the file holds has ended."""

    def check() -> bool:
        if not file.exists() or not file.read_text().strip():
            return False
        try:
            state = Path(f"/proc/{file.read_text().strip()}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            return True
        return state == "Z"

    return check


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc, which only Linux has")


@needs_proc
def test_a_deadline_ends_a_child_process_that_a_thread_waits_for(workshop: Any) -> None:
    file = workshop.folder / "pid"
    code = f"""
    import subprocess
    @tool("demo.echo")
    def echo(call, text):
        subprocess.run(["sh", "-c", "echo $$ > {file}; exec sleep 60"])
    """
    timed_out(workshop, code, gone(file))


@needs_proc
def test_a_deadline_ends_a_child_process_that_a_coroutine_waits_for(workshop: Any) -> None:
    file = workshop.folder / "pid"
    code = f"""
    import asyncio
    CHILDREN = []
    @tool("demo.echo")
    async def echo(call, text):
        child = await asyncio.create_subprocess_exec("sh", "-c", "echo $$ > {file}; exec sleep 60")
        CHILDREN.append(child)
        await child.wait()
    """
    timed_out(workshop, code, gone(file))


@needs_proc
def test_a_thread_that_was_given_up_on_cannot_start_another_child(workshop: Any) -> None:
    file = workshop.folder / "pid"
    code = f"""
    import subprocess
    @tool("demo.echo")
    def echo(call, text):
        subprocess.run(["sleep", "60"])
        subprocess.run(["sh", "-c", "echo $$ > {file}; exec sleep 60"])
    """
    workshop.write("pid", "0")
    timed_out(workshop, code, lambda: not threads_at_work())


def threads_at_work() -> list[threading.Thread]:
    import sys

    frames = sys._current_frames()
    found = []
    for thread in threading.enumerate():
        frame = frames.get(thread.ident or 0) if thread.name.startswith("wekadocs-tool") else None
        while frame is not None:
            if frame.f_code.co_name == "echo":
                found.append(thread)
            frame = frame.f_back
    return found


def test_a_deadline_interrupts_sqlite_in_a_thread(workshop: Any) -> None:
    mark = workshop.folder / "interrupted"
    code = f"""
    import pathlib, sqlite3, contextlib
    SLOW = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
    @tool("demo.echo")
    def echo(call, text):
        with contextlib.closing(sqlite3.connect(":memory:")) as connection:
            try:
                connection.execute(SLOW).fetchall()
            except sqlite3.OperationalError as error:
                pathlib.Path({str(mark)!r}).write_text(str(error))
    """
    timed_out(workshop, code, lambda: mark.exists() and mark.read_text() == "interrupted")


def test_a_deadline_interrupts_a_guarded_connection_of_the_plugins_own(workshop: Any) -> None:
    mark = workshop.folder / "interrupted"
    code = f"""
    import contextlib, pathlib, sqlite3
    SLOW = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
    @hookimpl
    @contextlib.contextmanager
    def lifespan(context):
        with contextlib.closing(sqlite3.connect(":memory:", check_same_thread=False)) as connection:
            yield connection
    @tool("demo.echo")
    def echo(call, text):
        with call.deadline.guard(call.state) as connection:
            try:
                connection.execute(SLOW).fetchall()
            except sqlite3.OperationalError as error:
                pathlib.Path({str(mark)!r}).write_text(str(error))
    """
    timed_out(workshop, code, lambda: mark.exists() and mark.read_text() == "interrupted")


def test_a_thread_is_told_by_its_deadline(workshop: Any) -> None:
    mark = workshop.folder / "told"
    code = f"""
    import pathlib, time
    @tool("demo.echo")
    def echo(call, text):
        try:
            while True:
                time.sleep(0.01)
                call.deadline.check()
        except ToolError as error:
            pathlib.Path({str(mark)!r}).write_text(error.code)
            raise
    """
    timed_out(workshop, code, lambda: mark.exists() and mark.read_text() == "TIMEOUT")


WAITS = """
    import threading
    RELEASE = threading.Event()
    @tool("demo.echo")
    def echo(call, text):
        RELEASE.wait(20)
        return {"got": text}
"""


def test_a_thread_keeps_its_place_after_a_timeout_until_it_ends(workshop: Any) -> None:
    workshop.tool(WAITS, budgets={**FAST, "max_concurrency": 1})
    app = workshop.app()
    release = app.plugins["echo"].module.RELEASE

    async def work() -> list[str]:
        codes = [(await app.dispatcher.call("demo.echo", {}, Caller())).code for _ in range(2)]
        release.set()
        await workshop.until(lambda: not app.catalogue.by_contract["demo.echo"].running)
        return [*codes, (await app.dispatcher.call("demo.echo", {}, Caller())).code]

    assert workshop.run(app, work) == ["TIMEOUT", "BUDGET_EXCEEDED", "OK"]


def test_an_invoked_thread_keeps_the_callers_place(workshop: Any) -> None:
    workshop.tool(WAITS)
    code = "@tool('demo.outer')\nasync def outer(call, text):\n    return await call.invoke('demo.echo', {})\n"
    workshop.tool(code, "demo.outer", budgets={**FAST, "max_concurrency": 1})
    app = workshop.app()
    release = app.plugins["echo"].module.RELEASE

    async def work() -> list[str]:
        codes = [(await app.dispatcher.call("demo.outer", {}, Caller())).code for _ in range(2)]
        release.set()
        await workshop.until(lambda: not app.catalogue.by_contract["demo.outer"].running)
        return codes

    assert workshop.run(app, work) == ["TIMEOUT", "BUDGET_EXCEEDED"]


def test_more_calls_at_once_than_allowed_are_refused_with_retry_after(workshop: Any) -> None:
    code = """
    import asyncio
    @tool("demo.echo")
    async def echo(call, text):
        await GATE.wait()
        return {"got": text}
    """
    workshop.tool(code, budgets={"max_concurrency": 2})
    app = workshop.app({"server": {"queue_seconds": 0}})

    async def work() -> Any:
        gate = app.plugins["echo"].module.GATE = asyncio.Event()
        first = [asyncio.create_task(app.dispatcher.call("demo.echo", {}, Caller())) for _ in range(2)]
        await asyncio.sleep(0)
        refused = await app.dispatcher.call("demo.echo", {}, Caller())
        gate.set()
        return (
            refused,
            [each.code for each in await asyncio.gather(*first)],
            await app.dispatcher.call("demo.echo", {}, Caller()),
        )

    refused, first, after = workshop.run(app, work)
    told = error(refused)
    assert told["code"] == "BUDGET_EXCEEDED"
    assert told["details"]["retry_after"] > 0
    assert told["retryable"] is True
    assert first == ["OK", "OK"]
    assert after.code == "OK"


def test_a_cancelled_call_ends_its_work_and_frees_its_place(workshop: Any) -> None:
    code = """
    import asyncio
    SEEN = []
    @tool("demo.echo")
    async def echo(call, text):
        SEEN.append("started")
        try:
            await asyncio.sleep(60)
        finally:
            SEEN.append(call.deadline.expired)
    """
    workshop.tool(code)
    app = workshop.app()

    async def work() -> None:
        task = asyncio.create_task(app.dispatcher.call("demo.echo", {}, Caller()))
        await workshop.until(lambda: app.plugins["echo"].module.SEEN)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    workshop.run(app, work)
    assert app.plugins["echo"].module.SEEN[0] == "started"
    assert len(app.plugins["echo"].module.SEEN) == 2
    assert app.catalogue.by_contract["demo.echo"].running == 0


# --- scope ---

CEILING = {"project_id": "docs", "environment": "prod", "doc_tags": ["a", "b"], "repositories": []}
SCOPED = {"type": "object", "properties": {"scope": {"$ref": "wekadocs:shared/scope"}}}
SHOW_SCOPE = """
    @tool("demo.echo")
    async def echo(call):
        scope = call.scope
        return {"got": [scope.project_id, scope.environment, list(scope.doc_tags), list(scope.repositories)]}
"""


@pytest.mark.parametrize(
    ("asked", "seen"),
    [
        (None, ["docs", "prod", ["a", "b"], []]),
        ({}, ["docs", "prod", ["a", "b"], []]),
        ({"project_id": "docs"}, ["docs", "prod", ["a", "b"], []]),
        ({"doc_tags": ["b"]}, ["docs", "prod", ["b"], []]),
        ({"doc_tags": []}, ["docs", "prod", ["a", "b"], []]),
        ({"repositories": ["r"], "environment": "prod"}, ["docs", "prod", ["a", "b"], ["r"]]),
    ],
)
def test_the_scope_is_filled_from_tools_yaml_and_may_be_narrowed(workshop: Any, asked: Any, seen: list[Any]) -> None:
    workshop.tool(SHOW_SCOPE, input=SCOPED)
    app = workshop.app({"scope": CEILING})
    assert workshop.call(app, "demo.echo", {} if asked is None else {"scope": asked}).data == {"got": seen}


@pytest.mark.parametrize(
    "asked",
    [
        {"project_id": "other"},
        {"environment": "dev"},
        {"doc_tags": ["c"]},
        {"doc_tags": ["a", "c"]},
        {"project_id": ""},
    ],
)
def test_a_wider_or_foreign_scope_is_refused(workshop: Any, asked: Any) -> None:
    workshop.tool(SHOW_SCOPE, input=SCOPED)
    told = error(workshop.call(workshop.app({"scope": CEILING}), "demo.echo", {"scope": asked}))
    assert told["code"] == "SCOPE_VIOLATION"
    assert told["details"]["path"] == f"/scope/{next(iter(asked))}"


@pytest.mark.parametrize(
    "asked", ["file", {"project": "other"}, {"doc_tags": "ab"}, {"doc_tags": [1]}, {"project_id": 1}, [1]]
)
def test_a_scope_that_is_none_is_refused_however_open_the_contract(workshop: Any, asked: Any) -> None:
    workshop.tool(SHOW_SCOPE, input={"type": "object", "properties": {"scope": {}}})
    told = error(workshop.call(workshop.app({"scope": CEILING}), "demo.echo", {"scope": asked}))
    assert told["code"] == "INVALID_ARGUMENT"
    assert told["details"]["path"].startswith("/scope")


def test_a_tool_without_a_scope_argument_has_the_configured_scope(workshop: Any) -> None:
    workshop.tool(SHOW_SCOPE, input={"type": "object"})
    app = workshop.app({"scope": CEILING})
    assert workshop.call(app, "demo.echo").data["got"][0] == "docs"
    assert workshop.call(app, "demo.echo", {"scope": {}}).code == "INVALID_ARGUMENT"


# --- what a handler can do with its call ---


def test_a_handler_knows_who_calls(workshop: Any) -> None:
    code = """
    @tool("demo.echo")
    async def echo(call, text):
        return {"got": [call.principal, call.session, call.deadline.remaining() > 1, call.deadline.expired]}
    """
    workshop.tool(code)
    outcome = workshop.call(workshop.app(), "demo.echo", principal="ada", session="s1")
    assert outcome.data == {"got": ["ada", "s1", True, False]}


INVOKER = """
    @tool("demo.outer")
    async def outer(call, name, arguments, **scope):
        return {"got": await call.invoke(name, arguments)}
"""
INVOKER_INPUT = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "arguments": {"type": "object"},
        "scope": {"$ref": "wekadocs:shared/scope"},
    },
}


def invoke(workshop: Any, settings: Any, name: str, arguments: Any = None, scope: Any = None, **options: Any) -> Any:
    workshop.tool(INVOKER, "demo.outer", input=INVOKER_INPUT)
    sent = {"name": name, "arguments": arguments or {}, **({"scope": scope} if scope else {})}
    return workshop.call(workshop.app(settings, **options), "demo.outer", sent)


def test_invoke_runs_another_tool_through_schema_and_defaults(workshop: Any) -> None:
    workshop.echo(input=NESTED)
    assert invoke(workshop, None, "demo.echo", {"query": "x"}).data["got"]["got"]["options"]["mode"] == "fast"
    assert error(invoke(workshop, None, "demo.echo", {"query": 1}))["code"] == "INVALID_ARGUMENT"
    assert "Did you mean demo.echo?" in error(invoke(workshop, None, "demo.ecko"))["message"]


def test_a_tool_that_invokes_itself_for_ever_is_our_fault(workshop: Any, caplog: Any) -> None:
    workshop.tool("@tool('demo.echo')\nasync def echo(call, text):\n    return await call.invoke('demo.echo', {})\n")
    assert error(workshop.call(workshop.app(), "demo.echo"))["code"] == "INTERNAL_ERROR"
    assert "tool=demo.echo RecursionError" in caplog.text


def test_invoke_leaves_the_callers_arguments_alone(workshop: Any) -> None:
    code = """
    SENT = {"options": {}}
    @tool("demo.outer")
    async def outer(call):
        await call.invoke("demo.echo", SENT)
        return {"got": SENT}
    """
    workshop.echo(input=NESTED)
    workshop.tool(code, "demo.outer", input={"type": "object"})
    assert workshop.call(workshop.app(), "demo.outer").data == {"got": {"options": {}}}


def test_invoke_inherits_the_narrowed_scope(workshop: Any) -> None:
    workshop.tool(SHOW_SCOPE, input=SCOPED)
    settings = {"scope": CEILING}
    assert invoke(workshop, settings, "demo.echo", scope={"doc_tags": ["b"]}).data["got"]["got"][2] == ["b"]
    wider = invoke(workshop, settings, "demo.echo", {"scope": {"doc_tags": ["a"]}}, scope={"doc_tags": ["b"]})
    assert error(wider)["code"] == "SCOPE_VIOLATION"


def test_invoke_enforces_read_only(workshop: Any) -> None:
    annotations = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
    workshop.echo(annotations=annotations)
    assert invoke(workshop, {}, "demo.echo").code == "OK"
    refused = error(invoke(workshop, {"server": {"read_only": True}}, "demo.echo"))
    assert refused["code"] == "INVALID_ARGUMENT"
    assert refused["details"]["reason"] == "disabled"


def test_a_busy_tool_answers_its_clients_in_turn(workshop: Any) -> None:
    code = """
    import asyncio
    GATES = asyncio.Queue()
    @tool("demo.echo")
    async def echo(call, text):
        await GATES.get()
        return {"got": text}
    """
    workshop.tool(code, budgets={"max_concurrency": 1})
    app = workshop.app({"server": {"queue_seconds": 20}})
    greedy, greedier, polite = (("one", 1), ("one", 2), ("other", 1))

    async def work() -> list[str]:
        order: list[str] = []

        async def ask(text: str, asker: Any) -> None:
            outcome = await app.dispatcher.call("demo.echo", {"text": text}, Caller(asker=asker))
            order.append(outcome.data["got"] if outcome.data else outcome.code)

        asked = [asyncio.create_task(ask(f"a{number}", greedy)) for number in range(4)]
        asked += [asyncio.create_task(ask("b", greedier)), asyncio.create_task(ask("c", polite))]
        given_up = asyncio.create_task(ask("never", polite))
        await asyncio.sleep(0)
        given_up.cancel()
        for _ in asked:
            app.plugins["echo"].module.GATES.put_nowait(None)
        await asyncio.gather(*asked)
        return order

    assert workshop.run(app, work) == ["a0", "a1", "c", "b", "a2", "a3"]
    assert not app.catalogue.by_contract["demo.echo"].running


def test_invoke_ignores_flags_toolsets_and_exclusion(workshop: Any) -> None:
    workshop.echo(flag="DEMO_ON")
    settings = {"flags": {"DEMO_ON": False}, "server": {"exclude": ["demo.echo"]}, "toolsets": {"some": ["demo.outer"]}}
    assert invoke(workshop, settings, "demo.echo", toolsets=("some",)).code == "OK"


def test_invoke_has_the_callers_deadline_and_place(workshop: Any) -> None:
    code = """
    @tool("demo.echo")
    async def echo(call, text):
        return {"got": [call.deadline.seconds, call.principal]}
    """
    workshop.tool(code, budgets={"timeout_seconds": 99, "max_concurrency": 1})
    workshop.tool(INVOKER, "demo.outer", input=INVOKER_INPUT, budgets={"timeout_seconds": 7})
    app = workshop.app()
    outcome = workshop.call(app, "demo.outer", {"name": "demo.echo", "arguments": {}}, principal="ada")
    assert outcome.data == {"got": {"got": [7, "ada"]}}


def test_invoke_raises_tool_errors_that_the_caller_can_catch(workshop: Any) -> None:
    workshop.tool("@tool('demo.echo')\nasync def echo(call, text):\n    raise ToolError('GONE', 'So.', {'x': 1})\n")
    code = """
    @tool("demo.outer")
    async def outer(call):
        try:
            await call.invoke("demo.echo")
        except ToolError as error:
            return {"got": [error.code, error.message, error.details]}
    """
    workshop.tool(code, "demo.outer", input={"type": "object"})
    assert workshop.call(workshop.app(), "demo.outer").data == {"got": ["GONE", "So.", {"x": 1}]}


def test_invoke_gives_the_answer_also_without_structured_output(workshop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCP_STRUCTURED_OUTPUT_ENABLED", "false")
    workshop.echo()
    outcome = invoke(workshop, {}, "demo.echo", {"text": "x"})
    assert json.loads(outcome.content[0]["text"]) == {"got": {"got": {"text": "x"}}}


class Listener(Client):
    def __init__(self) -> None:
        self.heard: list[Any] = []

    async def progress(self, progress: float, total: float | None, message: str | None) -> None:
        await asyncio.sleep(0)
        self.heard.append((progress, total, message))

    async def log(self, level: str, data: Any) -> None:
        self.heard.append((level, data))


@pytest.mark.parametrize("kind", ["async def", "def"])
def test_progress_and_log_reach_the_client_in_order(workshop: Any, kind: str) -> None:
    code = f"""
    @tool("demo.echo")
    {kind} echo(call, text):
        for step in range(3):
            call.progress(step, 3, "step")
        call.log("plain")
        call.log.warning({{"careful": 1}})
        return {{}}
    """
    workshop.tool(code)
    listener = Listener()
    workshop.call(workshop.app(), "demo.echo", client=listener)
    steps = [(step, 3, "step") for step in range(3)]
    assert listener.heard == [*steps, ("info", "plain"), ("warning", {"careful": 1})]


def test_progress_can_be_awaited(workshop: Any) -> None:
    workshop.tool(
        "@tool('demo.echo')\nasync def echo(call, text):\n"
        "    await call.progress(1)\n    await call.log('x')\n    return {}\n"
    )
    listener = Listener()
    workshop.call(workshop.app(), "demo.echo", client=listener)
    assert listener.heard == [(1, None, None), ("info", "x")]


def test_a_client_that_fails_to_listen_does_no_harm(workshop: Any) -> None:
    class Deaf(Client):
        async def progress(self, *_: Any) -> None:
            raise OSError

    workshop.tool("@tool('demo.echo')\nasync def echo(call, text):\n    await call.progress(1)\n    return {}\n")
    assert workshop.call(workshop.app(), "demo.echo", client=Deaf()).code == "OK"


# --- interceptors ---


def interceptor(name: str) -> str:
    return f"""
    @hookimpl
    def register_interceptors():
        async def around(call, proceed):
            answer = dict(await proceed(call))
            return {{**answer, "order": [{name!r}, *answer.get("order", [])]}}
        return [around]
    @tool("demo.{name}")
    async def {name}(call, text):
        return {{}}
    """


def test_the_first_plugin_of_tools_yaml_is_outermost(workshop: Any) -> None:
    for name in ("a", "b", "c"):
        workshop.tool(interceptor(name), f"demo.{name}")
    assert workshop.call(workshop.app(), "demo.a").data == {"order": ["a", "b", "c"]}
    assert workshop.call(workshop.app({"plugins": {"c": {}, "a": {}}}), "demo.a").data == {"order": ["c", "a", "b"]}


def test_an_interceptor_may_answer_itself_and_its_answer_is_checked(workshop: Any) -> None:
    code = """
    @hookimpl
    def register_interceptors():
        async def around(call, proceed):
            return {"n": "wrong"} if call.tool == "demo.echo" else await proceed(call)
        return [around]
    @tool("demo.echo")
    async def echo(call, text):
        raise AssertionError
    """
    workshop.tool(code, output={"type": "object", "properties": {"n": {"type": "string"}}})
    assert workshop.call(workshop.app(), "demo.echo").data == {"n": "wrong"}
    workshop.tool(code, output={"type": "object", "properties": {"n": {"type": "integer"}}})
    assert workshop.call(workshop.app(), "demo.echo").code == "INTERNAL_ERROR"


def test_telemetry_counts_refusals_too(workshop: Any) -> None:
    workshop.echo()
    app = workshop.app()
    workshop.call(app, "demo.echo", {"text": "x"})
    workshop.call(app, "demo.echo", {"text": 5})
    shown = app.telemetry.prometheus()
    assert 'wekadocs_tool_calls_total{tool="demo.echo",code="OK"} 1' in shown
    assert 'wekadocs_tool_calls_total{tool="demo.echo",code="INVALID_ARGUMENT"} 1' in shown


def test_logs_carry_no_argument(workshop: Any, caplog: Any) -> None:
    caplog.set_level(logging.DEBUG)
    workshop.echo()
    app = workshop.app()
    workshop.call(app, "demo.echo", {"text": "s3cret"})
    workshop.call(app, "demo.echo", {"s3cret": 1})
    workshop.call(app, "demo.echo", {"text": ["s3cret"]})
    assert "tool=demo.echo" in caplog.text
    assert "s3cret" not in caplog.text
    assert os.environ["WEKADOCS_DATA"] not in caplog.text
