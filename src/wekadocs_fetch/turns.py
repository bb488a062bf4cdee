"""Who is asked when: few connections at a time to one host, and a pause between two requests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

_MOST_KEPT = 1000
_LONGEST_DELAY = 30.0


@dataclass
class _Host:
    places: asyncio.Semaphore
    next_start: float = 0.0
    delay: float = 0.0  # as its robots.txt asks for
    users: int = 0
    pausing: asyncio.Lock = field(default_factory=asyncio.Lock)


class Turns:
    """Of all hosts, in one event loop."""

    def __init__(self, connections: int, delay: float) -> None:
        self._connections = connections
        self._delay = delay
        self._hosts: dict[str, _Host] = {}

    def slow_down(self, origin: str, seconds: float) -> None:
        """A host asks for more time between requests."""
        self._host(origin).delay = min(max(seconds, 0.0), _LONGEST_DELAY)

    @asynccontextmanager
    async def turn(self, origin: str) -> AsyncIterator[None]:
        host = self._host(origin)
        host.users += 1
        try:
            async with host.places:
                await self._pause(host)
                yield
        finally:
            host.users -= 1

    async def _pause(self, host: _Host) -> None:
        delay = max(self._delay, host.delay)
        if not delay:
            return
        loop = asyncio.get_running_loop()
        async with host.pausing:
            wait = host.next_start - loop.time()
            if wait > 0:
                await asyncio.sleep(wait)
            host.next_start = loop.time() + delay

    def _host(self, origin: str) -> _Host:
        if origin not in self._hosts:
            if len(self._hosts) >= _MOST_KEPT:
                self._hosts = {name: each for name, each in self._hosts.items() if each.users or each.delay}
            self._hosts[origin] = _Host(asyncio.Semaphore(self._connections))
        return self._hosts[origin]
