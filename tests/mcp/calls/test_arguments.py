"""Arguments on their way to a handler: defaults, numbers, aliases, and what is refused in words."""

from __future__ import annotations

from typing import Any

import pytest

from .outcomes import ANYTHING, NESTED, error


def got(workshop: Any, arguments: dict[str, Any], **contract: Any) -> dict[str, Any]:
    workshop.echo(**contract)
    outcome = workshop.call(workshop.app(), "demo.echo", arguments)
    assert outcome.error is None, outcome.error
    return outcome.data["got"]


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
