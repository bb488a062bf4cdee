"""The acceptance criteria of seed 001 §12, one test a line, named after it; against real processes."""

import json
import re
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONTRACTS = (ROOT / "docs" / "api-contracts.md").read_text("utf-8")


@pytest.fixture(scope="module")
def world(documented):
    return documented


@pytest.fixture(scope="module")
def server(world):
    return world.http()


@pytest.fixture(scope="module")
def ask(world, server):
    """`ask(method, params)` over HTTP, as the current protocol does it."""
    numbers = iter(range(1, 100_000))

    def send(method, params=None):
        return server.post_modern(world.request(next(numbers), method, params or {}, modern=True)).message

    return send


@pytest.fixture(scope="module")
def call(ask):
    def send(tool, arguments):
        result = ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        assert not result.get("isError"), result
        return result

    return send


def test_a_compliant_client_can_connect_at_the_configured_base_path(world, server):
    session = server.session()
    tools = server.post(world.request(1, "tools/list"), **session).message["result"]["tools"]
    assert {"kb.search", "kb.retrieve_evidence", "graph.expand"} <= {tool["name"] for tool in tools}
    assert server.send("POST", "/mcp", b"{}").status == server.send("POST", "/_mcp", b"{}").status == 400
    assert server.send("POST", "/elsewhere", b"{}").status == 404


@pytest.mark.parametrize("modern", [False, True], ids=["older", "modern"])
def test_the_tool_list_and_schemas_exactly_match_stdio(world, server, modern):
    local = world.stdio()
    if not modern:
        local.shake_hands()
    message = world.request(5, "tools/list", modern=modern)
    over_http = server.post_modern(message) if modern else server.post(message, **server.session())
    assert over_http.message["result"]["tools"] == local.ask(message)["result"]["tools"]


def test_scratch_resources_are_supported_and_tools_return_links_not_embedded_text(ask, call):
    templates = ask("resources/templates/list")["result"]["resourceTemplates"]
    assert "wekadocs://scratch/{session_id}/{passage_id}" in {each["uriTemplate"] for each in templates}
    found = call("kb.search", {"query": "mount a filesystem"})
    assert [block["type"] for block in found["content"]] == ["text"] + ["resource_link"] * 5
    link = found["content"][1]
    (content,) = ask("resources/read", {"uri": link["uri"]})["result"]["contents"]
    assert len(content["text"].encode()) == link["size"]
    assert content["text"] not in json.dumps(found, ensure_ascii=False)


def test_no_json_content_blocks_remain(call):
    row = call("kb.search", {"query": "mount"})["structuredContent"]["results"][0]
    for tool, arguments in (
        ("kb.search", {"query": "mount"}),
        ("kb.retrieve_evidence", {"question": "mount"}),
        ("kb.extract_evidence", {"question": "mount", "passage_ids": [row["passage_id"]]}),
        ("kb.read_excerpt", {"passage_id": row["passage_id"]}),
        ("kb.expand_excerpt", {"passage_id": row["passage_id"]}),
        ("kb.verify_quote", {"quote": "mount", "passage_id": row["passage_id"]}),
        ("graph.describe", {"node_ids": [row["section_id"]]}),
    ):
        result = call(tool, arguments)
        assert {block["type"] for block in result["content"]} <= {"text", "resource_link"}
        assert result["structuredContent"]
        assert not result["content"][0]["text"].startswith(("{", "["))


def test_legacy_rest_endpoints_remain_functional_until_clients_migrate(world, server):
    kept = world.http(env={"MCP_HTTP_LEGACY_REST_ENABLED": "true"})
    body = json.dumps({"name": "traverse_relationships", "arguments": {"start_ids": []}}).encode()
    answer = kept.send("POST", "/mcp/tools/call", body, {"Content-Type": "application/json"})
    assert answer.status == 200
    assert {"content", "is_error"} <= set(json.loads(answer.body))
    assert server.send("POST", "/mcp/tools/call", body, {"Content-Type": "application/json"}).status == 404


def test_search_documentation_remains_disabled_by_default(ask):
    assert "search_documentation" not in {tool["name"] for tool in ask("tools/list")["result"]["tools"]}
    first, second = (
        ask("tools/call", {"name": "search_documentation", "arguments": {"query": "mount"}})["result"] for _ in range(2)
    )
    assert first["isError"]
    assert first == second
    assert json.loads(first["content"][0]["text"])["error"]["details"]["reason"] == "disabled"


def published(mode):
    """The median the API contracts promise, in seconds."""
    (found,) = re.findall(rf"^\| {mode} \|.*\| (\d+) \| \d+ \| \d+ \|$", CONTRACTS, re.MULTILINE)
    return int(found) / 1000


def median_of(work, times=15):
    spent = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        spent.append(time.perf_counter() - began)
    return sorted(spent)[times // 2]


def test_performance_contracts_are_preserved_over_http(call):
    row = call("kb.search", {"query": "warm up"})["structuredContent"]["results"][0]
    call("graph.describe", {"node_ids": [row["section_id"]]})
    assert median_of(lambda: call("kb.search", {"query": "mount a filesystem"})) <= published("snippet")
    assert median_of(lambda: call("kb.read_excerpt", {"passage_id": row["passage_id"]})) <= published("full")
    assert median_of(lambda: call("graph.expand", {"node_ids": [row["section_id"]]})) <= published("graph")


def test_multi_client_compatibility_is_verified_over_http(world, server, tmp_path):
    """Event streams and plain JSON say the same; structure may be ignored; the checklist for hosts is documented."""
    plain = tmp_path / "tools.yaml"
    shipped = (ROOT / "tools.yaml").read_text("utf-8")
    plain.write_text(shipped.replace("server:\n", "server:\n  json_response: true\n", 1))
    json_only = world.http("--config", str(plain))
    message = world.call(1, "kb.retrieve_evidence", {"question": "How do I mount a filesystem?"})
    replies = [each.post(message, **each.session()) for each in (server, json_only)]
    assert replies[1].headers["content-type"] == "application/json"
    texts = [reply.message["result"]["structuredContent"]["quotes"][0]["quote"] for reply in replies]
    assert texts[0] == texts[1]
    assert texts[0] in replies[1].message["result"]["content"][0]["text"]
    assert "## What a host needs" in CONTRACTS
    assert "Smoke test" in CONTRACTS
