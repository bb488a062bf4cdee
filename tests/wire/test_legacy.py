"""Old names and old endpoints over the wire: both transports, both eras, and the switches in both directions."""

import json
import os
import subprocess
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "sample" / "docs"
PUBLISHED = Path(__file__).parents[1] / "plugins" / "legacy_compat" / "published_tools.json"
OLD = sorted({tool["name"] for tool in json.loads(PUBLISHED.read_text())} - {"search_documentation"})
BACK = {"MCP_KB_V2_ENABLED": "false"}
REST = {"MCP_HTTP_LEGACY_REST_ENABLED": "true"}
TOKEN = "a-long-random-token-for-tests"


def error_of(answer):
    assert answer["result"]["isError"], answer
    assert "structuredContent" not in answer["result"]
    return json.loads(answer["result"]["content"][0]["text"])["error"]


def listed_and_answering(world, ask, modern):
    """(old names listed, new ones listed, what kb.search says, what search_sections says)"""
    names = [tool["name"] for tool in ask(world.request(1, "tools/list", modern=modern))["result"]["tools"]]
    new = ask(world.call(2, "kb.search", {"query": "mount"}, modern=modern))
    old = ask(world.call(3, "search_sections", {"query": "mount", "top_k": 2}, modern=modern))
    assert not old["result"].get("isError"), old
    assert len(old["result"]["structuredContent"]["results"]) == 2
    off = error_of(ask(world.call(4, "search_documentation", {"query": "mount"}, modern=modern)))
    assert off["details"] == {"reason": "disabled", "switch": "ENABLE_LEGACY_SEARCH_DOCUMENTATION"}
    known = [name for name in names if name in OLD or name == "search_documentation"]
    return known, [name for name in names if name.startswith(("kb.", "graph."))], new


def asking(world, transport, modern, env):
    if transport == "stdio":
        server = world.stdio(env=env)
        if not modern:
            server.shake_hands()
        return server.ask
    server = world.http(env=env)
    mine = {} if modern else server.session()
    return lambda message: (server.post_modern(message) if modern else server.post(message, **mine)).message


