"""What every function of a plugin runs inside, be it a tool's, a resource's or a prompt's: state, deadline, outbox.

What comes out is its answer, a ToolError or ProtocolError in words for the caller, or the caller's own cancellation.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from wekadocs_mcp.errors import ProtocolError, ToolError, internal_error
from wekadocs_mcp.plugins.importing import Plugin
from wekadocs_mcp.plugins.lifespans import Lifespans

from .answers import BrokenPromise
from .budgets import timeout_error
from .call import Call
from .running import cancelling, end, threads
from .telemetry import frames
from .watching import watch

log = logging.getLogger("wekadocs.dispatch")
R = TypeVar("R")
T = TypeVar("T")


class Pipeline:
    """Of one app."""

    def __init__(self, lifespans: Lifespans, dev: bool) -> None:
        self._lifespans = lifespans
        self._dev = dev
        self._loop: asyncio.AbstractEventLoop | None = None  # where it served last

    async def run(
        self, call: Call[object], plugin: Plugin, work: Callable[[Call[object]], Awaitable[R]], finish: Callable[[R], T]
    ) -> T:
        """`finish(await work(call))` with the plugin's state, before the call's deadline; its messages sent."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._begin(loop)
        try:
            async with asyncio.timeout_at(loop.time() + call.deadline.remaining()) as timer:
                call.state = await self._lifespans.state(plugin)
                returned = await work(call)
                if timer.expired():
                    raise TimeoutError  # a handler that swallowed its cancellation is late all the same
                finished = finish(returned)
                if call._outbox is not None:
                    await call._outbox.drain()
                return finished
        except (ToolError, ProtocolError):
            raise
        except TimeoutError as error:
            if not timer.expired():
                raise self._our_fault(call, plugin, error) from error
            end(call.deadline)
            raise timeout_error(call.deadline.seconds) from None
        except asyncio.CancelledError as error:
            if not cancelling():
                raise self._our_fault(call, plugin, error) from error
            end(call.deadline)
            raise
        except (Exception, SystemExit) as error:
            raise self._our_fault(call, plugin, error) from error
        finally:
            if call._outbox is not None:
                call._outbox.close()

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._loop is None:
            watch.enter()
        self._loop = loop
        threads()  # also a coroutine's `to_thread` runs in those

    def close(self) -> None:
        if self._loop is not None:
            watch.leave()
        self._loop = None

    def _our_fault(self, call: Call[object], plugin: Plugin, error: BaseException) -> ToolError:
        told = internal_error()
        told.why = what = str(error) if isinstance(error, BrokenPromise) else frames(error)
        log.error("id=%s plugin=%s tool=%s %s", told.details["id"], plugin.name, call.tool, what)
        if self._dev:
            log.error("id=%s", told.details["id"], exc_info=error)
        return told
