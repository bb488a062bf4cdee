"""Sessions of 2025-11-25 and older: the SDK's, with a shorter way from a request to its answer.

The SDK opens an event stream for every request before it knows the answer: three streams and five tasks. Here a request
waits for what the server says to it. Is the answer the first, it is sent whole, in the form of a stream with one
event; otherwise a stream begins. Whatever is not a plain request in an open session goes the SDK's way.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
from collections.abc import AsyncIterator, Hashable
from typing import Any

import anyio
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, authorization_context
from mcp.server.streamable_http import GET_STREAM_KEY, EventMessage, StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from wekadocs_mcp.transports import lists, messages
from wekadocs_mcp.transports.sdk.names import types
from wekadocs_mcp.transports.server import McpServer

from .guard import Scope
from .reading import MESSAGE, is_usual
from .reply import EVENT, EVENTS, PING, PING_EVERY, Reply, event
from .streams import LATE, Events, Inbox, Outbox

_opening: contextvars.ContextVar[Hashable] = contextvars.ContextVar("wekadocs_opening", default=None)
_HEAD_WITHIN = 1.0  # a client may give up on a server that does not even begin to answer


class Sessions(StreamableHTTPSessionManager):
    """The SDK's manager: who may use which session, how many there are, when they end."""

    def __init__(self, server: McpServer, max_sessions_per_peer: int, **settings: Any) -> None:
        super().__init__(app=server.sdk, **settings)
        self._server = server
        self._most = max_sessions_per_peer
        self._of: dict[Hashable, dict[str, Session]] = {}
        self.asgi_app = self._handle_request  # type: ignore[assignment]  # without its cap: the body is in hand

    async def _handle_stateful_request(self, scope: Any, receive: Any, send: Any) -> None:
        if b"mcp-session-id" not in scope["wekadocs.headers"]:
            _opening.set(scope["wekadocs.asker"][0])
        await super()._handle_stateful_request(scope, receive, send)

    def _make_room(self, peer: Hashable) -> None:
        """The peer's own sessions make room for a new one of it; where all are too many, those of who has most.

        First the oldest that was never used, then the one that nobody used for longest.
        """
        theirs = self._of.get(peer, {})
        if len(theirs) < self._most:
            if self.max_sessions is None or len(self._server_instances) < self.max_sessions:
                return
            theirs = max(self._of.values(), key=len, default={})
        idle = (each for each in theirs.values() if each.is_idle)
        session = next((each for each in theirs.values() if each.is_idle and not each.is_used), None)
        session = session or min(idle, key=lambda each: each.idle_since, default=None)
        if session is not None and self._task_group is not None:
            self._forget(session)
            self._task_group.start_soon(session.terminate)

    def _forget(self, session: Session) -> None:
        """At once, so that its place is free for whoever asks now."""
        session_id = str(session.mcp_session_id)
        self._server_instances.pop(session_id, None)
        self._session_owners.pop(session_id, None)
        theirs = self._of.get(session.peer, {})
        theirs.pop(session_id, None)
        if not theirs:
            self._of.pop(session.peer, None)

    def _admit_session(self, requestor: Any) -> Any:
        peer = _opening.get()
        self._make_room(peer)
        if len(self._of.get(peer, ())) >= self._most:
            return None
        admitted = super()._admit_session(requestor)
        if admitted is None or admitted.mcp_session_id is None:
            return admitted
        session = Session(self._server, admitted.mcp_session_id, self.json_response, self.session_idle_timeout)
        self._server_instances[admitted.mcp_session_id] = session
        self._of.setdefault(peer, {})[admitted.mcp_session_id] = session
        session.peer = peer
        return session

    async def _discard_session(self, session_id: str, transport: Any) -> None:
        self._forget(transport)
        await super()._discard_session(session_id, transport)

    def found(self, scope: Scope) -> Session | None:
        """The session that a request belongs to, if it is open and theirs who ask; the SDK refuses the others."""
        user = scope.get("user")
        session_id = scope["wekadocs.headers"].get(b"mcp-session-id", b"").decode("latin-1")
        session: Any = self._server_instances.get(session_id)
        if session is None or session.is_terminated or (session.idle_scope and session.idle_scope.cancel_called):
            return None
        requestor = authorization_context(user) if isinstance(user, AuthenticatedUser) else None
        return session if requestor == self._session_owners.get(session_id) else None


