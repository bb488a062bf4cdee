"""`tools/call` of a 2026-07-28 client, run in the request's own task.

The SDK starts two tasks and a stream for each call, in case it takes long or has something to say before its answer.
Here those come into being when they are needed. The checks are the SDK's; a call that fails one of them, or is in any
way out of the ordinary, goes the SDK's way and is refused in its words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import anyio
from starlette.requests import Request

from wekadocs_mcp.transports import messages
from wekadocs_mcp.transports.fast_door.door import MODERN_VERSION
from wekadocs_mcp.transports.sdk.names import types
from wekadocs_mcp.transports.sdk.private import Exchanges
from wekadocs_mcp.transports.server import McpServer

from .guard import Asgi, Receive, Scope, Send
from .reading import MESSAGE, is_usual
from .reply import JSON, PING, PING_EVERY, Reply, event

if TYPE_CHECKING:
    from mcp.shared.inbound import InboundModernRoute

_ROUTING = ("mcp-protocol-version", "mcp-method", "mcp-name")


class Calls:
    """In front of the SDK's endpoint."""

    def __init__(self, app: Asgi, server: McpServer) -> None:
        self._app = app
        self._server = server
        self._exchanges = Exchanges(server.sdk)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        route = self._route(scope)
        if route is None:
            await self._app(scope, receive, send)
        else:
            await self._call(scope, receive, send, route)

    def _route(self, scope: Scope) -> InboundModernRoute | None:
        message, headers = scope[MESSAGE], scope["wekadocs.headers"]
        if (
            message is None
            or message["method"] != "tools/call"
            or headers.get(b"mcp-protocol-version") != MODERN_VERSION.encode()
            or not is_usual(scope)
            or self._server.mirrors_arguments(message.get("params", {}).get("name"))
        ):
            return None
        routing = {name: value.decode("latin-1") for name in _ROUTING if (value := headers.get(name.encode()))}
        return self._exchanges.route(message, routing)

    async def _call(self, scope: Scope, receive: Receive, send: Send, route: InboundModernRoute) -> None:
        reply = Reply(send)

        async def notify(message: types.JSONRPCNotification) -> None:
            await reply.send(event(messages.write(message)))

        with anyio.CancelScope() as running:
            attendant = _Attendant(receive, reply, running.cancel)
            try:
                answer = await self._exchanges.answer(Request(scope, receive), scope[MESSAGE], route, notify)
            finally:
                attendant.leave()
        if running.cancel_called:
            return  # nobody is there to hear it
        raw = messages.write(answer)
        if reply.is_stream:
            await reply.end(event(raw))
        else:
            code = answer.error.code if isinstance(answer, types.JSONRPCError) else 0
            await reply.whole(raw, JSON, status=self._exchanges.status(code))


class _Attendant:
    """Looks after a call from the moment it first waits for something: a client that leaves, a line that falls idle."""

    def __init__(self, receive: Receive, reply: Reply, cancel: Callable[[], None]) -> None:
        self._receive = receive
        self._reply = reply
        self._cancel = cancel
        self._loop = asyncio.get_running_loop()
        # A call that never waits is over before the loop gets to this.
        self._next: asyncio.Handle = self._loop.call_soon(self._come)
        self._tasks: list[asyncio.Task[None]] = []

    def _come(self) -> None:
        self._tasks.append(self._loop.create_task(self._watch()))
        self._next = self._loop.call_later(PING_EVERY, self._ping)

    async def _watch(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._cancel()

    def _ping(self) -> None:
        self._tasks[1:] = [self._loop.create_task(self._reply.send(PING))]
        self._next = self._loop.call_later(PING_EVERY, self._ping)

    def leave(self) -> None:
        self._next.cancel()
        for task in self._tasks:
            task.cancel()
