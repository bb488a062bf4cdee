"""A tool whose callers knew another server: its codes, its JSON as the text, the first words of its errors."""

import json

import pytest

NODES = """
from wekadocs_mcp import Answer, ToolError, tool

ROWS = {"none": [], "two": [{"id": "a.md"}, {"id": "日本.md"}], "null": None, "one": {"id": "a.md"}}

@tool("demo.nodes")
async def nodes(call, which, warn):
    if which == "gone":
        raise ToolError("BACKEND_UNAVAILABLE", "The disk is away.")
    if which == "slow":
        import asyncio
        await asyncio.sleep(60)
    warnings = ["Broken link: [[x]]"] if warn else []
    return Answer({"results": ROWS[which]}, warnings=warnings, meta={"demo/extra": 1} if warn else {})
"""
CONTRACT = {
    "input": {
        "type": "object",
        "required": ["which"],
        "properties": {
            "which": {"enum": ["none", "two", "null", "one", "gone", "slow"]},
            "warn": {"type": "boolean", "default": False},
        },
    },
    "output": {
        "type": "object",
        "required": ["results"],
        "properties": {"results": {"type": ["array", "object", "null"]}},
    },
    "text": "json",
    "text_field": "results",
    "error_codes": {"INVALID_ARGUMENT": "INVALID_PARAMS", "BACKEND_UNAVAILABLE": "PROVIDER_ERROR"},
    "error_text": "[ERROR]\n{% if code == 'TIMEOUT' %}Timed out after {{ details.timeout_seconds }}s.{% else %}"
    "Error type: {{ code }}\nDetails: {{ message }}{% endif %}",
    "errors": ["NODE_EXISTS"],
    "budgets": {"timeout_seconds": 0.5},
}
WAYS = [
    ("stdio", "modern"),
    ("stdio", "2025-11-25"),
    ("stdio", "2024-11-05"),
    ("http", "modern"),
    ("http", "2025-06-18"),
]
TEXTS = {
    "none": "[]",
    "two": '[{"id":"a.md"},{"id":"日本.md"}]',
    "null": "null",
    "one": '{"id":"a.md"}',
}


def asking(world, transport, era, **environment):
    modern = era == "modern"
    server = world.http(env=environment) if transport == "http" else world.stdio(env=environment)
    if modern:
        ask = server.ask if transport == "stdio" else lambda message: server.post_modern(message).message
    elif transport == "stdio":
        server.shake_hands(era)
        ask = server.ask
    else:
        session = server.post(world.initialize(version=era)).headers["mcp-session-id"]
        mine = {"Mcp_Session_Id": session, "MCP_Protocol_Version": era}
        server.post(world.INITIALIZED, **mine)
        ask = lambda message: server.post(message, **mine).message  # noqa: E731
    return lambda **arguments: ask(world.call(7, "demo.nodes", arguments, modern=modern))["result"]


@pytest.mark.parametrize(("transport", "era"), WAYS)
def test_every_client_reads_the_fields_own_json_the_contracts_codes_and_its_first_words(world, transport, era):
    world.tool("demo.nodes", NODES, **CONTRACT)
    ask = asking(world, transport, era)
    for which, text in TEXTS.items():
        result = ask(which=which)
        assert [block["text"] for block in result["content"]] == [text]
        if era != "2024-11-05":
            assert result["structuredContent"] == {"results": json.loads(text)}
    beside(ask(which="two", warn=True), era)
    within(ask(which="one", warn=True))
    refused(ask)


def beside(result, era):
    first, second = (block["text"] for block in result["content"])
    assert (first, second) == (TEXTS["two"], '{"_warnings":["Broken link: [[x]]"]}')
    assert result["_meta"]["dev.wekadocs/warnings"] == ["Broken link: [[x]]"]
    assert result["_meta"]["demo/extra"] == 1
    if era != "2024-11-05":
        assert result["structuredContent"]["_warnings"] == ["Broken link: [[x]]"]


def within(result):
    (block,) = result["content"]
    assert json.loads(block["text"]) == {"id": "a.md", "_warnings": ["Broken link: [[x]]"]}
    assert result["_meta"]["dev.wekadocs/warnings"] == ["Broken link: [[x]]"]


def refused(ask):
    cases = [({"which": "three"}, "INVALID_PARAMS"), ({"which": "gone"}, "PROVIDER_ERROR"), ({}, "INVALID_PARAMS")]
    for arguments, code in [*cases, ({"which": "slow"}, "TIMEOUT")]:
        result = ask(**arguments)
        first, second = (block["text"] for block in result["content"])
        error = json.loads(second)["error"]
        assert result["isError"] and "structuredContent" not in result
        assert error["code"] == code
        told = f"Error type: {code}\nDetails: {error['message']}" if code != "TIMEOUT" else "Timed out after 0.5s."
        assert first == f"[ERROR]\n{told}"


def test_without_structured_output_the_text_is_the_same(world):
    world.tool("demo.nodes", NODES, **CONTRACT)
    ask = asking(world, "stdio", "modern", MCP_STRUCTURED_OUTPUT_ENABLED="false")
    assert {which: ask(which=which)["content"] for which in TEXTS} == {
        which: [{"type": "text", "text": text}] for which, text in TEXTS.items()
    }
    assert "structuredContent" not in ask(which="two")
    assert [block["text"] for block in ask(which="null", warn=True)["content"]][
        1
    ] == '{"_warnings":["Broken link: [[x]]"]}'
