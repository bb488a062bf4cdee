"""HTTP: an answer is whole when it can be, a stream when something comes before it; a known list comes from memory."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json

import pytest

TOKEN = "a-token-of-more-than-sixteen-characters"
BOTH_WAYS = True
QUICK_ONLY = {
    "test_a_plain_answer_is_whole_in_both_eras",  # the SDK streams every answer to an older client
    "test_an_id_used_twice_ends_the_earlier_request",  # the SDK keeps the earlier one waiting
}


class Asked:
    """A request under way on a connection of its own."""

    def __init__(self, connection: http.client.HTTPConnection, message: dict, headers: dict[str, str]) -> None:
        self._connection = connection
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        kinds = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        connection.request("POST", "/_mcp", json.dumps(message), {**kinds, **named})

    def begun(self) -> http.client.HTTPResponse:
        return self._connection.getresponse()

    def messages(self) -> list[dict]:
        with self.begun() as response:
            lines = response.read().decode().splitlines()
        return [json.loads(line[5:]) for line in lines if line.startswith("data:")]

    def hang_up(self) -> None:
        self._connection.close()


@pytest.fixture
def ask(served):
    """Sends a request without waiting for its answer."""
    with contextlib.ExitStack() as open_connections:

        def send(message: dict, headers: dict[str, str]) -> Asked:
            return Asked(open_connections.enter_context(contextlib.closing(served.connect())), message, headers)

        yield send


def modern(world, message) -> dict[str, str]:
    headers = {"MCP_Protocol_Version": world.MODERN, "Mcp_Method": message["method"]}
    return headers | ({"Mcp_Name": message["params"]["name"]} if "name" in message["params"] else {})


def test_a_plain_answer_is_whole_in_both_eras(served, shared):
    older = served.post(shared.call(1, "wire.echo", {"value": "ä 世"}), **served.session())
    newer = served.post_modern(shared.call(1, "wire.echo", {"value": "ä 世"}, modern=True))
    assert older.headers["content-type"] == "text/event-stream" and newer.headers["content-type"] == "application/json"
    for reply in (older, newer):
        assert int(reply.headers["content-length"]) == len(reply.body)
        assert reply.message["result"]["structuredContent"] == {"value": "ä 世"}
    assert older.body.startswith(b"event: message\r\ndata: {") and older.body.endswith(b"}\r\n\r\n")
    assert "mcp-session-id" in older.headers and "mcp-session-id" not in newer.headers


@pytest.mark.parametrize("era", ["older", "newer"])
def test_what_a_handler_says_before_its_answer_comes_before_it(served, shared, ask, era):
    call = shared.call(5, "wire.steps", {}, modern=era == "newer")
    call["params"]["_meta"] = {**call["params"].get("_meta", {}), "progressToken": "t"}
    headers = served.session() if era == "older" else modern(shared, call)
    if era == "newer":
        call["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = "info"
    *before, answer = ask(call, headers).messages()
    told = [each["params"].get("progress") or each["params"]["data"] for each in before]
    assert told == [1, 2, 3, "loud words"]
    assert (answer["id"], answer["result"]["isError"]) == (5, False)


def test_an_older_client_cancels_with_a_notification_and_the_request_is_ended(served, shared, ask, tmp_path):
    note, session = tmp_path / "note", served.session()
    asked = ask(shared.call(9, "wire.slow", {"note": str(note)}), session)
    shared.eventually(lambda: note.exists() and note.read_text())
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}
    assert served.post(cancelled, **session).status == 202
    assert [each["error"]["code"] for each in asked.messages()] == [-32800]
    shared.eventually(lambda: note.read_text() == "cancelled")
    assert served.post(shared.call(10, "wire.echo", {"value": 1}), **session).status == 200


def test_a_newer_client_cancels_by_leaving_and_an_older_one_does_not(served, shared, ask, tmp_path):
    notes = {era: tmp_path / era for era in ("newer", "older")}
    calls = {
        era: shared.call(3, "wire.slow", {"note": str(notes[era]), "seconds": seconds}, modern=era == "newer")
        for era, seconds in (("newer", 30), ("older", 1.5))
    }
    headers = {"newer": modern(shared, calls["newer"]), "older": served.session()}
    asked = {era: ask(calls[era], headers[era]) for era in calls}
    for era, request in asked.items():
        shared.eventually(lambda era=era: notes[era].exists() and notes[era].read_text())
        request.hang_up()
    shared.eventually(lambda: notes["newer"].read_text() == "cancelled")
    shared.eventually(lambda: notes["older"].read_text() == "done")


def test_a_long_call_begins_to_answer_and_ends_with_its_session(served, shared, ask, tmp_path):
    session = served.session()
    began = shared.now()
    asked = ask(shared.call(4, "wire.slow", {"note": str(tmp_path / "note")}), session)
    with asked.begun() as response:
        assert response.status == 200 and shared.now() - began < 10
        headers = {name.replace("_", "-"): value for name, value in session.items()}
        assert served.send("DELETE", "/_mcp", None, headers).status == 200
        assert b"data:" not in response.read()
    assert served.post(shared.call(5, "wire.echo", {"value": 1}), **session).status == 404


def test_an_id_used_twice_ends_the_earlier_request(served, shared, ask, tmp_path):
    note, session = tmp_path / "note", served.session()
    asked = ask(shared.call(6, "wire.slow", {"note": str(note)}), session)
    shared.eventually(lambda: note.exists() and note.read_text())
    assert served.post(shared.call(6, "wire.echo", {"value": 1}), **session).message["id"] == 6
    assert asked.messages() == []


def test_headers_that_mirror_an_argument_are_still_checked(furnished):
    region = {"region": {"type": "string", "x-mcp-header": "Region"}}
    furnished.tool(
        "wire.region",
        "from wekadocs_mcp import tool\n@tool('wire.region')\nasync def region(call, region): return {'is': region}\n",
        region,
    )
    served = furnished.http()
    call = furnished.call(1, "wire.region", {"region": "north"}, modern=True)
    assert served.post_modern(call, Mcp_Param_Region="north").status == 200
    for wrong in ({}, {"Mcp_Param_Region": "south"}):
        reply = served.post_modern(call, **wrong)
        assert (reply.status, reply.message["error"]["code"]) == (400, -32020)


def test_an_older_clients_list_from_memory_is_for_open_sessions_only(served, shared):
    session = served.session()
    first, *again = [served.post(shared.request(number, "tools/list"), **session) for number in (1, "two", 3)]
    assert [reply.message["id"] for reply in again] == ["two", 3]
    assert all(reply.message["result"] == first.message["result"] for reply in again)
    assert all("content-length" in reply.headers and reply.headers["mcp-session-id"] for reply in again)
    token = shared.request(4, "tools/list", {"_meta": {"progressToken": 4}})
    assert served.post(token, **session).message["result"] == first.message["result"]
    listing = shared.request(5, "tools/list")
    assert served.post(listing, **{**session, "Mcp_Session_Id": "0" * 32}).status == 404
    assert served.post(listing, **session, Accept="application/json").status == 406
    assert served.post(listing, **session, Content_Type="text/plain").status == 400
    assert "error" in served.post(shared.request(6, "tools/list", {"cursor": "x"}), **session).message
    assert "error" in served.post(shared.request(7, "tools/list", {"_meta": 5}), **session).message
    headers = {name.replace("_", "-"): value for name, value in session.items()}
    assert served.send("DELETE", "/_mcp", None, headers).status == 200
    assert served.post(listing, **session).status == 404


def test_each_era_gets_the_list_in_its_own_form(served, shared):
    session = served.session()
    for number in (1, 2, 3):
        older = served.post(shared.request(number, "tools/list"), **session).message
        newer = served.post_modern(shared.request(number, "tools/list", modern=True)).message
        assert older["id"] == newer["id"] == number
        assert older["result"].keys() == {"tools"}
        assert newer["result"].keys() == {"tools", "resultType", "ttlMs", "cacheScope", "_meta"}


def test_a_list_from_memory_keeps_a_session_alive(shared):
    config = shared.root / "idle.yaml"
    config.write_text("server: {session_idle_seconds: 1}\n")
    served = shared.http("--config", str(config))
    session, until = served.session(), shared.now() + 2.5
    while shared.now() < until:
        assert served.post(shared.request(1, "tools/list"), **session).status == 200
    shared.eventually(lambda: served.post(shared.request(2, "ping"), Mcp_Session_Id="gone").status == 404)


def test_a_list_from_memory_is_for_the_principal_that_opened_the_session():
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
    pages = first._app._pages
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}
    opening = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
    ask = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with pages.router.lifespan_context(pages):

        async def post(door, token: str, message: dict, **headers: str) -> httpx.Response:
            accepted = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
            async with httpx.AsyncClient(transport=httpx.ASGITransport(door), base_url="http://127.0.0.1") as client:
                return await client.post("/_mcp", json=message, headers=accepted | headers)

        session = {"mcp-session-id": (await post(first, TOKEN, opening)).headers["mcp-session-id"]}
        for _ in range(3):
            assert (await post(first, TOKEN, ask, **session)).status_code == 200
        assert (await post(second, TOKEN[::-1], ask, **session)).status_code == 404
        assert (await post(first, "wrong", ask, **session)).status_code == 401
