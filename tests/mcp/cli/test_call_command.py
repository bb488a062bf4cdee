"""`wekadocs-mcp call`: arguments as JSON or as NAME=VALUE, read as the contract wants them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from wekadocs_mcp.cli.main import cli

INPUT = {
    "type": "object",
    "required": ["query"],
    "additionalProperties": False,
    "$defs": {"paging": {"type": "object", "properties": {"size": {"type": "integer"}}}},
    "properties": {
        "deep": {"allOf": [{"type": "boolean"}]},
        "query": {"type": "string"},
        "top_k": {"type": "integer", "maximum": 20},
        "weight": {"type": "number"},
        "ids": {"type": "array", "items": {"type": "string"}},
        "sizes": {"type": "array", "items": {"type": "integer"}},
        "mode": {"enum": ["fast", "exact"]},
        "either": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "options": {"type": "object"},
        "paging": {"$ref": "#/$defs/paging"},
    },
}


@pytest.fixture
def call(workshop: Any) -> Any:
    workshop.echo(input=INPUT, argument_aliases={"limit": "top_k"})

    def run(*words: str, stdin: str = "") -> Result:
        return CliRunner().invoke(cli, ["call", "demo.echo", *words, "--plugins", str(workshop.tools)], input=stdin)

    return run


@pytest.mark.parametrize(
    ("words", "sent"),
    [
        (["query=how do I = mount"], {"query": "how do I = mount"}),
        (["query=5", "top_k=5"], {"query": "5", "top_k": 5}),
        (["query=true", "deep=true", "weight=1.5"], {"query": "true", "deep": True, "weight": 1.5}),
        (["query=", "mode=fast", "either=null"], {"query": "", "mode": "fast", "either": None}),
        (["query=a", "ids=1", "ids=b,c"], {"query": "a", "ids": ["1", "b,c"]}),
        (["query=a", 'ids=["x", "y"]', "sizes=1", "sizes=2"], {"query": "a", "ids": ["x", "y"], "sizes": [1, 2]}),
        (["query=a", "paging.size=3", 'options={"a": 1}'], {"query": "a", "paging": {"size": 3}, "options": {"a": 1}}),
        (["query=a", "limit=7"], {"query": "a", "top_k": 7}),
        (['{"query": "a=b"}'], {"query": "a=b"}),
    ],
)
def test_name_and_value_are_read_as_the_contract_wants_them(call: Any, words: list[str], sent: Any) -> None:
    done = call(*words)
    assert done.exit_code == 0, done.output
    assert {name: value for name, value in json.loads(done.stdout)["got"].items() if value is not None} == {
        name: value for name, value in sent.items() if value is not None
    }


def test_standard_input_is_json(call: Any) -> None:
    assert json.loads(call("-", stdin='{"query": "x"}').stdout)["got"]["query"] == "x"
    assert "not JSON" in call("-", stdin="query").stderr


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["mount a disk"], "not JSON: "),
        (["{query: mount}"], "not JSON: "),
        (["{query:", "mount}"], "`{query:` is not NAME=VALUE"),
        (["query=a", "top_k"], "`top_k` is not NAME=VALUE"),
        (['["a"]'], "the arguments are one JSON object"),
        (["=a"], "not JSON: "),
    ],
)
def test_what_is_neither_is_told_with_both_ways_to_write_it(call: Any, words: list[str], what: str) -> None:
    done = call(*words)
    assert done.exit_code == 2
    assert what in done.stderr
    assert "wekadocs-mcp call demo.echo query=…" in done.stderr
    assert """wekadocs-mcp call demo.echo '{"query": …}'""" in done.stderr


def test_one_name_twice_is_refused_unless_it_is_a_list(call: Any) -> None:
    done = call("query=a", "query=b")
    assert done.exit_code == 2
    assert "query=b: query has a value already" in done.stderr
    assert "query has a value already" in call("query=a", "query.inner=b").stderr


@pytest.mark.parametrize(
    ("word", "message"),
    [("top_k=many", "is not of type integer"), ("top_k=21", "above the maximum of 20"), ("topk=1", "did you mean")],
)
def test_what_the_contract_refuses_is_refused_in_its_words(call: Any, word: str, message: str) -> None:
    done = call("query=a", word)
    assert done.exit_code == 1
    assert message in json.loads(done.stdout)["error"]["message"]


def test_an_unknown_tool_is_told_before_its_arguments(call: Any, workshop: Any) -> None:
    done = CliRunner().invoke(cli, ["call", "demo.ecko", "what", "--plugins", str(workshop.tools)])
    assert done.exit_code == 2
    assert "Did you mean demo.echo?" in done.stderr
