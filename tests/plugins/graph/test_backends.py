"""Graph off, down or hung, nothing indexed, both protocol eras: what a model is told."""

from __future__ import annotations

import json
import shutil
import signal
import socket
from pathlib import Path
from typing import Any

import pytest
from neo4j_server import neo4j_server
from started import stopped

from wekadocs_corpus import tokens
from wekadocs_mcp.app import App
from wekadocs_mcp.testing import connect

GRAPH = [
    "graph.children",
    "graph.describe",
    "graph.entities_for_sections",
    "graph.expand",
    "graph.parents",
    "graph.paths",
    "graph.sections_for_entities",
]
CALLS: dict[str, dict[str, Any]] = {
    "graph.children": {"parent_id": "x"},
    "graph.describe": {"node_ids": ["x"]},
    "graph.entities_for_sections": {"section_ids": ["x"]},
    "graph.expand": {"node_ids": ["x"]},
    "graph.parents": {"section_ids": ["x"]},
    "graph.paths": {"a_ids": ["x"], "b_ids": ["y"]},
    "graph.sections_for_entities": {"entity_ids": ["x"]},
}


def listed(served: Any) -> list[str]:
    return [tool["name"] for tool in served.app.tools_list()["tools"] if tool["name"].startswith("graph")]


@pytest.mark.parametrize("tool", GRAPH)
def test_with_nothing_indexed_every_tool_says_so(serve: Any, tmp_path: Any, tool: str) -> None:
    error = serve(data_dir=tmp_path).refused(tool, CALLS[tool])
    assert (error["code"], error["details"]) == ("BACKEND_UNAVAILABLE", {"reason": "nothing_indexed"})
    assert "`wekadocs-mcp ingest DIR`" in error["message"]


def test_switched_off_the_tools_are_not_offered_and_refuse_with_the_way_out(serve: Any) -> None:
    served = serve(corpus={"graph": False})
    assert listed(served) == []
    for tool, arguments in CALLS.items():
        error = served.refused(tool, arguments)
        assert (error["code"], error["retryable"], error["details"]) == (
            "BACKEND_UNAVAILABLE",
            True,
            {"neo4j_disabled": True},
        )
        assert "plugins.corpus.graph" in error["message"]
        assert "kb.search" in error["message"]
    found = served.ask("kb.search", {"query": "mount a filesystem"})
    assert (found["mode_used"], found["degraded"], bool(found["results"])) == ("vector_only", ["neo4j_disabled"], True)


def test_a_plugin_that_is_off_is_named_to_whoever_calls_its_tools(serve: Any) -> None:
    from wekadocs_mcp.errors import ProtocolError

    served = serve(graph={"enabled": False})
    assert listed(served) == []
    for name in ("graph.expand", "graph_expand"):
        with pytest.raises(ProtocolError) as refused:
            served.outcome(name, {"node_ids": ["x"]})
        assert "plugin is off" in refused.value.message


def test_the_switch_of_the_new_tools_covers_the_graph(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCP_KB_V2_ENABLED", "false")
    served = serve()
    assert served.app.tools_list()["tools"] == []
    for tool, arguments in CALLS.items():
        assert served.refused(tool, arguments)["details"] == {"reason": "disabled", "switch": "MCP_KB_V2_ENABLED"}


@pytest.mark.parametrize("scheme", ["bolt", "neo4j", "bolt+s", "neo4j+ssc"])
def test_a_server_that_is_down_is_told_and_can_be_tried_again(serve: Any, scheme: str) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        uri = f"{scheme}://127.0.0.1:{probe.getsockname()[1]}"
    served = serve(corpus={"neo4j": {"uri": uri, "password": "a-secret-word", "timeout_seconds": 1}})
    for tool, arguments in CALLS.items():
        error = served.refused(tool, arguments)
        assert (error["code"], error["retryable"]) == ("BACKEND_UNAVAILABLE", True)
        assert error["details"]["neo4j_disabled"] is True
        assert "kb.retrieve_evidence" in error["message"]
        assert "a-secret-word" not in repr(error) and "127.0.0.1" not in repr(error)
        with_tls = " with TLS, as its scheme says" if "+s" in scheme else ""
        assert f"Neo4j cannot be reached{with_tls}." in error["message"]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"uri": "localhost:7687"}, "neo4j.uri must be of the form"),
        ({"uri": "http://localhost:7474"}, "neo4j.uri must be of the form"),
        ({"uri": "bolt://localhost:port"}, "neo4j.uri must be of the form"),
        ({"uri": "bolt+ssc://localhost", "ca_file": "ca.pem"}, "trusts anybody: write +s"),
        ({"uri": "bolt+s://localhost", "ca_file": "ca.pem"}, "ca.pem is no file"),
        ({"uri": "bolt://localhost", "ca_file": "ca.pem"}, "ca.pem is no file"),
    ],
)
def test_settings_that_no_driver_takes_are_told_with_the_way_out(
    serve: Any, settings: dict[str, str], told: str
) -> None:
    error = serve(corpus={"neo4j": settings}).refused("graph.describe", CALLS["graph.describe"])
    assert error["code"] == "BACKEND_UNAVAILABLE"
    assert told in repr(error)


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="stops a process")
def test_a_server_that_hangs_is_given_up(serve: Any, in_neo4j: dict[str, str]) -> None:
    pid = neo4j_server().pid
    if pid is None:
        pytest.skip("the server is not ours to stop")
    assert serve(corpus={"neo4j": {**in_neo4j, "timeout_seconds": 60}}).ask("graph.describe", {"node_ids": ["x"]})
    served = serve(corpus={"neo4j": {**in_neo4j, "timeout_seconds": 4}})  # the question is planned by now
    assert served.ask("graph.describe", {"node_ids": ["x"]})["not_found"] == ["x"]
    with stopped(pid):
        for _ in range(2):
            error = served.refused("graph.describe", {"node_ids": ["x"]})
            assert (error["code"], error["retryable"]) == ("BACKEND_UNAVAILABLE", True)


