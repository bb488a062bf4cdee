"""Old names: what a failed answer keeps, what every answer tells, and what the text is beside the structure."""

from __future__ import annotations

import json
from typing import Any

import pytest

from wekadocs_mcp.calls import answers
from wekadocs_mcp.calls.call import Client
from wekadocs_mcp.errors import ToolError

from .test_published import ANSWERS, ENVELOPE

# What each tool's own answer has beside the envelope, and what the former server put into its failures.
ALWAYS = ENVELOPE | {"dedupe_applied", "limit_reason", "lowered"}
FORMER = {
    "describe_nodes": "nodes",
    "expand_neighbors": "neighbors",
    "list_parents": "parents",
    "get_entities_for_sections": "entities",
    "get_sections_for_entities": "sections",
}


def kept(name: str) -> set[str]:
    return ANSWERS[name][1] - ALWAYS | ({FORMER[name]} if name in FORMER else set())


def failed(old: Any, name: str, /, **arguments: Any) -> dict[str, Any]:
    """The whole envelope."""
    reply = old.reply(name, **arguments)
    assert reply.error is not None, reply.data
    return dict(json.loads(reply.text))


class Older(Client):
    protocol_version = "2025-03-26"


@pytest.fixture(scope="module")
def on(connect: Any) -> Any:
    return connect(flags={"ENABLE_LEGACY_SEARCH_DOCUMENTATION": True})


@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_a_refused_argument_keeps_the_old_keys(on: Any, name: str) -> None:
    told = failed(on, name, **dict.fromkeys(ANSWERS[name][0], 5))
    assert told["error"]["code"] == "INVALID_ARGUMENT"
    assert kept(name) <= set(told)


@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_so_does_what_the_host_refuses(connect: Any, name: str) -> None:
    hidden = connect(server={"exclude": [name]})
    told = failed(hidden, name, **ANSWERS[name][0])
    assert told["error"]["details"]["reason"] == "disabled"
    assert kept(name) <= set(told)


@pytest.mark.parametrize("name", sorted(ANSWERS))
@pytest.mark.parametrize(
    "error",
    [
        ToolError("TIMEOUT", "Too late."),
        ToolError("BUDGET_EXCEEDED", "m" * 20_000),
        ToolError("INVALID_ARGUMENT", "No.", {"value": float("nan")}),
        ToolError("INVALID_ARGUMENT", "No.", {"values": ["x" * 100] * 1000}),
    ],
    ids=["late", "a long message", "details that are no JSON", "long details"],
)
def test_so_does_what_had_to_be_shortened(on: Any, name: str, error: ToolError) -> None:
    contract = on.app.catalogue.find(name).contract
    assert kept(name) <= set(json.loads(answers.failed(error, contract).content[0]["text"]))


def test_search_documentation_always_warns_and_tells_what_it_lowered(on: Any) -> None:
    plain = on.ask("search_documentation", query="mount")
    assert (plain["limit_reason"], plain["lowered"]) == ("none", [])
    lowered = on.reply("search_documentation", query="mount", top_k=500)
    assert (lowered.data["limit_reason"], lowered.data["lowered"]) == ("page_size", ["top_k"])
    refused = failed(on, "search_documentation", query=" ")
    assert plain["warning"] == lowered.data["warning"] == refused["warning"] != ""
    for text in (plain["answer_markdown"], lowered.text):
        assert plain["warning"] in text
    assert "top_k" in lowered.text


def test_a_hundred_rows_are_not_sent_twice(on: Any) -> None:
    reply = on.reply("search_sections", query="the", top_k=100, page_size=100)
    whole = len(json.dumps(reply.data, ensure_ascii=False, separators=(",", ":")))
    assert len(reply.text) < whole / 4
    assert all(row["section_id"] in reply.text and row["title"] in reply.text for row in reply.data["results"])


@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_a_client_that_is_sent_no_structure_parses_the_text(on: Any, name: str) -> None:
    arguments = json.loads(json.dumps(ANSWERS[name][0]).replace("ID", on.mount()))
    outcome = on.as_caller(name, arguments, client=Older())
    assert set(json.loads(outcome.content[0]["text"])) >= ANSWERS[name][1] - {"dedupe_applied"}


def test_the_text_of_sections_is_in_the_text(on: Any) -> None:
    section = on.mount()
    reply = on.reply("get_section_text", section_ids=[section])
    assert reply.data["results"][0]["text_truncated"].strip() in reply.text
    assert section in reply.text