@pytest.mark.parametrize("modern", [False, True], ids=["older", "modern"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_the_switch_turns_the_list_round_and_back(documented, transport, modern):
    """Forth, back and forth again on one cache: no compiled surface outlives its switch."""
    for env in ({}, BACK, {}, BACK):
        ask = asking(documented, transport, modern, env)
        old, new, answer = listed_and_answering(documented, ask, modern)
        if env:
            assert (old, new) == (OLD, [])
            graph = ask(documented.call(9, "graph.describe", {"node_ids": ["x"]}, modern=modern))
            for told in (error_of(answer), error_of(graph)):
                assert told["details"] == {"reason": "disabled", "switch": "MCP_KB_V2_ENABLED"}
        else:
            assert old == []
            assert {"kb.search", "graph.expand"} <= set(new)
            assert not answer["result"].get("isError")


def test_rolled_back_nothing_sends_a_model_to_what_is_refused(documented):
    for env, expected in (({}, {"answer_from_evidence", "explore_the_graph"}), (BACK, set())):
        server = documented.stdio(env=env)
        hello = server.shake_hands()["result"]
        assert ("search_sections" in hello["instructions"]) is bool(env)
        assert ("kb." in hello["instructions"]) is not bool(env)
        prompts = server.ask(documented.request(1, "prompts/list"))["result"]["prompts"]
        assert {each["name"] for each in prompts} & {"answer_from_evidence", "explore_the_graph"} == expected
        asked = {"name": "answer_from_evidence", "arguments": {"question": "x"}}
        assert ("error" in server.ask(documented.request(2, "prompts/get", asked))) is bool(env)


def test_listed_true_shows_both(documented, tmp_path):
    settings = tmp_path / "tools.yaml"
    shipped = (Path(__file__).parents[2] / "tools.yaml").read_text()
    settings.write_text(shipped.replace("legacy_compat: {listed: false}", "legacy_compat: {listed: true}"))
    server = documented.stdio("--config", str(settings))
    server.shake_hands()
    names = {tool["name"] for tool in server.ask(documented.request(1, "tools/list"))["result"]["tools"]}
    assert {*OLD, "kb.search"} <= names
    assert "search_documentation" not in names


def test_without_structured_output_the_text_is_the_same_json(documented):
    server = documented.stdio(env={"MCP_STRUCTURED_OUTPUT_ENABLED": "false", **BACK})
    server.shake_hands()
    listed = server.ask(documented.request(1, "tools/list"))["result"]["tools"]
    assert not any("outputSchema" in tool for tool in listed)
    result = server.ask(documented.call(2, "search_sections", {"query": "mount"}))["result"]
    assert "structuredContent" not in result
    assert len(json.loads(result["content"][0]["text"])["results"]) == 20


def test_old_names_are_counted_by_client_in_metrics_and_status(documented):
    server = documented.http()
    mine = server.session()
    arguments = {"query": "something secret", "verbosity": "snippet"}
    server.post(documented.call(1, "search_sections", arguments), **mine)
    server.post_modern(documented.call(2, "list_parents", {"section_ids": []}, modern=True))
    metrics = server.send("GET", "/metrics").body.decode()
    assert 'wekadocs_deprecated_calls_total{tool="search_sections",client="test"} 1' in metrics
    assert 'wekadocs_deprecated_calls_total{tool="list_parents",client="test"} 1' in metrics
    assert 'wekadocs_undeclared_arguments_total{tool="search_sections"} 1' in metrics
    assert "secret" not in metrics
    server.process.terminate()
    server.gone_within(5)
    environment = {**os.environ, **documented.environment}
    shown = subprocess.run([documented.SCRIPT, "status", "--json"], env=environment, capture_output=True, timeout=60)
    assert json.loads(shown.stdout)["deprecated_calls"]["list_parents"]["test"]["calls"] >= 1


# --- the REST endpoints ---


def post(server, path, body, **headers):
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return server.send("POST", path, raw, {"Content-Type": "application/json", **named})


def called(server, name, arguments, **headers):
    reply = post(server, "/mcp/tools/call", {"name": name, "arguments": arguments}, **headers)
    assert reply.status == 200
    return reply.message


@pytest.fixture(scope="module")
def rest(documented):
    return documented.http(env=REST)


@pytest.fixture(scope="module")
def section(documented, rest):
    found = rest.post_modern(
        documented.call(1, "search_sections", {"query": "how do I mount a filesystem"}, modern=True)
    ).message
    return found["result"]["structuredContent"]["results"][0]["section_id"]


def test_rest_is_off_and_says_so(documented):
    server = documented.http()
    for method, path in (("POST", "/mcp/initialize"), ("GET", "/mcp/tools/list"), ("POST", "/mcp/tools/call")):
        reply = server.send(method, path)
        assert reply.status == 404
        assert "MCP_HTTP_LEGACY_REST_ENABLED is false" in reply.message["detail"]


def test_rest_says_hello_in_the_old_keys_and_that_it_will_go(rest):
    reply = post(rest, "/mcp/initialize", {"protocol_version": "1.0", "client_info": {}})
    assert reply.status == 200
    assert set(reply.message) == {"protocol_version", "server_info", "capabilities", "warning"}
    assert reply.message["protocol_version"] == "1.0"
    assert reply.message["capabilities"] == {"tools": True, "prompts": False, "resources": False}
    assert set(reply.message["server_info"]) == {"name", "version"}
    assert reply.headers["deprecation"].startswith("@")
    assert reply.headers["sunset"].endswith("GMT")
    assert 'rel="successor-version"' in reply.headers["link"]
    assert "/_mcp" in reply.message["warning"]


def test_rest_lists_what_it_listed_and_no_new_tool(rest):
    reply = rest.send("GET", "/mcp/tools/list")
    (tool,) = reply.message["tools"]
    assert set(tool) == {"name", "description", "input_schema"}
    assert tool["name"] == "traverse_relationships"
    assert tool["input_schema"]["required"] == ["node_id"]
    assert tool["description"].startswith("Use when ")
    assert "include_text=false" not in tool["description"], "here it is true"
    assert "sunset" in reply.headers


@pytest.mark.parametrize(
    "spelt",
    [
        lambda each: {"node_id": each, "relationship_types": ["MENTIONS", "HAS_CHUNK"]},
        lambda each: {"start_ids": [each], "rel_types": ["MENTIONS", "HAS_CHUNK"]},
        lambda each: {"node_id": each, "rel_types": ["MENTIONS", "HAS_CHUNK"], "max_depth": 2},
    ],
)
def test_rest_takes_both_spellings_and_includes_text(rest, section, spelt):
    got = called(rest, "traverse_relationships", spelt(section))
    assert set(got) == {"content", "is_error", "warning"}
    assert got["is_error"] is False
    (block,) = got["content"]
    data = json.loads(block["text"])
    assert data["nodes"][0]["id"] == section
    assert "strata mount" in data["nodes"][0]["properties"]["text"]
    assert data["relationships"] and data["paths"]


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("kb.search", {"query": "mount"}, "Unknown tool: kb.search"),
        ("search_sections", {"query": "mount"}, "Unknown tool: search_sections"),
        ("nonsense", {}, "Unknown tool: nonsense"),
        ("search_documentation", {"query": "mount"}, "search_documentation is disabled"),
        ("traverse_relationships", {}, "node_id, or start_ids, is required"),
        ("traverse_relationships", {"start_ids": []}, "start_ids, is required and cannot be empty"),
        ("traverse_relationships", {"node_id": ""}, "node_id, or start_ids, is required"),
        ("traverse_relationships", {"node_id": "a", "relationship_types": "MENTIONS"}, "relationship_types is a list"),
        ("traverse_relationships", {"node_id": "a", "start_ids": ["b"]}, "pass node_id or start_ids"),
        ("traverse_relationships", {"node_id": 5}, "node_id is the id of one node"),
    ],
)
def test_rest_failures_are_200_with_is_error(rest, name, arguments, said):
    got = called(rest, name, arguments)
    assert got["is_error"] is True
    assert said in got["content"][0]["text"]
    assert "warning" in got


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'"x"', b"NaN", b'{"name": 5}', b'{"name": "a", "arguments": []}', b"[" * 100_000]
)
def test_rest_refuses_a_body_that_is_no_call(rest, body):
    reply = post(rest, "/mcp/tools/call", body)
    assert reply.status == 422
    assert reply.message["detail"]


