"""A distance between a server and its stores: what is sent either way arrives later, and it is told what was sent when.

`with Distance("127.0.0.1", port, 0.0005) as far:` listens on `far.port`. Run alone it does so until its input ends:
`python distance.py SECONDS PORT…` prints the port before each of those that were named.
"""

from __future__ import annotations

import asyncio
import selectors
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple, Self


class Sent(NamedTuple):
    """When a part left, on which connection, which way, and how it begins."""

    at: float
    connection: int
    asked: bool  # towards the store
    data: bytes


class Distance:
    """Forwards in a thread of its own, exact to a tenth of a millisecond: an event loop over epoll knows whole ones."""

    def __init__(self, host: str, port: int, seconds: float) -> None:
        self._to, self._seconds = (host, port), seconds
        self.port = 0
        self.sent: list[Sent] = []
        self._connections = 0
        self._open: set[asyncio.StreamWriter] = set()
        self._ready = threading.Event()
        self._loop = asyncio.SelectorEventLoop(selectors.SelectSelector())
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        self._ended = asyncio.Event()
        listening = await asyncio.start_server(self._accepted, "127.0.0.1", 0)
        self.port = listening.sockets[0].getsockname()[1]
        self._ready.set()
        await self._ended.wait()
        listening.close()
        for each in self._open:
            each.transport.abort()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _accepted(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        self._connections += 1
        number = self._connections
        with suppress(OSError):
            far, there = await asyncio.open_connection(*self._to)
            self._open |= {back, there}
            await asyncio.gather(self._forward(near, there, number, True), self._forward(far, back, number, False))
            self._open -= {back, there}

    async def _forward(self, source: asyncio.StreamReader, to: asyncio.StreamWriter, number: int, asked: bool) -> None:
        with suppress(OSError):
            while data := await source.read(1 << 16):
                self.sent.append(Sent(time.perf_counter(), number, asked, data[:4096]))
                self._loop.call_later(self._seconds, self._arrive, to, data)
        self._loop.call_later(self._seconds, self._hang_up, to)

    def _arrive(self, to: asyncio.StreamWriter, data: bytes) -> None:
        if not to.is_closing():
            to.write(data)

    def _hang_up(self, to: asyncio.StreamWriter) -> None:
        with suppress(OSError, RuntimeError):
            to.close()


class Trip(NamedTuple):
    begun: float
    ended: float


def trips(sent: list[Sent], unawaited: tuple[bytes, ...] = ()) -> Iterator[Trip]:
    """From each question to the end of its answer; without those that nobody waits for."""
    of: dict[int, list[Sent]] = {}
    for each in sent:
        of.setdefault(each.connection, []).append(each)
    for parts in of.values():
        begun = ended = None
        for part in parts:
            if part.asked and ended is not None and begun is not None:
                yield Trip(begun, ended)
                begun = ended = None
            if part.asked and begun is None and not any(said in part.data for said in unawaited):
                begun = part.at
            elif not part.asked and begun is not None:
                ended = part.at
        if begun is not None and ended is not None:
            yield Trip(begun, ended)


def dependent(found: list[Trip]) -> int:
    """How many of them can have waited for one another: the most of which none overlaps with the next."""
    count, free = 0, float("-inf")
    for trip in sorted(found, key=lambda each: each.ended):
        if trip.begun > free:
            count, free = count + 1, trip.ended
    return count


def _main(seconds: float, ports: list[int]) -> None:
    far = [Distance("127.0.0.1", port, seconds).__enter__() for port in ports]
    print(*(each.port for each in far), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    _main(float(sys.argv[1]), [int(each) for each in sys.argv[2:]])
