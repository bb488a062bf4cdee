"""stdio: stdout carries the protocol only, in UTF-8, whatever stdin and stdout are and whatever plugins print."""

from __future__ import annotations

import json
import os
import socket
import subprocess

import pytest

NOISY = """
import os
import subprocess
import sys
import threading
from wekadocs_mcp import hookimpl, tool

def noise(where):
    print(f"printed {where} \\u00e9\\u4e16")
    os.write(1, f"written {where}\\n".encode())
    subprocess.run(["echo", f"echoed {where}"])
    sys.__stdout__.write(f"dunder {where}\\n")
    sys.__stdout__.flush()
    assert sys.stdin.read() == ""

noise("at import")

@hookimpl
def register_prompts():
    noise("in a hook")
    return []

@tool("wire.noisy")
async def noisy(call, text):
    noise("in the handler")
    return {"text": text, "main": threading.current_thread() is threading.main_thread()}
"""
TEXT = 'naïve 世界 🙂 \u2028 \\ " \x7f'
PLACES = ("at import", "in a hook", "in the handler")


@pytest.mark.parametrize("door", ["a miss", "a hit"])
def test_stdout_carries_protocol_only_and_in_utf8(world, door):
    """Python's print, the bare descriptor and child processes: all of it goes to stderr, whatever the locale."""
    world.tool("wire.noisy", NOISY, {"text": {"type": "string"}})
    locale = {"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "latin-1", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    if door == "a hit":
        world.record(env=locale)
    server = world.stdio(env=locale)
    server.write(world.initialize(0), world.INITIALIZED)
    assert server.answer(0)["result"]["serverInfo"]["name"] == "wekadocs"
    raw = json.dumps(world.call(1, "wire.noisy", {"text": TEXT}), ensure_ascii=False).encode() + b"\n"
    server.write(raw)
    result = server.answer(1)["result"]
    assert result["structuredContent"] == {"text": TEXT, "main": True}
    server.end_of_input()
    server.gone_within(2)
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in [*server.out.all, *server.out.rest()])
    for kind in ("printed", "written", "echoed", "dunder"):
        for place in PLACES:
            assert f"{kind} {place}" in server.err.text


def test_a_regular_file_as_input_and_output(furnished):
    """Every request is answered, then the server ends by itself."""
    lines = [
        furnished.initialize(0),
        furnished.INITIALIZED,
        *(furnished.call(n, "wire.echo", {"value": n}) for n in (1, 2)),
    ]
    asked, answered = furnished.root / "asked", furnished.root / "answered"
    asked.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with asked.open("rb") as stdin, answered.open("wb") as stdout:
        server = furnished.stdio(stdin=stdin, stdout=stdout)
        assert server.gone_within(15) == 0
    answers = {each["id"]: each for each in map(json.loads, answered.read_text().splitlines())}
    assert answers.keys() == {0, 1, 2}
    assert answers[2]["result"]["structuredContent"] == {"value": 2}


def test_no_input_at_all_ends_the_server(furnished):
    """`wekadocs-mcp serve < /dev/null`, and a stdin that was closed."""
    assert furnished.stdio(stdin=subprocess.DEVNULL).gone_within(15) == 0
    closed = furnished.stdio(stdin=None, preexec_fn=lambda: os.close(0))
    closed.gone_within(15)
    assert "Traceback" not in closed.err.text


@pytest.mark.parametrize("door", ["a miss", "a hit"])
def test_one_socket_as_input_and_output(furnished, door):
    """As inetd and socat give it: what the client sends must not be taken for its leaving."""
    if door == "a hit":
        ours, theirs = socket.socketpair()
        first = furnished.stdio(stdin=theirs, stdout=theirs)
        theirs.close()
        furnished.eventually(furnished.surfaces)
        ours.close()
        first.gone_within(3)
    ours, theirs = socket.socketpair()
    ours.settimeout(20)
    server = furnished.stdio(stdin=theirs, stdout=theirs)
    theirs.close()
    with ours, ours.makefile("rwb") as both:
        for message in (furnished.initialize(0), furnished.INITIALIZED):
            both.write(json.dumps(message).encode() + b"\n")
            both.flush()
        assert json.loads(both.readline())["id"] == 0
        for number in range(1, 4):
            both.write(json.dumps(furnished.call(number, "wire.echo", {"value": number})).encode() + b"\n")
            both.flush()
            assert json.loads(both.readline())["result"]["structuredContent"] == {"value": number}
        both.write(json.dumps(furnished.call(9, "wire.echo", {"value": 9})).encode() + b"\n")
        both.flush()
        ours.shutdown(socket.SHUT_WR)
        assert json.loads(both.readline())["id"] == 9
        assert both.readline() == b""
    assert server.gone_within(2) == 0


