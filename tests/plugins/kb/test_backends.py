"""Nothing indexed, servers down, switches off: what a model is told."""

import socket

import pytest

from wekadocs_mcp.app import App
from wekadocs_mcp.testing import connect

CALLS = [
    ("kb.search", {"query": "mount"}),
    ("kb.search", {"query": "mount", "cursor": "x"}),
    ("kb.search", {"query": "mount", "session_id": "x"}),
    ("kb.retrieve_evidence", {"question": "mount"}),
    ("kb.extract_evidence", {"question": "mount", "passage_ids": ["x"]}),
    ("kb.read_excerpt", {"passage_id": "x"}),
    ("kb.expand_excerpt", {"passage_id": "x"}),
    ("kb.verify_quote", {"quote": "mount", "passage_id": "x"}),
    ("kb.verify_quote", {"quote": "mount", "document_id": "x"}),
]


@pytest.fixture(scope="module")
def empty(serve, tmp_path_factory):
    return serve(data_dir=tmp_path_factory.mktemp("empty"))


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
def test_with_nothing_indexed_every_tool_says_so(empty, tool, arguments):
    error = empty.refused(tool, arguments)
    assert error["code"] == "BACKEND_UNAVAILABLE"
    assert "`wekadocs-mcp ingest DIR`" in error["message"]
    assert error["details"] == {"reason": "nothing_indexed"}
    assert error["retryable"] is False


def test_documents_of_another_project_are_as_good_as_none(serve):
    kb = serve(scope={"project_id": "another", "environment": "prod"})
    assert kb.refused("kb.search", {"query": "mount"})["details"] == {"reason": "nothing_indexed"}


@pytest.mark.parametrize(("tool", "arguments"), [CALLS[0], CALLS[3]])
def test_while_no_node_of_a_qdrant_server_answers_the_truth_does_and_says_so(serve, tool, arguments):
    url = ",".join(f"http://127.0.0.1:{port}" for port in closed_ports(2))
    kb = serve(corpus={"qdrant": {"url": url, "timeout_seconds": 1}})
    beside = serve()
    for _ in range(2):  # found to be away, and known to be
        answer, same = kb.ask(tool, arguments), beside.ask(tool, arguments)
        told = answer["degraded"] if tool == "kb.search" else answer["diagnostics"]["degraded"]
        assert any("the Qdrant server does not answer" in each for each in told)
        assert "127.0.0.1" not in repr(answer)  # where it stands on the network is the operator's business
        rows = "results" if tool == "kb.search" else "quotes"
        assert [each["path"] for each in answer[rows]] == [each["path"] for each in same[rows]]


def closed_ports(count):
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
    finally:
        for probe in probes:
            probe.close()


@pytest.mark.parametrize("value", ["false", "0", "off", "No"])
def test_the_switch_hides_and_refuses(serve, monkeypatch, value):
    monkeypatch.setenv("MCP_KB_V2_ENABLED", value)
    kb = serve()
    assert kb.app.tools_list()["tools"] == []
    for tool, arguments in CALLS:
        error = kb.refused(tool, arguments)
        assert error["code"] == "INVALID_ARGUMENT"
        assert error["details"]["reason"] == "disabled"
        assert "MCP_KB_V2_ENABLED" in error["details"]["switch"]


@pytest.mark.parametrize("style", ["dotted", "underscore"])
def test_prompts_name_tools_as_they_are_served(serve, style):
    kb = serve(server={"name_style": style})

    async def go():
        async with connect(App.build(kb.app.config), "modern") as client:
            listed = [prompt.name for prompt in (await client.list_prompts()).prompts]
            answer = await client.get_prompt("answer_from_evidence", {"question": "How?"})
            return listed, answer.messages[0].content.text

    listed, answer = kb.run(go)
    dot = "." if style == "dotted" else "_"
    assert listed == ["answer_from_evidence"]
    assert f"kb{dot}retrieve_evidence" in answer
    assert "How?" in answer
