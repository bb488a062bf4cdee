"""Running a plugin's function: coroutines contained, plain functions in threads that keep their slot to the end."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import functools
import inspect
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from .budgets import Deadline, current_deadline

if TYPE_CHECKING:
    from .call import Call

# Threads of one tool: for its handler, where it is a plain function, and for what a coroutine hands over.
_HANDLERS, _HELPERS = 64, 4
_INTERRUPT_EVERY = 0.05
_MAX_DEPTH = 32
_depth: contextvars.ContextVar[int] = contextvars.ContextVar("wekadocs_depth", default=0)


class Threads(ThreadPoolExecutor):
    """An event loop's threads. What a call hands over is done in a few that belong to its tool: none waits for
    another's. What no call asked for shares the rest.
    """

    def __init__(self) -> None:
        super().__init__(thread_name_prefix="wekadocs")
        self._of_tools: dict[tuple[str, int], ThreadPoolExecutor] = {}

    def submit(self, work: Callable[..., object], /, *args: object, **keywords: object) -> Future[Any]:
        """asyncio asks for this: `to_thread`, `run_in_executor(None, …)`."""
        deadline = current_deadline()
        slot = deadline.slot if deadline is not None else None
        if deadline is None or slot is None or slot.free:
            return super().submit(work, *args, **keywords)
        return _noted(self._pool(deadline.tool, _HELPERS).submit(work, *args, **keywords), deadline)

    async def run(self, work: Callable[[], object], deadline: Deadline, name: str) -> Any:
        """A plain function in a thread. Given up on, it keeps its slot until it really ends."""
        future = _noted(self._pool(name, _HANDLERS).submit(contextvars.copy_context().run, _finished, work), deadline)
        try:
            returned = await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            end(deadline)
            raise
        except TimeoutError as error:
            raise future.exception() or error from None  # asyncio's copy has lost its place
        # Not asyncio's own iscoroutine: before Python 3.12 it takes a generator for one.
        return await returned if inspect.iscoroutine(returned) else returned

    def _pool(self, name: str, most: int) -> ThreadPoolExecutor:
        if (name, most) not in self._of_tools:
            self._of_tools[name, most] = ThreadPoolExecutor(most, thread_name_prefix=f"wekadocs-tool-{name}")
        return self._of_tools[name, most]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """With the event loop. A handler that never ends is not waited for."""
        for pool in self._of_tools.values():
            pool.shutdown(wait=False, cancel_futures=True)
        super().shutdown(wait=wait, cancel_futures=cancel_futures)


_of_loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Threads] = weakref.WeakKeyDictionary()


def threads() -> Threads:
    """Those of the running event loop, as its executor from now on."""
    loop = asyncio.get_running_loop()
    found = _of_loops.get(loop)
    if found is None:
        found = _of_loops[loop] = Threads()
        loop.set_default_executor(found)
    return found


def _noted(future: Future[object], deadline: Deadline) -> Future[Any]:
    """The call keeps its place until the thread is done, and its end is the thread's."""
    deadline.threads.append(future)
    slot = deadline.slot
    if slot is not None:
        slot.keep()
        future.add_done_callback(slot.thread_ended(asyncio.get_running_loop()))
    return future


def end(deadline: Deadline) -> None:
    """Ends what a call opened. A thread given up on may start another query or child: those too, until it is done."""
    deadline.end()
    if not all(future.done() for future in deadline.threads):
        asyncio.get_running_loop().call_later(_INTERRUPT_EVERY, end, deadline)


def _finished(work: Callable[[], object]) -> Any:
    try:
        return work()
    except (StopIteration, KeyboardInterrupt, GeneratorExit) as error:
        # A future cannot carry the first, and the others would end the server.
        raise RuntimeError(f"{type(error).__name__} left the function") from error


async def carry_out(
    function: Callable[..., Any], is_async: bool, keywords: dict[str, object], call: Call[object]
) -> Any:
    """A coroutine here, a plain function in a thread."""
    with call.deadline.current():
        if not is_async:
            return await threads().run(functools.partial(function, call, **keywords), call.deadline, call.tool)
        try:
            return await function(call, **keywords)
        except (KeyboardInterrupt, GeneratorExit) as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                raise  # the loop closes what it no longer runs
            # Ctrl-C reaches the event loop, never a handler: these are the handler's own, and would end the server.
            raise RuntimeError(f"{type(error).__name__} left the handler") from error


def is_coroutine(function: Callable[..., object]) -> bool:
    inner = inspect.unwrap(function)
    return inspect.iscoroutinefunction(inner) or inspect.iscoroutinefunction(type(inner).__call__)


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