def test_rest_takes_only_the_methods_it_took(rest):
    for method, path in (("GET", "/mcp/tools/call"), ("POST", "/mcp/tools/list"), ("OPTIONS", "/mcp/initialize")):
        reply = rest.send(method, path)
        assert reply.status == 405
        assert reply.headers["allow"] in ("GET", "POST")
        assert "access-control-allow-origin" not in reply.headers


def test_rest_stands_behind_the_same_door(documented, rest):
    body = {"name": "traverse_relationships", "arguments": {"node_id": "x"}}
    assert post(rest, "/mcp/tools/call", body, Host="evil.example").status == 421
    assert post(rest, "/mcp/tools/call", body, Origin="https://evil.example").status == 403
    large = {"name": "traverse_relationships", "arguments": {"node_id": "x" * 5_000_000}}
    assert post(rest, "/mcp/tools/call", large).status == 413


def test_rest_needs_the_token_where_there_is_one_and_then_has_search_documentation(documented):
    env = {**REST, "MCP_AUTH_TOKEN": TOKEN, "ENABLE_LEGACY_SEARCH_DOCUMENTATION": "true"}
    server = documented.http(env=env)
    assert server.send("GET", "/mcp/tools/list").status == 401
    mine = {"Authorization": f"Bearer {TOKEN}"}
    names = [tool["name"] for tool in server.send("GET", "/mcp/tools/list", headers=mine).message["tools"]]
    assert names == ["search_documentation", "traverse_relationships"]
    got = called(server, "search_documentation", {"query": "how do I mount"}, **mine)
    assert [block["type"] for block in got["content"]] == ["text", "json"]
    assert set(got["content"][1]["json"]) == {"answer", "evidence", "confidence", "diagnostics"}
    over_mcp = server.post_modern(
        documented.call(1, "search_documentation", {"query": "how do I mount"}, modern=True), **mine
    ).message["result"]
    assert {block["type"] for block in over_mcp["content"]} == {"text"}


def test_switched_on_without_a_token_search_documentation_is_not_for_strangers(documented):
    server = documented.http(env={**REST, "ENABLE_LEGACY_SEARCH_DOCUMENTATION": "true"})
    names = [tool["name"] for tool in server.send("GET", "/mcp/tools/list").message["tools"]]
    assert names == ["traverse_relationships"]
    over_mcp = server.post_modern(documented.call(1, "search_documentation", {"query": "x"}, modern=True)).message
    over_rest = called(server, "search_documentation", {"query": "mount"})
    for told in (error_of(over_mcp)["message"], over_rest["content"][0]["text"]):
        assert "needs an authenticated caller" in told


def test_without_streamable_http_the_mount_is_gone_and_says_so(documented, section):
    server = documented.http(env={**REST, "MCP_HTTP_STREAMABLE_ENABLED": "false"})
    gone = server.post_modern(documented.request(1, "tools/list", modern=True))
    assert gone.status == 404
    assert "MCP_HTTP_STREAMABLE_ENABLED is false" in gone.body.decode()
    assert server.send("GET", "/readyz").message["mcp"] == "disabled"
    assert called(server, "traverse_relationships", {"node_id": section})["is_error"] is False


def test_rest_calls_are_counted_by_their_user_agent(rest, section):
    called(rest, "traverse_relationships", {"node_id": section}, User_Agent="python-requests/2.32")
    metrics = rest.send("GET", "/metrics").body.decode()
    assert 'wekadocs_deprecated_calls_total{tool="traverse_relationships",client="rest python-requests"}' in metrics
