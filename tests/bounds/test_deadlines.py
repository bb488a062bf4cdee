"""A deadline ends the work: no thread goes on when the answer is sent, and no tool waits for another's threads."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from thickets import Server

from wekadocs_corpus.store.sqlite.connection import Connections

_LITTLE = 0.4  # CPU seconds; what did not end went on for 4 to 220
_AT_ONCE = 16


async def cpu_until_quiet() -> float:
    """CPU seconds of the whole process until it does nothing any more."""
    began = time.process_time()
    for _ in range(100):
        before = time.process_time()
        await asyncio.sleep(0.1)
        if time.process_time() - before < 0.01:
            break
    return time.process_time() - began


def test_after_a_timeout_no_tool_uses_the_processor(serving: Callable[..., Any]) -> None:
    async def work(server: Server) -> dict[str, float]:
        went_on = {}
        for name, arguments in server.worst.items():
            server.tool(name).budgets["timeout_seconds"] = 0.05
            outcome = await server.call(name, arguments)
            assert outcome.code in ("OK", "TIMEOUT", "BUDGET_EXCEEDED"), (name, outcome.error)
            went_on[name] = await cpu_until_quiet()
            assert server.tool(name).places.taken == 0
        return went_on

    assert {name: used for name, used in serving(work).items() if used > _LITTLE} == {}


def test_paths_between_thickets_are_looked_for_within_bounds(serving: Callable[..., Any]) -> None:
    async def work(server: Server) -> None:
        for name, reason in (("graph.paths", "node_cap"), ("get_paths_between", "page_size")):
            outcome = await server.call(name, server.worst[name])
            assert outcome.data is not None, outcome.error
            assert (outcome.data["partial"], outcome.data["limit_reason"]) == (True, reason)

    serving(work)


# Whoever carries this stops at the gate: its threads are taken, for as long as the test likes.
held = contextvars.ContextVar("held", default=False)


@contextmanager
def gate() -> Iterator[None]:
    opened, reading = threading.Event(), Connections.reading

    @contextmanager
    def waiting(self: Connections, *arguments: Any) -> Iterator[Any]:
        if held.get() and threading.current_thread() is not threading.main_thread():
            opened.wait(60)
        with reading(self, *arguments) as connection:
            yield connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connections, "reading", waiting)
        try:
            yield
        finally:
            opened.set()


def test_no_tool_keeps_another_from_answering(serving: Callable[..., Any]) -> None:
    async def work(server: Server) -> None:
        quick = {
            "graph.describe": {"node_ids": ["nobody"]},
            "list_parents": {"section_ids": ["nobody"]},
            "kb.search": {"query": "mount the filesystem", "top_k": 1},
            "kb.verify_quote": {**server.worst["kb.verify_quote"], "quote": "| x |"},
        }
        for name, arguments in server.worst.items():
            with gate():
                carrying = contextvars.copy_context()
                carrying.run(held.set, True)
                loop = asyncio.get_running_loop()
                busy = [
                    loop.create_task(server.call(name, arguments), context=carrying.copy()) for _ in range(_AT_ONCE)
                ]
                await asyncio.sleep(0)
                for other, simple in quick.items():
                    if other != name:
                        outcome = await server.call(other, simple)
                        assert outcome.error is None, (name, other, outcome.error)
                for task in busy:
                    task.cancel()
            await asyncio.gather(*busy, return_exceptions=True)

    serving(work)
