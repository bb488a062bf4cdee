"""Plugins' shared state: entered once per plugin and process, on first use, closed at the end."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import logging
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast, overload

from wekadocs_mcp.calls.call import Scope
from wekadocs_mcp.calls.discretion import neutral
from wekadocs_mcp.calls.telemetry import frames
from wekadocs_mcp.errors import ToolError

from .importing import Plugin, reason

log = logging.getLogger("wekadocs.plugins")
T = TypeVar("T")
_RETRY_AFTER = 5.0
_START_SECONDS = 10.0  # that a start may take before the time of the call that waits for it runs
_CLOSE_WITHIN, _END_WITHIN = 0.8, 0.3  # clients wait two seconds for a server to end, then they kill it


@dataclass
class Context:
    """What a plugin's lifespan gets: `settings` (its part of tools.yaml), `data_dir`, `scope` and `log`.

    `read_only`: nothing is to be changed; `serving`: not for a single call or a look by `doctor`.
    """

    settings: dict[str, Any]
    data_dir: Path
    scope: Scope  # the deployment's own, from tools.yaml
    log: logging.Logger
    _lifespans: Lifespans
    _plugin: str
    read_only: bool = False

    @property
    def serving(self) -> bool:
        return self._lifespans.serving

    @overload
    async def use(self, plugin: str) -> Any: ...

    @overload
    async def use(self, plugin: str, kind: type[T] | Callable[..., T]) -> T: ...  # to mypy a Protocol is no type[T]

    async def use(self, plugin: str, kind: Callable[..., object] = object) -> object:
        """Enter another plugin first and get what it yielded: a `kind`, which is a class or a runtime Protocol."""
        state = await self._lifespans.use(plugin, self._plugin)
        wanted = cast("type[object]", kind)
        if not isinstance(state, wanted):
            found = f"plugin `{plugin}` yields a {type(state).__qualname__}"
            raise TypeError(f"{found}, and plugin `{self._plugin}` needs a {wanted.__qualname__}")
        return state


class Lifespans:
    """Starts each plugin at most once at a time, in a task of its own, so that it is left where it was entered."""

    def __init__(self, plugins: dict[str, Plugin], data_dir: Path, scope: Scope, *, read_only: bool = False) -> None:
        self.serving = False
        self._read_only = read_only
        self._plugins = plugins
        self._data_dir = data_dir
        self._scope = scope
        self._running: dict[str, _Running] = {}
        self._waiting: dict[str, list[str]] = {}

    async def state(self, plugin: Plugin) -> object:
        """What the plugin's lifespan yielded; BACKEND_UNAVAILABLE if it fails."""
        if plugin.failure is not None:
            raise Down(plugin.name, plugin.failure, "it could not be loaded")
        if plugin.lifespan is None:
            return None
        running = self._running.get(plugin.name)
        if running is not None and running.is_up():
            return running.ready.result()
        if running is None or running.may_retry():
            running = self._running[plugin.name] = _Running(plugin, self.context(plugin))
        try:
            # Shielded: a caller that gives up does not stop a start that others wait for.
            return await asyncio.shield(running.ready)
        except asyncio.CancelledError:
            raise
        except ToolError as error:
            raise error.with_traceback(None) from None
        except Exception as error:
            raise _down(plugin, error) from error

    def is_up(self, plugin: Plugin) -> bool:
        running = self._running.get(plugin.name)
        return plugin.lifespan is None or (running is not None and running.is_up())

    async def start(self, plugin: Plugin) -> None:
        """Waits until it is up, but not for ever; why it is not, `state` tells."""
        with contextlib.suppress(ToolError, TimeoutError):
            async with asyncio.timeout(_START_SECONDS):
                await self.state(plugin)

    async def use(self, name: str, by: str) -> object:
        if name not in self._plugins:
            raise LookupError(f"plugin `{by}` needs plugin `{name}`, which is not enabled: add it to tools.yaml")
        if name == by:
            raise RecursionError(f"plugin `{by}` needs itself")
        circle = self._path(name, by)
        if circle:
            raise RecursionError(f"plugins need each other in a circle: {' → '.join([by, *circle])}")
        self._waiting.setdefault(by, []).append(name)
        try:
            return await self.state(self._plugins[name])
        finally:
            self._waiting[by].remove(name)

    def _path(self, start: str, end: str) -> list[str]:
        """Who waits for whom, from one plugin to another; empty if nobody does."""
        if start == end:
            return [end]
        for step in self._waiting.get(start, ()):
            if found := self._path(step, end):
                return [start, *found]
        return []

    def entered(self, plugin: Plugin) -> tuple[object, ...]:
        """What the plugin's lifespan yielded, alone in a tuple; empty where it has not been entered."""
        running = self._running.get(plugin.name)
        return (running.ready.result(),) if running is not None and running.is_up() else ()

    def failure(self, plugin: Plugin) -> Down | None:
        """Why this plugin's tools are down, as far as is known without starting it."""
        if plugin.failure is not None:
            return Down(plugin.name, plugin.failure, "it could not be loaded")
        running = self._running.get(plugin.name)
        error = running.ready.exception() if running is not None and running.ready.done() else None
        return _down(plugin, error) if error is not None else None

    def context(self, plugin: Plugin) -> Context:
        logger = logging.getLogger(f"wekadocs.plugin.{plugin.name}")
        return Context(
            dict(plugin.spec.settings), self._data_dir, self._scope, logger, self, plugin.name, self._read_only
        )

    async def close(self) -> None:
        """Leave every lifespan, last entered first, within a bounded time."""
        for running in sorted(self._running.values(), key=lambda each: each.entered_at, reverse=True):
            await running.close()
        self._running.clear()


