"""Running a plugin's function: coroutines contained, plain functions in threads that keep their slot to the end."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import inspect
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from .budgets import Deadline
from .turns import Slot

_MAX_THREADS = 64
_INTERRUPT_EVERY = 0.05
_MAX_DEPTH = 32
_depth: contextvars.ContextVar[int] = contextvars.ContextVar("wekadocs_depth", default=0)


class Threads:
    """A pool that is made when the first plain function comes."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None

    async def run(self, work: Callable[[], Any], deadline: Deadline) -> Any:
        """A plain function in a thread. Given up on, it keeps its slot until it really ends."""
        slot: Slot | None = deadline.slot
        if self._pool is None:
            self._pool = ThreadPoolExecutor(_MAX_THREADS, thread_name_prefix="wekadocs-tool")
        future = self._pool.submit(contextvars.copy_context().run, _finished, work)
        if slot is not None:
            slot.keep()
            future.add_done_callback(slot.thread_ended(asyncio.get_running_loop()))
        try:
            returned = await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            deadline.end()
            if not future.done():
                _keep_ending(deadline, future)
            raise
        except TimeoutError as error:
            raise future.exception() or error from None  # asyncio's copy has lost its place
        # Not asyncio's own iscoroutine: before Python 3.12 it takes a generator for one.
        return await returned if inspect.iscoroutine(returned) else returned

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def _finished(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except (StopIteration, KeyboardInterrupt, GeneratorExit) as error:
        # A future cannot carry the first, and the others would end the server.
        raise RuntimeError(f"{type(error).__name__} left the function") from error


def _keep_ending(deadline: Deadline, future: Any) -> None:
    """A thread given up on may start another query or child: end those too, until it is done."""

    def again() -> None:
        if not future.done():
            deadline.end()
            loop.call_later(_INTERRUPT_EVERY, again)

    loop = asyncio.get_running_loop()
    loop.call_later(_INTERRUPT_EVERY, again)


async def contained(answer: Awaitable[Any]) -> Any:
    try:
        return await answer
    except (KeyboardInterrupt, GeneratorExit) as error:
        if error.__traceback__ is not None and error.__traceback__.tb_next is None:
            raise  # the loop closes what it no longer runs
        # Ctrl-C reaches the event loop, never a handler: these are the handler's own, and would end the server.
        raise RuntimeError(f"{type(error).__name__} left the handler") from error


def cancelling() -> bool:
    """Whether this task was asked to stop, rather than a handler letting some other task's cancellation out."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


@contextlib.contextmanager
def deeper() -> Iterator[None]:
    """A tool within a tool; tools that invoke each other in a circle are stopped before the interpreter is."""
    if _depth.get() >= _MAX_DEPTH:
        raise RecursionError
    token = _depth.set(_depth.get() + 1)
    try:
        yield
    finally:
        _depth.reset(token)
