"""A library that dies leaves one pair of schemas open, and the rest of the comparison done."""

import os
import signal

import pytest

from wekadocs_contracts.diff.proof import inclusion


@pytest.fixture
def deadly(monkeypatch):
    """The set operations die of any schema that says boom, as native code does."""
    plain = inclusion._canonical

    def canonical(schema):
        if "boom" in str(schema):
            os.kill(os.getpid(), signal.SIGKILL)
        return plain(schema)

    monkeypatch.setattr(inclusion, "_canonical", canonical)


def tools(*schemas):
    return {"tools": [{"name": f"t{number}", "inputSchema": schema} for number, schema in enumerate(schemas)]}


def holding(**schema):
    return {"type": "object", "properties": {"a": schema}}


def test_what_a_library_dies_of_is_unproven_and_everything_else_is_judged(deadly, wire):
    old = tools(holding(type="integer", maximum=9), holding(type="string", pattern="boom"), holding(type="string"))
    new = tools(
        holding(type="integer", maximum=8), holding(type="string", pattern="boom+"), holding(type=["string", "null"])
    )
    done = wire(old, new)
    found = {row["tool"]: (row["verdict"], row["proof"], row["rule"]) for row in done.json["changes"]}
    assert found["t0"] == ("breaking", "witness", "maximum-narrowed")
    assert found["t1"] == ("breaking", "unproven", "not-proven")
    assert found["t2"][0] == "additive"
    assert "SIGKILL" in next(row["message"] for row in done.json["changes"] if row["tool"] == "t1")
    assert done.code == 1


def test_a_death_alone_is_exit_3(deadly, wire):
    done = wire(tools(holding(pattern="boom")), tools(holding(pattern="boom+")))
    assert (done.code, done.json["verdict"]) == (3, "breaking")
    assert wire(tools(holding(pattern="boom")), tools(holding(pattern="boom"))).code == 0


def test_where_everything_dies_the_command_says_so(deadly, wire):
    schemas = [holding(type="string", pattern=f"boom{number}") for number in range(8)]
    done = wire(tools(*schemas), tools(*(holding(type="string", pattern="boom") for _ in schemas)))
    assert done.code == 2
    assert "a library died (SIGKILL)" in done.err
