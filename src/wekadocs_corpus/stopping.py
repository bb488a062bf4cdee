"""Work in threads that ends when nobody waits for it any more: whoever awaits it was cancelled, or it is too late."""

from __future__ import annotations

import asyncio
import contextvars
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Result = TypeVar("Result")


class Stop:
    """Told from the event loop, looked at in the thread; SQLite asks while it reads, loops ask by `check`."""

    __slots__ = ("_told", "_until")

    def __init__(self, until: float | None = None) -> None:
        self._until = until  # time.monotonic
        self._told = False

    def tell(self) -> None:
        self._told = True

    def told(self) -> bool:
        return self._told or (self._until is not None and time.monotonic() > self._until)


_NEVER = Stop()
_current: contextvars.ContextVar[Stop] = contextvars.ContextVar("wekadocs_stop", default=_NEVER)
_deadline: contextvars.ContextVar[float | None] = contextvars.ContextVar("wekadocs_until", default=None)


@contextmanager
def by(deadline: float) -> Iterator[None]:
    """What is asked meanwhile ends then (time.monotonic), also where nobody can be told: in another server."""
    token = _deadline.set(deadline)
    try:
        yield
    finally:
        _deadline.reset(token)


def earliest(late: float) -> float:
    """The given moment, or the deadline where that comes first."""
    deadline = _deadline.get()
    return late if deadline is None else min(late, deadline)


def current() -> Stop | None:
    """What may stop the work of this thread, if anything may."""
    stop = _current.get()
    return None if stop is _NEVER else stop


def check() -> None:
    """For loops that may take long."""
    if _current.get().told():
        raise TimeoutError("nobody waits for this any more")


async def in_thread(work: Callable[..., Result], *arguments: Any, until: float | None = None) -> Result:
    """In a thread of the event loop's executor; a cancelled question ends there too."""
    stop, context = Stop(until), contextvars.copy_context()
    context.run(_current.set, stop)
    try:
        return await asyncio.get_running_loop().run_in_executor(None, lambda: context.run(work, *arguments))
    except asyncio.CancelledError:
        stop.tell()
        raise


_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C comes after this instead of within: for what takes locks that other threads wait for.

    An exception may come between a lock's taking and the block that gives it back; then those threads wait for ever.
    """
    told: list[int] = []
    # Signals are handled in the main thread only, and only these raise there.
    raising = threading.current_thread() is threading.main_thread()
    held = [each for each in _SIGNALS if raising and signal.getsignal(each) is signal.default_int_handler]
    for each in held:
        signal.signal(each, lambda number, _: told.append(number))
    try:
        yield
    finally:
        for each in held:
            signal.signal(each, signal.default_int_handler)
        if told:
            raise KeyboardInterrupt
