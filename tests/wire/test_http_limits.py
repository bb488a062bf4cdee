"""What a connection may send and hold open before anybody knows who it is."""

from __future__ import annotations

import contextlib
import resource
import socket

import pytest

HOST = "127.0.0.1"
TOKEN = "a-token-of-more-than-sixteen-characters"


def connect(server, source: str = HOST) -> socket.socket:
    return socket.create_connection((HOST, server.port), timeout=20, source_address=(source, 0))


def told(server, raw: bytes, source: str = HOST) -> bytes:
    """The first line of the answer; empty if the connection was closed without one."""
    with connect(server, source) as connection:
        with contextlib.suppress(OSError):
            connection.sendall(raw)
        return received(connection).partition(b"\r\n")[0]


def received(connection: socket.socket) -> bytes:
    got = b""
    with contextlib.suppress(ConnectionError):
        while chunk := connection.recv(65536):
            got += chunk
            if b"\r\n\r\n" in got:
                break
    return got


def get(path: str, *lines: str) -> bytes:
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *lines, "", ""]).encode("latin-1")


def memory(server) -> int:
    """Its resident memory, in bytes."""
    with open(f"/proc/{server.process.pid}/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


@pytest.fixture(scope="module")
def hasty(shared):
    """A server with little patience and little room."""
    config = shared.root / "hasty.yaml"
    limits = "head_seconds: 0.3, body_seconds: 0.3, max_connections: 48, max_connections_per_peer: 32"
    config.write_text(f"server: {{http: {{{limits}}}}}\n")
    return shared.http("--config", str(config))


def test_a_head_is_refused_while_it_comes_in_and_not_kept(served):
    before = memory(served)
    for line in (b"a: b\r\n", b"x-long: " + b"y" * 1000 + b"\r\n", b"x" * 65_536, b"\r\n"):
        head = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + line * (38_000_000 // len(line))
        assert told(served, head if line != b"\r\n" else line * 1_000_000).startswith(b"HTTP/1.1 431")
    assert memory(served) - before < 32 << 20
    assert told(served, get("/" + "a" * 70_000)).startswith(b"HTTP/1.1 431")


def test_a_head_within_its_limits_is_read_however_it_is_cut(served):
    lines = [f"x-{number}: {'y' * 600}" for number in range(98)]
    assert told(served, get("/healthz", *lines)).startswith(b"HTTP/1.1 200")
    assert told(served, get("/healthz", *lines, "x: y", "z: y")).startswith(b"HTTP/1.1 431")
    with connect(served) as connection:
        for byte in get("/healthz", "x: y"):
            connection.sendall(bytes([byte]))
        assert received(connection).startswith(b"HTTP/1.1 200")


def test_trailers_never_become_headers_and_are_bounded(guarded):
    chunked = "POST /metrics HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    trailer = f"Authorization: Bearer {TOKEN}\r\n"
    assert told(guarded, f"{chunked}{trailer}\r\n".encode()).startswith(b"HTTP/1.1 401")
    with_token = chunked.replace("\r\n\r\n", f"\r\n{trailer}\r\n")
    assert told(guarded, f"{with_token}x: y\r\n\r\n".encode()).startswith(b"HTTP/1.1 405")
    assert told(guarded, f"{with_token}Origin: https://evil.example\r\n\r\n".encode()).startswith(b"HTTP/1.1 405")
    before = memory(guarded)
    told(guarded, with_token.encode() + b"x: y\r\n" * 4_000_000)
    told(guarded, with_token.encode() + b"x: " + b"y" * 24_000_000)
    assert memory(guarded) - before < 16 << 20


def test_a_header_that_decides_something_stands_once(served):
    for twice in (
        ("Host: localhost",),
        ("Host: evil.example",),
        ("Origin: http://localhost", "Origin: http://evil.example"),
        ("Origin: http://localhost", "origin: http://localhost"),
        ("Authorization: Bearer a", "Authorization: Bearer b"),
        ("Content-Length: 0", "Content-Length: 0"),
        ("Content-Length: 0", "Content-Length: 1"),
        ("Content-Length: 2", "Transfer-Encoding: chunked"),
        ("Mcp-Session-Id: a", "Mcp-Session-Id: b"),
        ("MCP-Protocol-Version: 2025-11-25", "MCP-Protocol-Version: 2026-07-28"),
    ):
        assert told(served, get("/healthz", *twice)).startswith(b"HTTP/1.1 400"), twice
    assert told(served, get("/healthz", "Accept: a/b", "Accept: c/d")).startswith(b"HTTP/1.1 200")


def test_half_a_head_and_half_a_body_are_waited_for_in_vain_only_so_long(hasty):
    half = b"POST /_mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    for raw in (b"", b"GET", half, half + b"Content-Length: 9\r\n\r\n{", half + b"Transfer-Encoding: chunked\r\n\r\n"):
        assert told(hasty, raw).startswith(b"HTTP/1.1 408"), raw
    with connect(hasty) as connection:
        connection.sendall(get("/healthz"))
        assert received(connection).startswith(b"HTTP/1.1 200")
        connection.sendall(b"GET")
        assert received(connection).startswith(b"HTTP/1.1 408")


def test_a_server_that_ends_says_nothing_of_a_body_it_gave_up(furnished):
    config = furnished.root / "brief.yaml"
    config.write_text("server: {http: {body_seconds: 1}}\n")
    server = furnished.http("--config", str(config), "--plugins", str(furnished.tools))
    half = b"POST /_mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
    with connect(server) as connection:
        connection.sendall(half)
        assert received(connection).startswith(b"HTTP/1.1 408")
        server.process.terminate()
        server.process.wait(20)
    assert "Traceback" not in server.err.text


def test_a_message_that_was_not_sent_to_its_end_is_not_carried_out(hasty, shared, tmp_path):
    import json

    note = tmp_path / "note"
    call = json.dumps(shared.call(1, "wire.slow", {"note": str(note), "seconds": 0}, modern=True)).encode()
    names = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: wire.slow\r\n"
    kinds = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
    head = f"POST /_mcp HTTP/1.1\r\nHost: localhost\r\n{names}{kinds}Transfer-Encoding: chunked\r\n\r\n"
    whole = head.encode() + b"%x\r\n%s\r\n" % (len(call), call)
    assert told(hasty, whole).startswith(b"HTTP/1.1 408")
    assert hasty.send("GET", "/healthz").status == 200 and not note.exists()
    assert told(hasty, whole + b"0\r\n\r\n").startswith(b"HTTP/1.1 200") and note.exists()


def test_many_connections_that_say_little_do_not_shut_anybody_out(hasty):
    with contextlib.ExitStack() as open_ones:
        for number in range(300):
            connection = open_ones.enter_context(connect(hasty))
            with contextlib.suppress(OSError):
                connection.sendall(get("/healthz")[: number % 20])
            if number % 30 == 0:
                assert told(hasty, get("/healthz")).startswith(b"HTTP/1.1 200")
                assert told(hasty, get("/healthz"), source="127.0.0.9").startswith(b"HTTP/1.1 200")
    assert "Traceback" not in hasty.err.text
    assert 'wekadocs_http_refused_total{status="evicted"}' in hasty.send("GET", "/metrics").body.decode()


def test_running_out_of_descriptors_is_one_line_in_the_log(furnished, monkeypatch):
    config = furnished.root / "few.yaml"
    config.write_text("server: {http: {head_seconds: 60}}\n")
    script = furnished.root / "few-descriptors"
    script.write_text(f'#!/bin/sh\nulimit -n 200\nexec "{furnished.SCRIPT}" "$@"\n')
    script.chmod(0o755)
    monkeypatch.setattr(furnished, "arguments", lambda *more, **_: [str(script), "serve", *more])
    server = furnished.http("--config", str(config), "--plugins", str(furnished.tools))
    with contextlib.ExitStack() as open_ones:
        for _ in range(600):
            open_ones.enter_context(connect(server)).sendall(b"GET /")
        assert told(server, get("/healthz")).startswith(b"HTTP/1.1 200")
    assert server.err.text.count("descriptor") <= 1 and "Traceback" not in server.err.text


@pytest.fixture(scope="module")
def guarded(shared):
    return shared.http(env={"MCP_AUTH_TOKEN": TOKEN})
