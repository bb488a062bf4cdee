"""A server ends when it should, soon, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

STUCK = """
import pathlib
import subprocess
import time
from wekadocs_mcp import tool

@tool("wire.stuck")
def stuck(call, note):
    child = subprocess.Popen(["sh", "-c", "sleep 61 & echo $!; wait"], stdout=subprocess.PIPE)
    grandchild = int(child.stdout.readline())
    pathlib.Path(note).write_text(f"{child.pid} {grandchild}")
    while True:
        time.sleep(0.1)
"""

BLOCKING = """
import pathlib
import subprocess
import time
from wekadocs_mcp import tool

@tool("wire.blocking")
async def blocking(call, note):
    child = subprocess.Popen(["sleep", "61"])
    pathlib.Path(note).write_text(str(child.pid))
    time.sleep(60)
"""

STUBBORN = """
import asyncio
import contextlib
import pathlib
from wekadocs_mcp import hookimpl, tool

@hookimpl
@contextlib.asynccontextmanager
async def lifespan(context):
    yield None
    await asyncio.sleep(60)

@tool("wire.stubborn")
async def stubborn(call, note):
    pathlib.Path(note).write_text("started")
    while True:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
"""

BIG = """
from wekadocs_mcp import tool

@tool("wire.big")
async def big(call, number):
    return {"number": number, "text": "x" * 60_000}
