"""Sessions of 2025-11-25 and older: who has which open, and whose makes room for a new one.

The SDK knows how many sessions there are, not whose. They are counted here as they pass, and ended as a client would
end them: with a DELETE.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from wekadocs_mcp.transports.fast_door.door import HANDSHAKE_VERSIONS
from wekadocs_mcp.transports.sdk.names import types

from .guard import Asgi, Message, Receive, Scope, Send, say
from .reading import MESSAGE

OLDER = frozenset(version.encode() for version in HANDSHAKE_VERSIONS)
_LATE = 1.0  # seconds: so long after the SDK ended a session it is forgotten here
_FULL = say(503, "Too many open sessions", code=types.INTERNAL_ERROR)


@dataclass(eq=False)
class Session:
    """One client's session, from the request that opens it on."""

    peer: Hashable
    user: object
    id: bytes = b""
    under_way: int = 1
    is_used: bool = False  # beyond its being opened
    idle_since: float = 0.0
    listed: tuple[Any, Any] | None = None  # the question, and the tools it was answered with


class Sessions:
    """In front of the SDK's manager."""

    def __init__(self, app: Asgi, settings: Mapping[str, Any], ended: Callable[[str], None]) -> None:
        self._app = app
        self._most: int = settings["max_sessions"]
        self._most_per_peer: int = settings["http"]["max_sessions_per_peer"]
        self._idle_seconds: float = settings["session_idle_seconds"]
        self._ended = ended
        self._of: dict[Hashable, dict[Session, None]] = {}  # in the order they were opened
        self._count = 0
        self._open: dict[bytes, Session] = {}
        self._idle: dict[Session, None] = {}  # in order, the one that nobody used for longest first

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, message = scope["wekadocs.headers"], scope[MESSAGE]
        session = self._open.get(headers.get(b"mcp-session-id", b""))
        if session is not None and session.user is scope.get("user") and is_older(headers):
            await self._use(session, scope, receive, send)
        elif (
            scope["method"] == "POST"
            and b"mcp-session-id" not in headers
            and is_older(headers)
            and (message is None or message["method"] == "initialize")
        ):
            await self._begin(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def has(self, session_id: str) -> bool:
        """Whether it is open here, as far as can be told without asking the SDK."""
        session = self._open.get(session_id.encode("latin-1"))
        return session is not None and (session.under_way > 0 or self._idle_for(session) < self._idle_seconds)

    def found(self, scope: Scope) -> Session | None:
        """The session that a request belongs to, if it is theirs who ask and the SDK surely has it open."""
        session = self._open.get(scope["wekadocs.headers"].get(b"mcp-session-id", b""))
        if session is None or session.user is not scope.get("user"):
            return None
        is_open = session.under_way or self._idle_for(session) < self._idle_seconds / 2
        return session if is_open else None

    async def _use(self, session: Session, scope: Scope, receive: Receive, send: Send) -> None:
        session.under_way += 1
        self._idle.pop(session, None)
        session.is_used = session.is_used or scope[MESSAGE] is not None
        watched = _Head(send) if scope["method"] == "DELETE" else None
        try:
            await self._app(scope, receive, watched or send)
        finally:
            self._rest(session)
            if watched is not None and watched.is_good:
                self._forget(session)

    async def _begin(self, scope: Scope, receive: Receive, send: Send) -> None:
        session = Session(scope["wekadocs.asker"][0], scope.get("user"))
        leaving = self._leaving(session.peer)
        if leaving is None and len(self._of.get(session.peer, ())) >= self._most_per_peer:
            await _FULL(scope, receive, send)
            return
        self._of.setdefault(session.peer, {})[session] = None
        self._count += 1
        try:
            if leaving is not None:
                await self._end(leaving, scope)
            await self._app(scope, receive, _Head(send, lambda given: self._opened(session, given)))
        finally:
            self._rest(session) if session.id else self._forget(session)

    def _opened(self, session: Session, session_id: bytes) -> None:
        session.id = session_id
        self._open[session_id] = session

    def _rest(self, session: Session) -> None:
        session.under_way -= 1
        if not session.under_way and session in self._of.get(session.peer, ()):
            session.idle_since = asyncio.get_running_loop().time()
            self._idle[session] = None

    def _idle_for(self, session: Session) -> float:
        return asyncio.get_running_loop().time() - session.idle_since

    def _leaving(self, peer: Hashable) -> Session | None:
        """The peer's own sessions make room for a new one of it; where all are too many, those of who has most.

        First the oldest that was never used, then the one that nobody used for longest.
        """
        while self._idle and self._idle_for(oldest := next(iter(self._idle))) > self._idle_seconds + _LATE:
            self._forget(oldest)
        theirs = self._of.get(peer, {})
        if len(theirs) < self._most_per_peer:
            if self._count < self._most:
                return None
            theirs = max(self._of.values(), key=len, default={})
        unused = (each for each in theirs if each in self._idle and not each.is_used)
        idle = (each for each in theirs if each in self._idle)
        return next(unused, None) or min(idle, key=lambda each: each.idle_since, default=None)

    def _forget(self, session: Session) -> None:
        """At once, so that its place is free for whoever asks now."""
        theirs = self._of.get(session.peer, {})
        if session not in theirs:
            return
        del theirs[session]
        self._count -= 1
        self._idle.pop(session, None)
        self._open.pop(session.id, None)
        if not theirs:
            del self._of[session.peer]
        self._ended(session.id.decode("latin-1"))

    async def _end(self, session: Session, scope: Scope) -> None:
        """In its owner's name: the SDK would refuse anybody else."""
        self._forget(session)
        headers = [(b"mcp-session-id", session.id)]
        given = {**scope, "method": "DELETE", "headers": headers, "wekadocs.headers": dict(headers), MESSAGE: None}
        await self._app({**given, "user": session.user} if session.user else given, _left, _unheard)


class _Head:
    """Passes an answer on, and knows whether it was a good one and which session it opened."""

    def __init__(self, send: Send, opened: Callable[[bytes], None] | None = None) -> None:
        self._send = send
        self._opened = opened
        self.is_good = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.is_good = message["status"] < 400
            session_id = dict(message["headers"]).get(b"mcp-session-id")
            if self.is_good and session_id and self._opened is not None:
                self._opened(session_id)
        await self._send(message)


def is_older(headers: Mapping[bytes, bytes]) -> bool:
    """Whether the SDK takes the request for one of the older era."""
    version = headers.get(b"mcp-protocol-version")
    return version is None or version in OLDER


async def _left() -> Message:
    return {"type": "http.disconnect"}


async def _unheard(_: Message) -> None:
    """Nobody waits for the answer."""
