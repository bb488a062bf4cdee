"""What is told to whom: no place of the server's machine, no exception, no token; and the way out instead."""

from __future__ import annotations

import json
import re

import pytest

TOKEN = "a-token-of-more-than-sixteen-characters"
TELLTALE = re.compile(r"[A-Z]\w*(Error|Exception|Timeout|Interrupt)\b|Traceback|\.py\b|file://")


def ask(server, shared, tool: str, arguments: dict, **headers: str) -> str:
    reply = server.post_modern(shared.call(1, tool, arguments, modern=True), **headers)
    assert reply.status == 200, reply.body
    return reply.body.decode()


def hides(server, shared, text: str) -> None:
    assert str(shared.root) not in text and "/docs/sample" not in text
    assert not TELLTALE.search(text), TELLTALE.search(text)


@pytest.fixture(scope="module")
def answering(documented):
    env = {"ENABLE_LEGACY_SEARCH_DOCUMENTATION": "true", "MCP_AUTH_TOKEN": TOKEN}
    return documented.http(env=env)


def test_no_answer_says_where_on_the_machine_a_document_lies(answering, documented):
    server, bearer = answering, {"Authorization": f"Bearer {TOKEN}"}

    def answer(tool: str, arguments: dict) -> dict:
        text = ask(server, documented, tool, arguments, **bearer)
        hides(server, documented, text)
        return json.loads(text)["result"]["structuredContent"]

    first = answer("kb.search", {"query": "how do I mount a filesystem"})["results"][0]
    passage = first["passage_id"]
    for tool in ("kb.read_excerpt", "kb.expand_excerpt"):
        assert answer(tool, {"passage_id": passage})["citation"]["source_uri"].endswith(".md")
    quote = answer("kb.retrieve_evidence", {"question": "how do I mount a filesystem"})["quotes"][0]["quote"]
    assert answer("kb.verify_quote", {"quote": quote, "passage_id": passage})
    document = answer("kb.read_excerpt", {"passage_id": passage})["citation"]["document_id"]
    checked = answer("kb.verify_quote", {"quote": quote, "document_id": document})
    assert not checked.get("citation") or not checked["citation"]["uri"].startswith("/")
    for tool in ("graph.describe", "graph.expand", "describe_nodes", "expand_neighbors"):
        answer(tool, {"node_ids": [first["section_id"]]})
    answer("search_sections", {"query": "mount"})
    answer("search_documentation", {"query": "mount"})


def test_a_store_that_cannot_be_read_is_told_with_the_way_out_and_nothing_more(furnished):
    data = furnished.root / "data"
    data.mkdir()
    (data / "corpus.db").write_bytes(b"no database" * 1000)
    server = furnished.http(env={"MCP_AUTH_TOKEN": TOKEN})
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    for tool, arguments in (("kb.search", {"query": "x"}), ("graph.describe", {"node_ids": ["x"]})):
        text = ask(server, furnished, tool, arguments, **bearer)
        assert "BACKEND_UNAVAILABLE" in text and "corpus.db: damaged; move the file away" in text
        hides(server, furnished, text)
    ready = server.send("GET", "/readyz")
    body = json.loads(ready.body)
    assert (ready.status, body["status"]) == (503, "degraded")
    assert body["plugins"]["corpus"]["ok"] is False and body["plugins"]["corpus"]["note"] not in ("", "ok")
    hides(server, furnished, ready.body.decode())
    assert "corpus.db" in server.err.text  # the operator's log has all of it


CHECKED = """
from wekadocs_mcp import Finding, ToolError, hookimpl, tool

@hookimpl
def register_health_checks():
    return {"disk": lambda state: [Finding("broken", "", "DATA/x is full at bolt://db:1"), Finding("ok", "", "fine")],
            "net": lambda state: open("DATA/nothing")}

@tool("wire.checked")
async def checked(call):
    raise ToolError("BACKEND_UNAVAILABLE", "DATA/deep/a.db is gone; DATA: make it anew.", {"at": ["DATA/deep"]})
"""


def test_readyz_says_which_part_failed_and_why_and_keeps_places_to_itself(furnished):
    data = furnished.root / "data"
    furnished.tool("wire.checked", CHECKED.replace("DATA", str(data)))
    server = furnished.http()
    body = json.loads(server.send("GET", "/readyz").body)
    parts = body["plugins"]
    assert body["status"] == "degraded"
    assert parts["checked.disk"] == {"ok": False, "note": "x is full at …"}
    assert parts["checked.net"] == {"ok": False, "note": "a file or folder it needs cannot be used"}
    told = json.loads(ask(server, furnished, "wire.checked", {}))["result"]["content"][0]["text"]
    assert json.loads(told)["error"]["message"] == "deep/a.db is gone; data: make it anew."
    assert json.loads(told)["error"]["details"] == {"at": ["deep"]}


