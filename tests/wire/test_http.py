"""HTTP: closed by default, the operator's pages, sessions of the older era, headers of the newer one."""

from __future__ import annotations

import contextlib
import json
import socket

import pytest

TOKEN = "a-token-of-more-than-sixteen-characters"
BOTH_WAYS = True


def test_a_foreign_origin_or_host_is_refused_and_no_cors_header_is_ever_sent(served, shared):
    call = shared.call(1, "wire.echo", {"value": 1}, modern=True)
    port = served.port
    foreign = (
        "http://evil.example",
        "null",
        "http://localhost.evil.example",
        "http://127.0.0.1@evil.example",
        "http://[::1",
        "http://[::1].evil.example",
        "http://x[::1]",
        "http://localhost:80:80",
        "http://localhost/",
        "x",
    )
    own = ("http://localhost:3000", f"http://127.0.0.1:{port}", "http://[::1]:9", "https://localhost")
    replies = [served.post_modern(call, Origin=origin) for origin in foreign]
    assert [reply.status for reply in replies] == [403] * len(foreign)
    allowed = [served.post_modern(call, Origin=origin) for origin in own]
    assert [reply.status for reply in allowed] == [200] * len(own)
    hosts = {
        "evil.example": 421,
        f"evil.example:{port}": 421,
        "127.0.0.1.evil.example": 421,
        "[::1": 421,
        "a b": 421,
        "localhost:x": 421,
        "localhost:": 421,
        "[::1].evil.example": 421,
    }
    hosts |= {f"127.0.0.1:{port}": 200, "localhost": 200, "LOCALHOST:1": 200, f"[::1]:{port}": 200}
    told = {host: served.post_modern(call, Host=host) for host in hosts}
    assert {host: reply.status for host, reply in told.items()} == hosts
    preflight = served.send("OPTIONS", "/_mcp", None, {"Origin": own[0], "Access-Control-Request-Method": "POST"})
    for reply in (
        *replies,
        *allowed,
        *told.values(),
        preflight,
        served.send("GET", "/healthz", None, {"Origin": own[0]}),
    ):
        assert not [name for name in reply.headers if name.startswith("access-control-")]
        assert "server" not in reply.headers
    assert json.loads(replies[0].body)["error"]["message"].startswith("This Origin")
    for path in ("/healthz", "/readyz", "/metrics", "/nothing"):
        assert served.send("GET", path, None, {"Host": "evil.example"}).status == 421
        assert served.send("GET", path, None, {"Origin": "http://evil.example"}).status == 403


def test_the_operators_pages(served, shared):
    served.post_modern(shared.call(1, "wire.echo", {"value": "refuse"}, modern=True))
    assert served.send("GET", "/healthz").status == 200
    ready = served.send("GET", "/readyz")
    body = json.loads(ready.body)
    assert ready.status == 200 and body["mcp"] == "mounted" and body["plugins"]["echo"]["ok"] is True
    metrics = served.send("GET", "/metrics")
    assert metrics.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'wekadocs_tool_calls_total{tool="wire.echo",code="NO_VALUE"}' in metrics.body.decode()
    assert served.send("POST", "/healthz", b"{}").status == 405
    assert served.send("POST", "/mcp/tools/call", b"{}").status == 404


def test_a_session_of_the_older_era_is_minted_used_and_ended(served, shared):
    first = served.post(shared.initialize(0))
    assert first.status == 200 and len(first.headers["mcp-session-id"]) >= 32
    session = served.session()
    assert served.post(shared.call(1, "wire.echo", {"value": 1}), **session).message["result"]["isError"] is False
    for wrong in ("0" * 32, "x" * 5000, "a\tb"):
        assert served.post(shared.request(2, "tools/list"), **{**session, "Mcp_Session_Id": wrong}).status in (400, 404)
    without = served.post(shared.request(2, "tools/list"), MCP_Protocol_Version="2025-11-25")
    assert without.status == 400
    headers = {name.replace("_", "-"): value for name, value in session.items()}
    assert served.send("DELETE", "/_mcp", None, headers).status == 200
    assert served.post(shared.request(3, "tools/list"), **session).status == 404


