"""Arguments that should do harm, and names of no tool: refused before any handler."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from wekadocs_mcp.errors import ProtocolError

from .outcomes import error


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
