"""What a contract says when the form it publishes must stay as it was: bounds, listing, fields beside an error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wekadocs_mcp.calls import usage
from wekadocs_mcp.calls.call import Client

_INPUT = {
    "type": "object",
    "additionalProperties": True,
    "properties": {
        "k": {"type": "integer", "default": 3},
        "ids": {"type": "array", "items": {"type": "string"}},
        "words": {"type": "string"},
    },
}
_BOUNDS = {"k": {"minimum": 1, "maximum": 10}, "ids": {"maxItems": 2}, "words": {"maxLength": 4}}
_CODE = """
@tool("demo.echo")
async def echo(call, **rest):
    return {"got": rest, "lowered": list(call.lowered)}
"""


def test_what_is_above_a_bound_is_lowered_and_told(workshop: Any) -> None:
    workshop.tool(_CODE, input=_INPUT, bounds=_BOUNDS)
    given = {"k": 11, "ids": ["a", "b", "c"], "words": "longer"}
    got = workshop.call(workshop.app(), "demo.echo", given).data
    assert got == {"got": {"k": 10, "ids": ["a", "b"], "words": "long"}, "lowered": ["k", "ids", "words"]}


def test_what_is_within_its_bounds_is_left_alone(workshop: Any) -> None:
    workshop.tool(_CODE, input=_INPUT, bounds=_BOUNDS)
    got = workshop.call(workshop.app(), "demo.echo", {"k": 10, "ids": ["a"]}).data
    assert got == {"got": {"k": 10, "ids": ["a"], "words": None}, "lowered": []}


def test_what_is_below_a_bound_is_refused_with_the_way_out(workshop: Any) -> None:
    workshop.tool(_CODE, input=_INPUT, bounds=_BOUNDS)
    error = workshop.call(workshop.app(), "demo.echo", {"k": 0}).error["error"]
    assert error["code"] == "INVALID_ARGUMENT"
    assert error["message"] == "k: 0 is below the minimum of 1. Pass 1 or more."


def test_bounds_are_told_in_the_description_and_not_in_the_schema(workshop: Any) -> None:
    workshop.tool(_CODE, input=_INPUT, bounds=_BOUNDS)
    (listed,) = workshop.app().tools_list()["tools"]
    assert "Max: ids=2 items, k=10, words=4 characters." in listed["description"]
    assert listed["inputSchema"] == {key: value for key, value in _INPUT.items() if key != "additionalProperties"}


def test_a_bound_of_no_argument_is_refused_at_start(workshop: Any) -> None:
    workshop.tool(_CODE, input=_INPUT, bounds={"kk": {"maximum": 1}})
    assert "`kk` is no argument — did you mean `k`?" in workshop.refusal()


@pytest.mark.parametrize(
    ("flag", "entry", "listed"),
    [(True, {}, False), (False, {}, True), (True, {"listed": True}, True), (False, {"listed": False}, True)],
)
def test_a_list_flag_hides_a_tool_that_still_answers(workshop: Any, flag: bool, entry: Any, listed: bool) -> None:
    workshop.tool(_CODE, list_flag="!NEW_ONES")
    app = workshop.app({"flags": {"NEW_ONES": flag}, "plugins": {"echo": entry}})
    assert [tool["name"] for tool in app.tools_list()["tools"]] == (["demo.echo"] if listed else [])
    assert workshop.call(app, "demo.echo", {"text": "hi"}).data["got"] == {"text": "hi"}


def test_an_unknown_list_flag_is_refused_at_start(workshop: Any) -> None:
    workshop.tool(_CODE, list_flag="NEW_ONES")
    assert "the flag NEW_ONES is unknown" in workshop.refusal()


_FAILS = """
@tool("demo.echo")
async def echo(call, **rest):
    raise ToolError("BACKEND_UNAVAILABLE", "It is off: switch it on.", beside={"is_off": True})
"""


def test_what_stands_beside_an_error_reaches_the_caller(workshop: Any) -> None:
    workshop.tool(_FAILS, failure={"nodes": [], "is_off": False})
    outcome = workshop.call(workshop.app(), "demo.echo")
    told = json.loads(outcome.content[0]["text"])
    assert list(told) == ["error", "nodes", "is_off"]
    assert (told["nodes"], told["is_off"], told["error"]["code"]) == ([], True, "BACKEND_UNAVAILABLE")


def test_refusals_of_the_host_have_those_fields_too(workshop: Any) -> None:
    workshop.tool(_FAILS, failure={"nodes": []})
    told = workshop.call(workshop.app(), "demo.echo", {"text": 1}).error
    assert (told["nodes"], told["error"]["code"]) == ([], "INVALID_ARGUMENT")


def test_text_json_is_the_structured_answer(workshop: Any) -> None:
    workshop.tool(_CODE, text="json")
    outcome = workshop.call(workshop.app(), "demo.echo", {"text": "größer <b>"})
    assert json.loads(outcome.content[0]["text"]) == outcome.data
    assert "größer <b>" in outcome.content[0]["text"]


class _Named(Client):
    def __init__(self, name: str) -> None:
        self.name = name


def test_calls_of_deprecated_tools_are_counted_by_client_and_kept(workshop: Any) -> None:
    workshop.tool(_CODE, input=_INPUT, status="deprecated")
    app = workshop.app()
    workshop.call(app, "demo.echo", {"verbosity": "secret"}, client=_Named("Claude"))
    workshop.call(app, "demo.echo", {}, client=_Named('cur"sor\n'))
    metrics = app.telemetry.prometheus()
    assert 'wekadocs_deprecated_calls_total{tool="demo.echo",client="Claude"} 1' in metrics
    assert 'wekadocs_deprecated_calls_total{tool="demo.echo",client="cur_sor_"} 1' in metrics
    assert 'wekadocs_undeclared_arguments_total{tool="demo.echo"} 1' in metrics
    assert "secret" not in metrics
    for _ in range(2):
        app.dispatcher.close()
    kept = usage.deprecated_calls(app.config.data_dir)
    assert {client: row["calls"] for client, row in kept["demo.echo"].items()} == {"Claude": 1, "cur_sor_": 1}


def test_a_client_that_always_calls_itself_something_new_fills_nothing(workshop: Any) -> None:
    workshop.tool(_CODE, status="deprecated")
    app = workshop.app()

    async def many() -> None:
        for number in range(60):
            await app.dispatcher.call("demo.echo", {}, _caller(f"client {number}"))

    workshop.run(app, many)
    app.dispatcher.close()
    kept = usage.deprecated_calls(app.config.data_dir)["demo.echo"]
    assert len(kept) == 51
    assert kept["others"]["calls"] == 10


def _caller(name: str) -> Any:
    from wekadocs_mcp.calls.call import Caller

    return Caller(client=_Named(name))


def test_a_tool_that_stays_is_not_counted(workshop: Any) -> None:
    workshop.tool(_CODE)
    app = workshop.app()
    workshop.call(app, "demo.echo")
    app.dispatcher.close()
    assert usage.deprecated_calls(app.config.data_dir) == {}
    assert "deprecated" not in app.telemetry.prometheus()


def test_counts_of_several_processes_add_up(workshop: Any) -> None:
    workshop.tool(_CODE, status="deprecated")
    for _ in range(2):
        app = workshop.app()
        workshop.call(app, "demo.echo", client=_Named("a"))
        app.dispatcher.close()
    assert usage.deprecated_calls(Path(app.config.data_dir))["demo.echo"]["a"]["calls"] == 2
