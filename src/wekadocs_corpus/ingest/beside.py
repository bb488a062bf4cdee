"""Long work beside an event loop: in a thread of its own, which ends when whoever awaits it is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from wekadocs_corpus.stopping import Stop

Result = TypeVar("Result")


class Stopped(Exception):
    """Whoever waited for the work does not want it any more."""


def check(stop: Stop | None) -> None:
    if stop is not None and stop.told():
        raise Stopped


def in_loop(tell: Callable[..., None]) -> Callable[..., None]:
    """The same, called in the loop that runs here, whatever thread has something to tell."""
    loop = asyncio.get_running_loop()

    def told(*what: object) -> None:
        loop.call_soon_threadsafe(tell, *what)

    return told


async def beside(work: Callable[[Stop], Result]) -> Result:
    """Cancelled, it tells the work to stop and waits until it has: nothing goes on unseen, no process is left."""
    stop, thread = Stop(), ThreadPoolExecutor(1, "ingest")
    running = asyncio.get_running_loop().run_in_executor(thread, work, stop)
    thread.shutdown(wait=False)  # takes no more; the thread ends with its work
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stop.tell()
        await _end_of(running)
        raise


async def _end_of(running: asyncio.Future[Result]) -> None:
    while not running.done():
        try:
            await asyncio.wait([running])
        except asyncio.CancelledError:  # told already
            continue
    if not running.cancelled():
        running.exception()  # looked at, so that nobody complains of it
