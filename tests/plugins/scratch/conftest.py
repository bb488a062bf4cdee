"""Both siblings of the store behind one face, and a real Valkey or Redis under one of them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from valkey_server import Server

from wekadocs_scratch.limits import Limits
from wekadocs_scratch.memory.sent import SentBefore
from wekadocs_scratch.memory.store import ScratchStore
from wekadocs_scratch.shared import queue
from wekadocs_scratch.shared.link import Link, _client
from wekadocs_scratch.shared.store import ValkeyStore

SETTINGS = {"prefix": "test", "timeout_seconds": 2, "connections": 4}


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


class InMemory(ScratchStore):
    """As the tests ask it, with what was sent beside it."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        super().__init__(limits, clock)
        self._sent = SentBefore(clock)
        self.sent_before, self.note_sent = self._sent.known, self._sent.keep

    def sweep(self) -> None:
        """It forgets what is over whenever it is asked."""


class InValkey:
    """Asked from plain functions and any thread; what is written is written at once."""

    def __init__(self, url: str, limits: Limits, clock: Callable[[], float] | None, **settings: Any) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        said = {**SETTINGS, "url": url, **settings}
        self.link = Link(_client(said), said, clock)
        self.store = ValkeyStore(self.link, limits, *([clock] if clock else []))
        self.counters = self.store.counters

    def run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    def sweep(self) -> None:
        """What is over is forgotten at the next write."""
        self.run(self.store.write([]))

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.store, name)
        return (lambda *given: self._asked(found, given)) if callable(found) else found

    def _asked(self, method: Any, given: tuple[Any, ...]) -> Any:
        async def work() -> Any:
            token = queue._waiting.set({})
            try:
                answer = method(*given)
                answer = await answer if asyncio.iscoroutine(answer) else answer
                for writer, rows in queue._waiting.get().items():
                    await writer.write(rows)
                return answer
            finally:
                queue._waiting.reset(token)

        return self.run(work())

    def close(self) -> None:
        self.run(self.link.client.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()


@pytest.fixture
def in_valkey(valkey: Server) -> Iterator[Callable[..., InValkey]]:
    """`in_valkey(ttl, max_bytes, …)`: another server's view of the same store, emptied before the test."""
    made: list[InValkey] = []

    def make(ttl: float = 60, max_bytes: int = 1 << 20, clock: Any = None, **given: Any) -> InValkey:
        limits = {name: given.pop(name) for name in ("max_session_bytes", "ids_bytes") if name in given}
        made.append(InValkey(given.pop("url", valkey.url), Limits(ttl, max_bytes, **limits), clock, **given))
        if len(made) == 1:
            made[0].run(made[0].link.client.flushall())
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture(params=["memory", "valkey"])
def make_store(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """`make_store(ttl, max_bytes, clock, …)` of either kind."""
    if request.param == "valkey":
        return request.getfixturevalue("in_valkey")

    def make(ttl: float = 60, max_bytes: int = 1 << 20, clock: Any = None, **limits: int) -> InMemory:
        return InMemory(Limits(ttl, max_bytes, **limits), *([clock] if clock else [lambda: 0.0]))

    return make