def test_a_message_may_come_in_pieces_and_many_in_one_piece(shared):
    server = shared.stdio()
    opening = json.dumps(shared.initialize(0)).encode() + b"\r\n"
    for byte in opening:
        server.write(bytes([byte]))
    assert server.answer(0)["result"]["protocolVersion"] == "2025-11-25"
    server.write(
        b"\n\n  \r\n", shared.INITIALIZED, *(shared.call(n, "wire.echo", {"value": "é" * n}) for n in range(1, 400))
    )
    answers = [server.read() for _ in range(1, 400)]
    assert sorted(each["id"] for each in answers) == list(range(1, 400))
    split = json.dumps(shared.call(500, "wire.echo", {"value": "世"}), ensure_ascii=False).encode() + b"\n"
    middle = split.index("世".encode()) + 1
    server.write(split[:middle])
    server.write(split[middle:])
    assert server.answer(500)["result"]["structuredContent"] == {"value": "世"}
    server.write(json.dumps(shared.call(501, "wire.echo", {"value": "the last line has no newline"})).encode())
    server.end_of_input()
    assert server.answer(501)["result"]["isError"] is False
    server.gone_within(2)
    assert server.err.rest() == [], "a quiet server says nothing on stderr"


def test_a_client_that_never_reads_does_not_fill_the_servers_memory(shared):
    """Garbage is refused line by line; the refusals wait until they are read, and so does the garbage."""
    server = shared.stdio(stdout=subprocess.PIPE)
    server.shake_hands()
    server.out.pause()
    os.set_blocking(server.process.stdin.fileno(), False)
    sent = 0
    chunk = b"garbage\n" * 4096
    stuck_since = None

    def refuses_more() -> bool:
        nonlocal sent, stuck_since
        try:
            sent += os.write(server.process.stdin.fileno(), chunk)
            stuck_since = None
        except BlockingIOError:
            stuck_since = stuck_since or shared.now()
        return stuck_since is not None and shared.now() - stuck_since > 0.5

    shared.eventually(refuses_more)
    assert sent < 8 << 20
    server.out.go_on()
    os.set_blocking(server.process.stdin.fileno(), True)
    server.write(b"\n", shared.call(1, "wire.echo", {"value": 1}))
    assert server.answer(1)["result"]["structuredContent"] == {"value": 1}


def test_a_refused_configuration_is_told_on_stderr_alone(world):
    world.tool("wire.echo", "", {"value": {}})
    server = world.stdio()
    assert server.gone_within(15) == 2
    assert server.out.rest() == []
    assert "wire.echo" in server.err.text and "Traceback" not in server.err.text


@pytest.mark.parametrize("modern", [False, True])
def test_a_list_asked_again_answers_the_id_it_was_asked_with(shared, modern):
    server = shared.stdio()
    if not modern:
        server.shake_hands()
    first = server.ask(shared.request(1, "tools/list", modern=modern))["result"]
    for request_id in (2, 0, "three", "ü", "a b", 10**17, -4, "2", ""):
        answer = server.ask(shared.request(request_id, "tools/list", modern=modern))
        assert (answer["id"], answer["result"]) == (request_id, first)
    meta = json.dumps(shared.META if modern else {})
    odd = '{"params":{"_meta":%s,"id":%d},"jsonrpc":"2.0","method":"tools/list","id":%d}\n'
    for inner, outer in ((5, 5), (6, 5), (5, 6), (7, 7)):
        server.write((odd % (meta, inner, outer)).encode())
        assert server.answer(outer)["id"] == outer
    for wrong in ("01", "1.0", "true", "[1]", "1e2", ""):
        server.write(b'{"jsonrpc": "2.0", "id": %s, "method": "tools/list", "params": {}}\n' % wrong.encode())
        assert "error" in server.read()
    assert server.ask(shared.request(8, "tools/list", modern=modern))["result"] == first


def test_the_list_is_asked_again_while_the_client_reads_slowly(shared):
    server = shared.stdio()
    server.shake_hands()
    size = len(json.dumps(server.ask(shared.request(0, "tools/list"))))
    server.out.pause()
    many = 2 + (3 << 20) // size
    server.write(*(shared.request(number, "tools/list") for number in range(1, many)))
    server.out.go_on()
    assert sorted(server.read()["id"] for _ in range(1, many)) == list(range(1, many))