class _Running:
    def __init__(self, plugin: Plugin, context: Context) -> None:
        self.plugin = plugin
        self.ready: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self.ready.add_done_callback(lambda future: future.cancelled() or future.exception())
        self._stop = asyncio.Event()
        self._failed_at = 0.0
        self._overdue = False  # it was told to end, and did not
        self.entered_at = math.inf
        # A context of its own: what a lifespan opens must not end with the deadline of the call that came first.
        name = f"lifespan of {plugin.name}"
        self._task = asyncio.create_task(self._run(context), name=name, context=contextvars.Context())

    def is_up(self) -> bool:
        return self.ready.done() and self.ready.exception() is None

    def may_retry(self) -> bool:
        failed = self.ready.done() and self.ready.exception() is not None
        return failed and time.monotonic() - self._failed_at > _RETRY_AFTER

    async def _run(self, context: Context) -> None:
        assert self.plugin.lifespan is not None
        try:
            async with _asynchronous(self.plugin.lifespan(context=context)) as state:
                self.entered_at = time.monotonic()
                self.ready.set_result(state)
                await self._stop.wait()
        except BaseException as error:
            # Nobody but us and Ctrl-C, which ends the loop, cancels it; that is no fault of the plugin.
            tell = log.debug if isinstance(error, asyncio.CancelledError) and not self._overdue else log.warning
            if not self.ready.done():
                self._failed_at = time.monotonic()
                self.ready.set_exception(error if isinstance(error, Exception) else _told(error))
                tell("plugin `%s` could not start: %s (%s)", self.plugin.name, reason(error), frames(error))
            else:
                tell("plugin `%s` did not close cleanly: %s", self.plugin.name, frames(error))

    async def close(self) -> None:
        self._stop.set()
        _, pending = await asyncio.wait([self._task], timeout=_CLOSE_WITHIN)
        self._overdue = bool(pending)
        for task in pending:
            task.cancel()
            await asyncio.wait([task], timeout=_END_WITHIN)


def _told(error: BaseException) -> RuntimeError:
    cancelled = isinstance(error, asyncio.CancelledError)
    return RuntimeError("start was cancelled" if cancelled else f"{type(error).__name__} left its lifespan")


def _asynchronous(manager: object) -> AbstractAsyncContextManager[object]:
    """A plain context manager serves too."""
    if isinstance(manager, AbstractAsyncContextManager):
        return manager
    if not isinstance(manager, AbstractContextManager):
        raise TypeError("lifespan must return a context manager: decorate it with @contextlib.asynccontextmanager")

    @contextlib.asynccontextmanager
    async def entered() -> AsyncIterator[object]:
        with manager as state:
            yield state

    return entered()


class Down(ToolError):
    """A plugin that could not start. A client is told that much; `why` is for the operator, `told` for anybody."""

    def __init__(self, plugin: str, why: str, told: str) -> None:
        what = f"plugin `{plugin}` could not start"
        message = f"This tool is not available now: its {what}. `wekadocs-mcp doctor` on the server tells why."
        super().__init__("BACKEND_UNAVAILABLE", message, {"reason": what}, retryable=True)
        self.why = why
        self.told = told


def _down(plugin: Plugin, error: BaseException) -> Down:
    why = error.why if isinstance(error, Down) else reason(error)
    told = error.message if isinstance(error, ToolError) else neutral(error)
    return Down(plugin.name, f"plugin `{plugin.name}` could not start: {why}", told)
