"""`tools/call` of a 2026-07-28 client, run in the request's own task.

The SDK starts two tasks and a stream for each call, in case it takes long or has something to say before its answer.
Here those come into being when they are needed. The checks are the SDK's; a call that fails one of them, or is in any
way out of the ordinary, goes the SDK's way and is refused in its words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import anyio
from mcp.server._streamable_http_modern import (
    _SingleExchangeDispatchContext,
    _sse_event,
    _to_jsonrpc_response,
    _write,
)
from mcp.server.connection import Connection
from mcp.server.runner import serve_one
from mcp.shared.inbound import InboundModernRoute, classify_inbound_request
from mcp.shared.jsonrpc_dispatcher import progress_token_from_params
from mcp.shared.transport_context import TransportContext
from starlette.requests import Request

from wekadocs_mcp.transports import messages
from wekadocs_mcp.transports.fast_door.door import MODERN_VERSION
from wekadocs_mcp.transports.sdk.names import ServerMessageMetadata, types
from wekadocs_mcp.transports.server import McpServer

from .guard import Asgi, Scope
from .reading import MESSAGE, is_usual
from .reply import JSON, PING, PING_EVERY, Reply

_ROUTING = ("mcp-protocol-version", "mcp-method", "mcp-name")


class Calls:
    """In front of the SDK's endpoint."""

    def __init__(self, app: Asgi, server: McpServer, lifespan_state: Callable[[], Any]) -> None:
        self._app = app
        self._server = server
        self._lifespan_state = lifespan_state

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
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
        verdict = classify_inbound_request(message, headers=routing)
        return verdict if isinstance(verdict, InboundModernRoute) else None

    async def _call(self, scope: Scope, receive: Any, send: Any, route: InboundModernRoute) -> None:
        message = scope[MESSAGE]
        reply = Reply(send)
        with anyio.CancelScope() as running:
            attendant = _Attendant(receive, reply, running.cancel)
            try:
                answer = await self._answer(Request(scope, receive), message, route, reply)
            finally:
                attendant.leave()
        if running.cancel_called:
            return  # nobody is there to hear it
        if reply.is_stream:
            await reply.end(_sse_event(answer))
        elif isinstance(answer, types.JSONRPCError):
            await _write(answer, scope, receive, send)
        else:
            await reply.whole(messages.write(answer), JSON)

    async def _answer(self, request: Request, message: dict[str, Any], route: InboundModernRoute, reply: Reply) -> Any:
        request_id, params = message["id"], message["params"]
        context = _SingleExchangeDispatchContext(
            transport=TransportContext(kind="streamable-http", can_send_request=False, headers=request.headers),
            request_id=request_id,
            message_metadata=ServerMessageMetadata(request_context=request),
            progress_token=progress_token_from_params(params),
            sink=reply,  # type: ignore[arg-type]  # all it is asked for is `send`
        )
        connection = Connection.from_envelope(route.protocol_version, route.client_info, route.client_capabilities)
        state = self._lifespan_state()
        serving = serve_one(
            self._server.sdk, context, "tools/call", params, connection=connection, lifespan_state=state
        )
        return await _to_jsonrpc_response(request_id, serving)


class _Attendant:
    """Looks after a call from the moment it first waits for something: a client that leaves, a line that falls idle."""

    def __init__(self, receive: Any, reply: Reply, cancel: Callable[[], None]) -> None:
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
