"""How many calls a tool takes at once, who waits in turn, and when a place is free again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from wekadocs_mcp.calls.call import Caller

from .outcomes import FAST, error

WAITS = """
    import threading
    RELEASE = threading.Event()
    @tool("demo.echo")
    def echo(call, text):
        RELEASE.wait(20)
        return {"got": text}
"""


def test_a_thread_keeps_its_place_after_a_timeout_until_it_ends(workshop: Any) -> None:
    workshop.tool(WAITS, budgets={**FAST, "max_concurrency": 1})
    app = workshop.app()
    release = app.plugins["echo"].module.RELEASE

    async def work() -> list[str]:
        codes = [(await app.dispatcher.call("demo.echo", {}, Caller())).code for _ in range(2)]
        release.set()
        await workshop.until(lambda: not app.catalogue.by_contract["demo.echo"].running)
        return [*codes, (await app.dispatcher.call("demo.echo", {}, Caller())).code]

    assert workshop.run(app, work) == ["TIMEOUT", "BUDGET_EXCEEDED", "OK"]


def test_an_invoked_thread_keeps_the_callers_place(workshop: Any) -> None:
    workshop.tool(WAITS)
    code = "@tool('demo.outer')\nasync def outer(call, text):\n    return await call.invoke('demo.echo', {})\n"
    workshop.tool(code, "demo.outer", budgets={**FAST, "max_concurrency": 1})
    app = workshop.app()
    release = app.plugins["echo"].module.RELEASE

    async def work() -> list[str]:
        codes = [(await app.dispatcher.call("demo.outer", {}, Caller())).code for _ in range(2)]
        release.set()
        await workshop.until(lambda: not app.catalogue.by_contract["demo.outer"].running)
        return codes

    assert workshop.run(app, work) == ["TIMEOUT", "BUDGET_EXCEEDED"]


def test_more_calls_at_once_than_allowed_are_refused_with_retry_after(workshop: Any) -> None:
    code = """
    import asyncio
    @tool("demo.echo")
    async def echo(call, text):
        await GATE.wait()
        return {"got": text}
    """
    workshop.tool(code, budgets={"max_concurrency": 2})
    app = workshop.app({"server": {"queue_seconds": 0}})

    async def work() -> Any:
        gate = app.plugins["echo"].module.GATE = asyncio.Event()
        first = [asyncio.create_task(app.dispatcher.call("demo.echo", {}, Caller())) for _ in range(2)]
        await asyncio.sleep(0)
        refused = await app.dispatcher.call("demo.echo", {}, Caller())
        gate.set()
        return (
            refused,
            [each.code for each in await asyncio.gather(*first)],
            await app.dispatcher.call("demo.echo", {}, Caller()),
        )

    refused, first, after = workshop.run(app, work)
    told = error(refused)
    assert told["code"] == "BUDGET_EXCEEDED"
    assert told["details"]["retry_after"] > 0
    assert told["retryable"] is True
    assert first == ["OK", "OK"]
    assert after.code == "OK"


def test_a_cancelled_call_ends_its_work_and_frees_its_place(workshop: Any) -> None:
    code = """
    import asyncio
    SEEN = []
    @tool("demo.echo")
    async def echo(call, text):
        SEEN.append("started")
        try:
            await asyncio.sleep(60)
        finally:
            SEEN.append(call.deadline.expired)
    """
    workshop.tool(code)
    app = workshop.app()

    async def work() -> None:
        task = asyncio.create_task(app.dispatcher.call("demo.echo", {}, Caller()))
        await workshop.until(lambda: app.plugins["echo"].module.SEEN)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    workshop.run(app, work)
    assert app.plugins["echo"].module.SEEN[0] == "started"
    assert len(app.plugins["echo"].module.SEEN) == 2
    assert app.catalogue.by_contract["demo.echo"].running == 0


def test_a_busy_tool_answers_its_clients_in_turn(workshop: Any) -> None:
    code = """
    import asyncio
    GATES = asyncio.Queue()
    @tool("demo.echo")
    async def echo(call, text):
        await GATES.get()
        return {"got": text}
    """
    workshop.tool(code, budgets={"max_concurrency": 1})
    app = workshop.app({"server": {"queue_seconds": 20}})
    greedy, greedier, polite = (("one", 1), ("one", 2), ("other", 1))

    async def work() -> list[str]:
        order: list[str] = []

        async def ask(text: str, asker: Any) -> None:
            outcome = await app.dispatcher.call("demo.echo", {"text": text}, Caller(asker=asker))
            order.append(outcome.data["got"] if outcome.data else outcome.code)

        asked = [asyncio.create_task(ask(f"a{number}", greedy)) for number in range(4)]
        asked += [asyncio.create_task(ask("b", greedier)), asyncio.create_task(ask("c", polite))]
        given_up = asyncio.create_task(ask("never", polite))
        await asyncio.sleep(0)
        given_up.cancel()
        for _ in asked:
            app.plugins["echo"].module.GATES.put_nowait(None)
        await asyncio.gather(*asked)
        return order

    assert workshop.run(app, work) == ["a0", "a1", "c", "b", "a2", "a3"]
    assert not app.catalogue.by_contract["demo.echo"].running