def test_the_newer_era_has_no_session_and_checks_its_headers(served, shared):
    call = shared.call(1, "wire.echo", {"value": 1}, modern=True)
    good = served.post_modern(call)
    assert good.status == 200 and "mcp-session-id" not in good.headers
    assert served.post_modern(call, Mcp_Session_Id="ignored").status == 200
    for wrong in ({"Mcp_Method": "tools/list"}, {"Mcp_Name": "wire.other"}, {"Mcp_Method": ""}, {"Mcp_Name": ""}):
        reply = served.post_modern(call, **wrong)
        assert (reply.status, reply.message["error"]["code"]) == (400, -32020), wrong
    assert served.post_modern(call, Mcp_Name="wire.echo  ", Mcp_Method=" tools/call\t").status == 200
    unknown = served.post_modern(call, MCP_Protocol_Version="2099-01-01")
    assert (unknown.status, unknown.message["error"]["code"]) in ((400, -32022), (400, -32020))
    assert served.send("GET", "/_mcp", None, {"MCP-Protocol-Version": shared.MODERN}).status == 405
    method = served.post_modern(shared.request(4, "no/such", modern=True))
    assert (method.status, method.message["error"]["code"]) == (404, -32601)


def test_a_body_over_the_cap_is_refused_by_length_and_by_count(served, shared):
    big = json.dumps(shared.call(1, "wire.echo", {"value": "x" * (10 << 20)}, modern=True)).encode()
    assert _raw(served, big, f"Content-Length: {len(big)}").startswith(b"HTTP/1.1 413")
    chunked = b"".join(
        b"%x\r\n%s\r\n" % (len(part), part) for part in (big[at : at + 65536] for at in range(0, len(big), 65536))
    )
    assert _raw(served, chunked + b"0\r\n\r\n", "Transfer-Encoding: chunked").startswith(b"HTTP/1.1 413")
    assert served.send("GET", "/healthz").status == 200


def _raw(served, body: bytes, framing: str) -> bytes:
    """What comes back first; the server may hang up before it has read everything."""
    routing = f"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: wire.echo\r\n{framing}"
    kinds = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
    head = f"POST /_mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n{kinds}"
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as connection:
        with contextlib.suppress(OSError):
            connection.sendall(f"{head}{routing}\r\n\r\n".encode() + body)
        return connection.recv(4096)


def test_broken_http_gets_an_error_and_the_server_goes_on(served):
    for raw in (
        b"GARBAGE\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01",
        b"GET /healthz HTTP/1.1\r\n\r\n",
        b"POST /_mcp HTTP/1.0\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", served.port), timeout=20) as connection:
            connection.sendall(raw)
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(4096)[:12] in (b"HTTP/1.1 400", b"HTTP/1.1 421", b"")
    assert served.send("GET", "/healthz").status == 200


@pytest.fixture(scope="module")
def guarded(shared):
    """With a token, JSON answers and no structured output."""
    config = shared.root / "guarded.yaml"
    config.write_text("server: {json_response: true, max_request_bytes: 2048, allowed_hosts: [docs.example]}\n")
    env = {"MCP_AUTH_TOKEN": TOKEN, "MCP_STRUCTURED_OUTPUT_ENABLED": "false"}
    return shared.http("--config", str(config), env=env)


def test_with_a_token_only_its_holder_gets_in(guarded, shared):
    listing = shared.request(1, "tools/list", modern=True)
    wrong = ("", "Bearer", "Bearer ", "Bearer x", f"Bearer {TOKEN}x", f"Basic {TOKEN}", TOKEN, "Bearer \xff\xfe")
    for header in wrong:
        reply = guarded.post_modern(listing, Authorization=header)
        assert reply.status == 401 and reply.headers["www-authenticate"].startswith("Bearer"), header
        assert TOKEN not in reply.body.decode()
    for header in (f"Bearer {TOKEN}", f"bearer {TOKEN}", f"Bearer {TOKEN}  "):
        assert guarded.post_modern(listing, Authorization=header).status == 200
    assert guarded.send("GET", "/metrics").status == 401
    assert guarded.send("GET", "/metrics", None, {"Authorization": f"Bearer {TOKEN}"}).status == 200
    assert guarded.send("GET", "/healthz").status == guarded.send("GET", "/readyz").status == 200
    mine = guarded.session(Authorization=f"Bearer {TOKEN}")
    assert guarded.post(shared.request(2, "tools/list"), **{**mine, "Authorization": ""}).status == 401
    assert guarded.post_modern(listing, Authorization=f"Bearer {TOKEN}", Host="docs.example:443").status == 200