def test_mcp_that_cannot_start_leaves_the_operators_pages(monkeypatch):
    from starlette.testclient import TestClient

    from wekadocs_mcp.app import App
    from wekadocs_mcp.config.deployment import from_dict
    from wekadocs_mcp.transports.http import server as http
    from wekadocs_mcp.transports.server import McpServer

    monkeypatch.setattr("mcp.server.streamable_http_manager.StreamableHTTPSessionManager.run", lambda self: 1 / 0)
    server = McpServer(App.build(from_dict({"plugins": {}})))
    with TestClient(http.build(server), base_url="http://127.0.0.1") as client:
        ready = client.get("/readyz")
        assert (ready.status_code, ready.json()["mcp"], ready.json()["status"]) == (503, "failed", "degraded")
        assert client.get("/healthz").status_code == 200
        assert client.post("/_mcp", json={}).status_code == 503


def test_whoever_comes_without_the_token_is_in_the_log_and_in_the_metrics(answering, documented):
    for _ in range(5):
        assert (
            answering.send("POST", "/_mcp", b"{}", {"Authorization": "Bearer wrong-token-of-a-stranger"}).status == 401
        )
    documented.eventually(lambda: "status=401 peer=127.0.0.1" in answering.err.text)
    assert "stranger" not in answering.err.text
    metrics = answering.send("GET", "/metrics", None, {"Authorization": f"Bearer {TOKEN}"}).body.decode()
    assert int(re.search(r'wekadocs_http_refused_total\{status="401"\} (\d+)', metrics)[1]) >= 5


def test_mcp_is_found_where_clients_look_for_it(served, shared):
    listing = json.dumps(shared.request(1, "tools/list", modern=True)).encode()
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    headers |= {"MCP-Protocol-Version": shared.MODERN, "Mcp-Method": "tools/list"}
    answers = [served.send("POST", path, listing, headers) for path in ("/_mcp", "/_mcp/", "/mcp", "/mcp/")]
    assert [each.status for each in answers] == [200] * 4
    assert all(each.message == answers[0].message for each in answers)
    assert json.loads(served.send("GET", "/").body)["mcp"] == "/_mcp"


def test_the_line_printed_at_start_can_be_used_as_it_stands(shared):
    server = shared.http("--host", "0.0.0.0", env={"MCP_AUTH_TOKEN": TOKEN})
    shared.eventually(lambda: "Ctrl-C" in server.err.text)
    said = server.err.text
    assert "0.0.0.0" not in said and TOKEN not in said
    assert f"serves MCP at http://127.0.0.1:{server.port}/_mcp" in said
    command = f"http wekadocs http://127.0.0.1:{server.port}/_mcp"
    assert f'{command} --header "Authorization: Bearer $MCP_AUTH_TOKEN"' in said
    assert server.send("GET", "/healthz").status == 200


def test_the_log_tells_of_a_call_all_but_what_was_asked_and_answered(documented):
    server = documented.http(env={"WEKADOCS_LOG": "info"})
    question = {"query": "how do I mount a filesystem", "top_k": 4, "page_size": 2}

    def answered() -> dict | None:
        """None while it lacks the time: of a busy machine it is the first call."""
        told = json.loads(ask(server, documented, "kb.search", question))["result"]
        assert not told.get("isError") or '"retryable":true' in told["content"][0]["text"], told
        return told.get("structuredContent")

    def lines() -> list[str]:
        asked = [each for each in server.err.text.splitlines() if "tool=kb.search" in each]
        return [each for each in asked if "code=OK" in each or "code=INVALID_ARGUMENT" in each]

    first = documented.eventually(answered)
    ask(
        server, documented, "kb.search", {**question, "cursor": first["next_cursor"], "session_id": first["session_id"]}
    )
    ask(server, documented, "kb.search", {"query": "mount", "options": {"max_per_doc": "an-odd-value"}})
    documented.eventually(lambda: lines()[2:])
    paged, further, wrong = lines()
    assert re.search(r"INFO .* request=1 tool=kb.search code=OK ms=\S+ bytes=\d+ results=2 .*partial=page_size", paged)
    assert "cursor=yes" in further
    assert re.search(r"WARNING .* code=INVALID_ARGUMENT .* pointer=/options/max_per_doc", wrong)
    for secret in ("mount a filesystem", "an-odd-value", first["session_id"], first["results"][0]["preview"][:20]):
        assert secret not in server.err.text
    metrics = server.send("GET", "/metrics").body.decode()
    assert 'wekadocs_tool_cursors_total{tool="kb.search"} 1' in metrics
    assert 'wekadocs_tool_truncated_total{tool="kb.search",reason="page_size"} 1' in metrics
    assert float(re.search(r"^wekadocs_corpus_deduped_total (\S+)", metrics, re.M)[1]) > 0


def test_a_failed_call_is_in_the_log_at_the_default_level(served, shared):
    ask(served, shared, "wire.echo", {"value": "refuse"})
    shared.eventually(lambda: "tool=wire.echo code=NO_VALUE" in served.err.text)
    assert "refuse" not in served.err.text