def test_the_tools_of_both_namespaces_cost_a_client_at_most_5000_tokens(embedded: Any) -> None:
    wire = [
        tool["name"] + tool["description"] + json.dumps(tool["inputSchema"], separators=(",", ":"))
        for tool in embedded.app.tools_list()["tools"]
    ]
    assert len(wire) == 13
    assert sum(map(tokens.count, wire)) <= 5000


@pytest.mark.parametrize("tool", GRAPH)
def test_descriptions_say_when_to_use_the_graph(embedded: Any, tool: str) -> None:
    (served,) = [each for each in embedded.app.tools_list()["tools"] if each["name"] == tool]
    use, do_not, returns, follow, limits = served["description"].splitlines()
    assert "Use after `kb.search` to explore relationships between the top 1\u20133 candidates." in use
    assert "Do not call if `neo4j_disabled=true` (use `kb.search`/`kb.retrieve_evidence` only)." in do_not
    assert returns.startswith("Returns ")
    assert "Do not fetch text until you have narrowed to ≤3 passages." in follow
    assert "Max: " in limits
    assert served["annotations"] == {
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
        **{key: value for key, value in served["annotations"].items() if key == "title"},
    }
    assert "outputSchema" in served


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_both_protocol_eras_get_the_tools_and_the_prompt(embedded: Any, found: list[str], era: Any) -> None:
    async def go() -> Any:
        async with connect(App.build(embedded.app.config), era) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            answer = await client.call_tool("graph.parents", {"section_ids": found[:1]})
            prompt = await client.get_prompt("explore_the_graph", {"topic": "mounting"})
            return names, answer, prompt.messages[0].content.text

    names, answer, prompt = embedded.run(go)
    assert [name for name in names if name.startswith("graph")] == GRAPH
    assert answer.structured_content["results"][0]["section_id"] == found[0]
    assert "Mount a filesystem" in answer.content[0].text
    assert "mounting" in prompt
    assert "graph.entities_for_sections" in prompt


def test_with_the_graph_off_the_prompt_does_without_it(serve: Any) -> None:
    served = serve(corpus={"graph": False})

    async def go() -> Any:
        async with connect(App.build(served.app.config), "modern") as client:
            return (await client.get_prompt("explore_the_graph", {"topic": "mounting"})).messages[0].content.text

    assert "graph." not in served.run(go)


def test_doctor_tells_when_the_server_has_not_got_everything(
    serve: Any, data: Path, in_neo4j: dict[str, str], ingest: Any, tmp_path: Path
) -> None:
    def told(**where: Any) -> tuple[str, str]:
        served = serve(**where)
        ((state, _, note, _),) = served.run(served.state("corpus").check_graph)
        return state, note

    assert told()[0] == "ok"
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "late.md").write_text("# Came while Neo4j was away\n")
    shutil.copytree(data, tmp_path / "data")
    ingest(tmp_path / "data", docs)
    assert told(data_dir=tmp_path / "data", corpus={"neo4j": in_neo4j}) == ("warning", "Neo4j: 1 change(s) behind")
    assert told(corpus={"graph": False})[0] == "warning"