def test_json_answers_without_structured_output(guarded, shared):
    mine = guarded.session(Authorization=f"Bearer {TOKEN}")
    for ask in (lambda m: guarded.post(m, **mine), lambda m: guarded.post_modern(m, Authorization=f"Bearer {TOKEN}")):
        modern = ask(shared.initialize(0)).status != 200
        listed = ask(shared.request(1, "tools/list", modern=modern))
        assert listed.headers["content-type"].startswith("application/json")
        assert [tool["name"] for tool in listed.message["result"]["tools"] if "outputSchema" in tool] == []
        result = ask(shared.call(2, "wire.echo", {"value": {"a": [1, "é"]}}, modern=modern)).message["result"]
        assert "structuredContent" not in result
        assert [block["text"] for block in result["content"]] == ['{"value":{"a":[1,"é"]}}']
    too_big = guarded.post_modern(
        shared.call(3, "wire.echo", {"value": "x" * 3000}, modern=True), Authorization=f"Bearer {TOKEN}"
    )
    assert too_big.status == 413


def test_a_session_belongs_to_the_principal_that_opened_it():
    """One token means one principal; the server itself keeps sessions apart by it."""
    import asyncio

    asyncio.run(_two_principals())


async def _two_principals() -> None:
    import httpx

    from wekadocs_mcp.app import App
    from wekadocs_mcp.config.deployment import from_dict
    from wekadocs_mcp.transports.http import guard
    from wekadocs_mcp.transports.http import server as transport
    from wekadocs_mcp.transports.server import McpServer

    server = McpServer(App.build(from_dict({"plugins": {}})))
    first = transport.build(server, token=TOKEN)
    second = guard.Door(
        first._app, "127.0.0.1", server.app.config.server, TOKEN[::-1], guard.Gate(first._peers, first._refusals)
    )
    clients = {}
    pages = first._app._pages
    async with pages.router.lifespan_context(pages):
        for door, token in ((first, TOKEN), (second, TOKEN[::-1])):
            headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
            clients[door] = httpx.AsyncClient(
                transport=httpx.ASGITransport(door), base_url="http://127.0.0.1", headers=headers
            )
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}
        opening = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
        answer = await clients[first].post("/_mcp", json=opening)
        session = {"mcp-session-id": answer.headers["mcp-session-id"]}
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        assert (await clients[first].post("/_mcp", json=ping, headers=session)).status_code == 200
        assert (await clients[second].post("/_mcp", json=ping, headers=session)).status_code == 404
        for client in clients.values():
            await client.aclose()


def test_what_would_be_open_to_the_world_is_refused_at_start(shared):
    beyond = shared.http_unready("--host", "0.0.0.0")
    short = shared.http_unready(env={"MCP_AUTH_TOKEN": "short"})
    odd = shared.http_unready(env={"MCP_HTTP_STREAMABLE_ENABLED": "perhaps"})
    for server, word in ((beyond, "MCP_AUTH_TOKEN"), (short, "MCP_AUTH_TOKEN"), (odd, "MCP_HTTP_STREAMABLE_ENABLED")):
        assert server.gone_within(20) == 2
        assert word in server.err.text and "Traceback" not in server.err.text


def test_the_transport_can_be_switched_off(shared):
    server = shared.http(env={"MCP_HTTP_STREAMABLE_ENABLED": "false"})
    assert "without MCP: MCP_HTTP_STREAMABLE_ENABLED is false" in server.err.text
    assert "serves MCP" not in server.err.text
    assert server.post_modern(shared.request(1, "tools/list", modern=True)).status == 404
    assert json.loads(server.send("GET", "/readyz").body)["mcp"] == "disabled"
    assert server.send("GET", "/healthz").status == 200