"""

NOTE = {"note": {"type": "string"}}
SOON = 1.6  # a second, and something for a busy machine


def pids(note: Path) -> list[int]:
    return [int(each) for each in note.read_text().split()]


def test_end_of_input_ends_the_server_and_every_quick_answer_reaches_even_a_slow_reader(world):
    """The answers are more than the pipe holds, and the client reads late."""
    world.tool("wire.big", BIG, {"number": {"type": "integer"}})
    reading, writing = os.pipe()
    server = world.stdio(stdout=writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as lines:
        server.write(world.initialize(99), world.INITIALIZED)
        assert json.loads(lines.readline())["id"] == 99
        server.write(*(world.call(number, "wire.big", {"number": number}) for number in range(12)))
        server.end_of_input()
        time.sleep(0.3)  # the client is busy with something else meanwhile
        answers = [json.loads(line) for line in lines]
    assert sorted(each["id"] for each in answers) == list(range(12))
    assert all(len(each["result"]["structuredContent"]["text"]) == 60_000 for each in answers)
    assert server.gone_within(SOON) == 0


def test_end_of_input_does_not_wait_for_a_slow_handler(furnished):
    note = furnished.root / "note"
    server = furnished.stdio()
    server.shake_hands()
    server.write(furnished.call(1, "wire.slow", {"note": str(note)}), furnished.call(2, "wire.echo", {"value": 2}))
    furnished.eventually(note.exists)
    server.end_of_input()
    assert server.gone_within(SOON) == 0
    assert note.read_text() == "cancelled"
    assert [json.loads(line)["id"] for line in server.out.rest() if b"structuredContent" in line] == [2]


def started_call(world, tool: str, note: Path, words: int = 1):
    """A server whose handler is at work; what it does is in the note."""
    server = world.stdio()
    server.write(world.initialize(), world.INITIALIZED, world.call(1, tool, {"note": str(note)}))
    return server, lambda: note.exists() and len(note.read_text().split()) == words


def test_a_signal_ends_a_server_whose_handler_is_stuck_in_a_thread_and_its_children(world):
    world.tool("wire.stuck", STUCK, NOTE)
    notes = {signal.SIGTERM: world.root / "one", signal.SIGINT: world.root / "two"}
    started = {number: started_call(world, "wire.stuck", note, 2) for number, note in notes.items()}
    for number, (server, at_work) in started.items():
        world.eventually(at_work)
        server.process.send_signal(number)
        server.gone_within(SOON)
        for pid in pids(notes[number]):
            world.eventually(lambda pid=pid: not world.alive(pid), 1, f"process {pid} was left behind")


def test_a_handler_that_blocks_the_event_loop_does_not_keep_the_server_alive(world):
    world.tool("wire.blocking", BLOCKING, NOTE)
    notes = [world.root / "one", world.root / "two"]
    (first, first_at_work), (second, second_at_work) = [started_call(world, "wire.blocking", note) for note in notes]
    world.eventually(lambda: first_at_work() and second_at_work())
    first.end_of_input()
    second.process.terminate()
    for server, note in zip((first, second), notes, strict=True):
        server.gone_within(SOON)
        world.eventually(lambda note=note: not world.alive(*pids(note)), 1, "its child was left behind")


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_handler_that_swallows_its_cancellation_and_a_lifespan_that_never_closes_are_left(world, transport):
    world.tool("wire.stubborn", STUBBORN, NOTE)
    note = world.root / "note"
    message = world.call(1, "wire.stubborn", {"note": str(note)})
    if transport == "stdio":
        server = world.stdio()
        server.shake_hands()
        server.write(message)
    else:
        server = world.http()
        session = {key.replace("_", "-"): value for key, value in server.session().items()}
        connection = server.connect()
        accept = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        connection.request("POST", "/_mcp", json.dumps(message), {**session, **accept})
    world.eventually(note.exists)
    server.process.terminate()
    server.gone_within(SOON if transport == "stdio" else 2.5)
    if transport == "http":
        connection.close()


def test_the_server_goes_when_its_parent_dies_though_another_process_holds_the_pipe(furnished):
    """In the fast door, and after it."""
    furnished.record()
    reading, writing = os.pipe()
    for sent in (b"", json.dumps(furnished.initialize()).encode() + b"\n"):
        script = (
            "import subprocess, sys, time\n"
            f"child = subprocess.Popen({furnished.arguments()!r}, stdin={reading}, stdout=subprocess.PIPE)\n"
            "print(child.pid, flush=True)\n"
            + ("child.stdout.readline(); print('greeted', flush=True)\n" if sent else "")
            + "time.sleep(60)\n"
        )
        if sent:
            os.write(writing, sent)
        parent = subprocess.Popen(
            [sys.executable, "-c", script],
            env=furnished.environment,
            stdout=subprocess.PIPE,
            pass_fds=[reading],
        )
        pid = int(parent.stdout.readline())
        if sent:
            assert parent.stdout.readline() == b"greeted\n"
            furnished.eventually(lambda pid=pid: "pydantic_core" in Path(f"/proc/{pid}/maps").read_text())
        else:
            furnished.eventually(lambda pid=pid: os.readlink(f"/proc/{pid}/fd/0") == os.devnull)
        parent.kill()
        parent.wait()
        parent.stdout.close()
        furnished.eventually(lambda pid=pid: not furnished.alive(pid), 4, "an orphan was left")
    os.close(reading)
    os.close(writing)


def test_a_client_that_closes_our_stdout_ends_the_server(furnished):
    reading, writing = os.pipe()
    server = furnished.stdio(stdout=writing)
    os.close(writing)
    lines = os.fdopen(reading, "rb")
    server.write(furnished.initialize(0), furnished.INITIALIZED)
    assert json.loads(lines.readline())["id"] == 0
    lines.close()
    server.write(furnished.call(1, "wire.echo", {"value": 1}))
    server.gone_within(SOON)


def test_sigterm_ends_an_http_server_with_an_open_stream_and_a_stuck_thread(furnished):
    furnished.tool("wire.stuck", STUCK, NOTE)
    note = furnished.root / "note"
    server = furnished.http()
    session = {key.replace("_", "-"): value for key, value in server.session().items()}
    stream, calling = server.connect(), server.connect()
    stream.request("GET", "/_mcp", headers={**session, "Accept": "text/event-stream"})
    assert stream.getresponse().status == 200
    headers = {**session, "Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    calling.request("POST", "/_mcp", json.dumps(furnished.call(1, "wire.stuck", {"note": str(note)})), headers)
    furnished.eventually(lambda: note.exists() and len(note.read_text().split()) == 2)
    server.process.terminate()
    server.gone_within(2.5)
    for pid in pids(note):
        furnished.eventually(lambda pid=pid: not furnished.alive(pid), 1, f"process {pid} was left behind")
    stream.close()
    calling.close()


def test_a_port_in_use_is_said_clearly(furnished):
    first = furnished.http()
    second = furnished.http_unready("--port", str(first.port))
    assert second.gone_within(10) != 0
    assert f"port {first.port}" in second.err.text and "--port" in second.err.text
    assert "Traceback" not in second.err.text
    assert first.send("GET", "/healthz").status == 200


FORKING = """
import os, signal, time
from wekadocs_mcp import tool

@tool("wire.forking")
def forking(call):
    child = os.fork()
    if child == 0:
        time.sleep(60)
        os._exit(1)
    os.kill(child, signal.SIGTERM)
    return {"ended_by": os.WTERMSIG(os.waitpid(child, 0)[1])}
"""


def test_a_signal_for_a_forked_child_ends_the_child_and_not_the_server(world):
    """As multiprocessing's pools do it."""
    world.tool("wire.forking", FORKING)
    server = world.stdio()
    server.shake_hands()
    for number in (1, 2):
        answer = server.ask(world.call(number, "wire.forking", {}))
        assert answer["result"].get("structuredContent") == {"ended_by": signal.SIGTERM}
