"""What a handler can do with its call: know who asks, tell progress, write to the client's log."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from wekadocs_mcp.calls.call import Client


def test_a_handler_knows_who_calls(workshop: Any) -> None:
    code = """
    @tool("demo.echo")
    async def echo(call, text):
        return {"got": [call.principal, call.session, call.deadline.remaining() > 1, call.deadline.expired]}
    """
    workshop.tool(code)
    outcome = workshop.call(workshop.app(), "demo.echo", principal="ada", session="s1")
    assert outcome.data == {"got": ["ada", "s1", True, False]}


class Listener(Client):
    def __init__(self) -> None:
        self.heard: list[Any] = []

    async def progress(self, progress: float, total: float | None, message: str | None) -> None:
        await asyncio.sleep(0)
        self.heard.append((progress, total, message))

    async def log(self, level: str, data: Any) -> None:
        self.heard.append((level, data))


@pytest.mark.parametrize("kind", ["async def", "def"])
def test_progress_and_log_reach_the_client_in_order(workshop: Any, kind: str) -> None:
    code = f"""
    @tool("demo.echo")
    {kind} echo(call, text):
        for step in range(3):
            call.progress(step, 3, "step")
        call.log("plain")
        call.log.warning({{"careful": 1}})
        return {{}}
    """
    workshop.tool(code)
    listener = Listener()
    workshop.call(workshop.app(), "demo.echo", client=listener)
    steps = [(step, 3, "step") for step in range(3)]
    assert listener.heard == [*steps, ("info", "plain"), ("warning", {"careful": 1})]


def test_progress_can_be_awaited(workshop: Any) -> None:
    workshop.tool(
        "@tool('demo.echo')\nasync def echo(call, text):\n"
        "    await call.progress(1)\n    await call.log('x')\n    return {}\n"
    )
    listener = Listener()
    workshop.call(workshop.app(), "demo.echo", client=listener)
    assert listener.heard == [(1, None, None), ("info", "x")]


def test_a_client_that_fails_to_listen_does_no_harm(workshop: Any) -> None:
    class Deaf(Client):
        async def progress(self, *_: Any) -> None:
            raise OSError

    workshop.tool("@tool('demo.echo')\nasync def echo(call, text):\n    await call.progress(1)\n    return {}\n")
    assert workshop.call(workshop.app(), "demo.echo", client=Deaf()).code == "OK"