class Session(StreamableHTTPServerTransport):
    """One client's session."""

    def __init__(self, server: McpServer, session_id: str, only_json: bool, idle_timeout: float | None) -> None:
        super().__init__(session_id, is_json_response_enabled=only_json, idle_timeout=idle_timeout)
        self._lists = server.lists
        self._headers = [(b"mcp-session-id", session_id.encode())]
        self._inbox = Inbox()
        self._listed: tuple[Any, Any] | None = None  # the question, and the tools it was answered with
        self.is_used = False  # beyond its being opened
        self.peer: Hashable = None

    @property
    def is_idle(self) -> bool:
        return not self._requests_in_flight and self.idle_scope is not None

    @property
    def idle_since(self) -> float:
        return self.idle_scope.deadline if self.idle_scope is not None else 0.0

    @contextlib.asynccontextmanager
    async def connect(self) -> AsyncIterator[Any]:
        if self._idle_timeout is not None:
            self.idle_scope = anyio.CancelScope()
        only_answers = self.is_json_response_enabled
        outbox: Any = Outbox(self._request_streams, GET_STREAM_KEY, only_answers, EventMessage)
        inbox: Any = self._inbox
        self._read_stream_writer = self._read_stream = inbox
        self._write_stream = self._write_stream_reader = outbox
        try:
            yield inbox, outbox
        finally:
            for request_id in list(self._request_streams):
                await self._clean_up_memory_streams(request_id)
            await inbox.aclose()

    async def _handle_post_request(self, scope: Any, request: Any, receive: Any, send: Any) -> None:
        message = scope[MESSAGE]
        if (
            message is None
            or message["method"] == "initialize"
            or self.is_json_response_enabled
            or self._inbox.is_closed
            or scope["wekadocs.headers"].get(b"mcp-session-id") != self._headers[0][1]
            or not is_usual(scope)
        ):
            await super()._handle_post_request(scope, request, receive, send)
            return
        self.is_used = True
        await self._answer(request, message, Reply(send, self._headers))

    async def _answer(self, request: Any, message: dict[str, Any], reply: Reply) -> None:
        request_id = str(message["id"])
        if request_id in self._request_streams:
            await self._clean_up_memory_streams(request_id)  # an id used twice: the earlier request gets no answer
        events = Events()
        mine: Any = (events, events)
        self._request_streams[request_id] = mine
        try:
            parsed = types.JSONRPCRequest(**message)
            # The version only matters to streams that can be resumed, which need a store that is not configured.
            self._inbox.put(self._create_session_message(parsed, request, request_id, ""))
            answer = await _relayed(events, reply, request.receive)
        finally:
            events.close()
            if self._request_streams.get(request_id) is mine:
                del self._request_streams[request_id]
        if message["method"] == "tools/list" and isinstance(answer, types.JSONRPCResponse):
            asked = lists.question(message.get("params"))
            self._listed = (asked, answer.result.get("tools")) if lists.is_short(asked) else None

    def listed(self, message: dict[str, Any]) -> bytes | None:
        """The list from memory: this very question was answered in this session, and nothing changed."""
        if self._listed is None or self._listed[0] != lists.question(message.get("params")):
            return None
        return self._lists.rendered(self._listed[1])

    async def send_list(self, request_id: Any, rendered: bytes, send: Any) -> None:
        if self.idle_scope is not None and self._idle_timeout is not None and not self._requests_in_flight:
            self.idle_scope.deadline = anyio.current_time() + self._idle_timeout
        reply = Reply(send, self._headers)
        await reply.whole(rendered, EVENTS, start=EVENT + lists.before(request_id))


async def _relayed(events: Events, reply: Reply, receive: Any) -> Any:
    """All that the server says to a request, up to the answer; None when the session or the client left before it."""
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
                return item.message
            await reply.send(frame)
    finally:
        if watching is not None:
            watching.cancel()
    await reply.end()
    return None


async def _end_with_client(receive: Any, events: Events) -> None:
    """In this era a client that hangs up does not cancel its call; but nobody waits for the answer any more."""
    while (await receive())["type"] != "http.disconnect":
        pass
    events.close()
