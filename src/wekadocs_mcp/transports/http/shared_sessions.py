"""Sessions of 2025-11-25 and older at any server of a deployment, where a plugin keeps them for all.

A session that another server opened is opened here too, with the message its client opened it with; one that ended
elsewhere ends here at its next use. What a server has under way for a client stays with that server: a stream, a
question to the user, the cancelling of a call.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

from wekadocs_mcp.errors import ToolError
from wekadocs_mcp.plugins.shared_sessions import SharedSessions
from wekadocs_mcp.transports.sdk.private import opened_as

from .guard import Message, Receive, Scope, Send, say
from .reading import MESSAGE
from .sessions import Sessions, is_older

log = logging.getLogger("wekadocs.http")
_ASK_AGAIN_AFTER = 5.0  # seconds in which a session that ended elsewhere may still be used here
_UNKNOWN = say(404, "Session not found")
_DOWN = say(503, "Sessions cannot be looked up now. Try again in a few seconds.", [(b"retry-after", b"2")])
_INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
_HEADERS = [(b"content-type", b"application/json"), (b"accept", b"application/json, text/event-stream")]


class SharedByServers:
    """In front of this server's own sessions."""

    def __init__(
        self, own: Sessions, life: float, most: int, kept: AbstractAsyncContextManager[SharedSessions]
    ) -> None:
        self._own = own
        self._kept = kept
        self._shared: SharedSessions | None = None
        self._life = life
        self._most = most
        self._locks: dict[str, asyncio.Lock] = {}
        self._seen: dict[str, float] = {}  # when a session was last known to be open

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            try:
                self._shared = await stack.enter_async_context(self._kept)
            except Exception as error:
                log.warning("sessions are this server's own: %s", error)
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = scope["wekadocs.headers"]
        shared = self._shared if is_older(headers) else None
        session_id = headers.get(b"mcp-session-id", b"").decode("latin-1")
        if shared is None:
            await self._own(scope, receive, send)
        elif not session_id:
            await self._begin(shared, scope, receive, send)
        else:
            await self._use(shared, session_id, scope, receive, send)

    async def _begin(self, shared: SharedSessions, scope: Scope, receive: Receive, send: Send) -> None:
        body = (await receive()).get("body", b"")

        async def remembered(message: Message) -> None:
            opened = dict(message.get("headers", ())).get(b"mcp-session-id")
            if message["type"] == "http.response.start" and opened and message["status"] < 400:
                await self._remember(shared, opened.decode("latin-1"), scope, body)
            await send(message)

        await self._own(scope, _once(body, receive), remembered)

    async def _remember(self, shared: SharedSessions, session_id: str, scope: Scope, body: bytes) -> None:
        """Before its client knows of it: the next request may go to another server."""
        self._note(session_id)
        owner, peer = scope["wekadocs.principal"], repr(scope["wekadocs.asker"][0])
        with contextlib.suppress(ToolError):  # told in the log; the session works here
            await shared.remember(session_id, owner, peer, body, self._life, self._most)

    async def _use(self, shared: SharedSessions, session_id: str, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._locks.setdefault(session_id, asyncio.Lock()):
            is_known: bool | None
            try:
                is_known = await self._is_known(shared, session_id, scope)
            except ToolError:
                is_known = self._own.has(session_id) or None
            finally:
                self._locks.pop(session_id, None)
        if not is_known:
            await (_UNKNOWN if is_known is False else _DOWN)(scope, receive, send)
            return
        if scope["method"] == "DELETE":  # before its client is told so, and may ask another server
            with contextlib.suppress(ToolError):
                await shared.forget(session_id)
        await self._own(scope, receive, send)

    def is_fresh(self, session_id: str) -> bool:
        """Whether it was known to be open a moment ago, so that the other servers need not be asked."""
        age = self._now() - self._seen.get(session_id, float("-inf"))
        return self._shared is None or age < _ASK_AGAIN_AFTER

    async def _is_known(self, shared: SharedSessions, session_id: str, scope: Scope) -> bool:
        here = self._own.has(session_id)
        is_ending = scope["method"] == "DELETE"  # by its owner only
        if here and not is_ending and self.is_fresh(session_id):
            return True
        opening = await shared.recall(session_id, scope["wekadocs.principal"], self._life)
        if opening is None:
            self._seen.pop(session_id, None)
            return False
        self._note(session_id)
        return here or await self._opened_here(session_id, opening, scope)

    async def _opened_here(self, session_id: str, opening: bytes, scope: Scope) -> bool:
        with opened_as(session_id):
            await self._post(scope, opening, [])
        if self._own.has(session_id):
            await self._post(scope, json.dumps(_INITIALIZED).encode(), [(b"mcp-session-id", session_id.encode())])
        return self._own.has(session_id)

    async def _post(self, scope: Scope, body: bytes, more: list[tuple[bytes, bytes]]) -> None:
        """In the client's name, as it once did itself."""
        headers = [*_HEADERS, *more]
        given = {**scope, "method": "POST", "headers": headers, "wekadocs.headers": dict(headers), MESSAGE: None}
        await self._own(given, _once(body, _never), _unheard)

    def _note(self, session_id: str) -> None:
        now = self._now()
        self._seen[session_id] = now
        while len(self._seen) > self._most or now - next(iter(self._seen.values())) > self._life:
            del self._seen[next(iter(self._seen))]

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


def _once(body: bytes, then: Receive) -> Receive:
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return waiting.pop() if waiting else await then()

    return receive


async def _never() -> Message:
    await asyncio.Event().wait()
    raise AssertionError


async def _unheard(_: Message) -> None:
    """Nobody waits for the answer."""
