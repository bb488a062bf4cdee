"""Many clients, one server: none takes what the others need."""

from __future__ import annotations

import contextlib
import http.client
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

GREEDY, POLITE, THIRD = "127.0.0.1", "127.0.0.9", "127.0.0.7"
BOTH_WAYS = True
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def post(server, message, source: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20, source_address=(source, 0))
    with contextlib.closing(connection):
        connection.request("POST", "/_mcp", json.dumps(message).encode(), {**HEADERS, **headers})
        got = connection.getresponse()
        return got.status, {name.lower(): value for name, value in got.getheaders()}, got.read()


def opened(server, shared, source: str, **headers: str) -> dict[str, str]:
    status, told, body = post(server, shared.initialize(0), source, **headers)
    assert status == 200, body
    return {"Mcp-Session-Id": told["mcp-session-id"], "MCP-Protocol-Version": "2025-11-25", **headers}


def lists(server, shared, source: str, session: dict[str, str]) -> int:
    return post(server, shared.request(1, "tools/list"), source, **session)[0]


@pytest.fixture(scope="module")
def small(shared):
    config = shared.root / "small.yaml"
    limits = "max_sessions_per_peer: 4, trusted_proxies: [127.0.0.8]"
    config.write_text(f"server: {{max_sessions: 6, http: {{{limits}}}}}\n")
    return shared.http("--config", str(config))


def test_one_client_that_opens_sessions_without_end_takes_them_from_nobody(small, shared):
    mine, own = opened(small, shared, POLITE), opened(small, shared, GREEDY)
    assert lists(small, shared, POLITE, mine) == lists(small, shared, GREEDY, own) == 200
    greedy = [opened(small, shared, GREEDY) for _ in range(40)]
    assert lists(small, shared, POLITE, mine) == 200
    assert lists(small, shared, GREEDY, own) == 200  # the greedy one's own, too: those that were never used go first
    assert lists(small, shared, GREEDY, greedy[0]) == 404 and lists(small, shared, GREEDY, greedy[-1]) == 200
    assert lists(small, shared, THIRD, opened(small, shared, THIRD)) == 200
    assert lists(small, shared, THIRD, opened(small, shared, THIRD)) == 200


def test_behind_a_trusted_proxy_a_peer_is_who_the_proxy_says(small, shared):
    proxy = "127.0.0.8"
    mine = opened(small, shared, proxy, **{"X-Forwarded-For": "203.0.113.7"})
    assert lists(small, shared, proxy, mine) == 200
    for number in range(30):
        opened(small, shared, proxy, **{"X-Forwarded-For": f"203.0.113.{number}, 198.51.100.1"})
    assert lists(small, shared, proxy, mine) == 200
    for number in range(30):  # nobody else may speak for another address
        opened(small, shared, GREEDY, **{"X-Forwarded-For": f"203.0.113.{number}"})
    assert lists(small, shared, proxy, mine) == 200


def test_twenty_connections_that_keep_a_tool_busy_do_not_starve_a_polite_one(furnished, tmp_path):
    code = """
import asyncio
import pathlib
from wekadocs_mcp import tool

@tool("wire.gated")
async def gated(call, gate):
    if gate:
        pathlib.Path(gate + ".busy").touch()
    while gate and not pathlib.Path(gate).exists():
        await asyncio.sleep(0.01)
    return {"done": True}
"""
    furnished.tool("wire.gated", code, {"gate": {"type": "string"}}, budgets={"max_concurrency": 4})
    server, gate = furnished.http(), tmp_path / "gate"
    routing = {"MCP-Protocol-Version": furnished.MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "wire.gated"}

    def ask(path: str, source: str) -> str:
        message = furnished.call(1, "wire.gated", {"gate": path}, modern=True)
        return post(server, message, source, **routing)[2].decode()

    with ThreadPoolExecutor(20) as pool:
        greedy = [pool.submit(ask, str(gate), GREEDY) for _ in range(20)]
        furnished.eventually((tmp_path / "gate.busy").exists)
        assert all('"done":true' in ask("", POLITE) for _ in range(10))
        gate.touch()
        assert all("BUDGET_EXCEEDED" in each.result() or '"done":true' in each.result() for each in greedy)
