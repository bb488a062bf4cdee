"""Sessions of 2025-11-25 and older, with a shorter way from a request to its answer.

The SDK opens an event stream for every request before it knows the answer: three streams and five tasks. Here a request
waits for what the server says to it. Is the answer the first, it is sent whole, in the form of a stream with one
event; otherwise a stream begins. Whatever is not a plain request in an open session goes the SDK's way.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import Any

import anyio
from starlette.requests import Request

from wekadocs_mcp.transports import messages
from wekadocs_mcp.transports.sdk.names import types
from wekadocs_mcp.transports.sdk.private import GENERAL, Event, OpenManager, OpenTransport
from wekadocs_mcp.transports.server import McpServer

from .guard import Receive, Scope, Send
from .reading import MESSAGE, is_usual
from .reply import PING, PING_EVERY, Reply, event
from .streams import LATE, Events, Inbox, Outbox

_HEAD_WITHIN = 1.0  # a client may give up on a server that does not even begin to answer


def manager(server: McpServer, settings: Mapping[str, Any]) -> OpenManager:
    """The SDK's, with our sessions in it."""

    def make(session_id: str) -> QuickSession:
        return QuickSession(session_id, settings["json_response"], idle_timeout=settings["session_idle_timeout"])

    return OpenManager(make, server.sdk, **settings)


class QuickSession(OpenTransport):
    """One client's session."""

    def __init__(self, session_id: str, only_json: bool, idle_timeout: float | None) -> None:
        super().__init__(session_id, is_json_response_enabled=only_json, idle_timeout=idle_timeout)
        self._headers = [(b"mcp-session-id", session_id.encode())]
        self._inbox = Inbox()
        self._ends_when_idle = idle_timeout is not None

    @contextlib.asynccontextmanager
    async def connect(self) -> AsyncIterator[Any]:
        if self._ends_when_idle:
            self.idle_scope = anyio.CancelScope()
        outbox = Outbox(self.waiting, GENERAL, self.is_json_response_enabled, Event)
        self.join(self._inbox, outbox)
        try:
            yield self._inbox, outbox
        finally:
            for request_id in list(self.waiting):
                await self.drop(request_id)
            await self._inbox.aclose()

    async def take(self, scope: Scope, request: Request, send: Send) -> bool:
        message = scope[MESSAGE]
        if (
            message is None
            or message["method"] == "initialize"
            or self.is_json_response_enabled
            or self._inbox.is_closed
            or scope["wekadocs.headers"].get(b"mcp-session-id") != self._headers[0][1]
            or not is_usual(scope)
        ):
            return False
        await self._answer(request, message, Reply(send, self._headers))
        return True

    async def _answer(self, request: Request, message: dict[str, Any], reply: Reply) -> None:
        request_id = str(message["id"])
        if request_id in self.waiting:
            await self.drop(request_id)  # an id used twice: the earlier request gets no answer
        events = Events()
        self.waiting[request_id] = mine = (events, events)
        try:
            self._inbox.put(self.received(types.JSONRPCRequest(**message), request))
            await _relayed(events, reply, request.receive)
        finally:
            events.close()
            if self.waiting.get(request_id) is mine:
                del self.waiting[request_id]


async def _relayed(events: Events, reply: Reply, receive: Receive) -> None:
    """All that the server says to a request, up to the answer, or until the session or the client leaves."""
    within, watching = _HEAD_WITHIN, None
    try:
        while (item := await events.receive(within)) is not None:
            if item is LATE:
                within, watching = PING_EVERY, watching or asyncio.create_task(_end_with_client(receive, events))
                await reply.send(PING)
                continue
            frame = event(messages.write(item.message))
            if isinstance(item.message, types.JSONRPCResponse | types.JSONRPCError):
                await reply.end(frame)
                return
            await reply.send(frame)
    finally:
        if watching is not None:
            watching.cancel()
    await reply.end()


async def _end_with_client(receive: Receive, events: Events) -> None:
    """In this era a client that hangs up does not cancel its call; but nobody waits for the answer any more."""
    while (await receive())["type"] != "http.disconnect":
        pass
    events.close()
