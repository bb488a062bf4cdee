"""`tools/list` asked again: sent from memory at the cost of its bytes.

The SDK answers every question once; the same question (for 2026-07-28, parameters and headers alike; before that, the
parameters within a session) gets the same list as long as it has not changed. Whatever is not exactly such a question
passes through untouched.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from wekadocs_mcp.transports import lists
from wekadocs_mcp.transports.fast_door.door import MODERN_VERSION
from wekadocs_mcp.transports.server import LISTED, McpServer

from .guard import Asgi, Message, Receive, Scope, Send
from .reading import MESSAGE, is_usual
from .reply import EVENT, EVENTS, JSON, Reply
from .sessions import Session, Sessions, is_older

_MAX_REMEMBERED = 256
_MODERN = MODERN_VERSION.encode()


class ListAgain:
    """In front of the MCP endpoint, behind the door that checks Host, Origin and token."""

    def __init__(
        self, app: Asgi, server: McpServer, sessions: Sessions, is_fresh: Callable[[str], bool] = lambda _: True
    ) -> None:
        """`is_fresh`: whether a session may be taken for open without looking whether it ended elsewhere."""
        self._app = app
        self._sessions = sessions
        self._is_fresh = is_fresh
        self._lists = server.lists
        self._asked: set[tuple[Any, ...]] = set()
        self._tools: Any = None  # those that whoever is in `_asked` was told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        message = scope[MESSAGE]
        version = scope["wekadocs.headers"].get(b"mcp-protocol-version")
        if message is None or message["method"] != "tools/list":
            await self._app(scope, receive, send)
        elif version == _MODERN:
            await self._modern(scope, receive, send)
        elif is_older(scope["wekadocs.headers"]) and is_usual(scope) and (session := self._sessions.found(scope)):
            await self._older(session, scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _older(self, session: Session, scope: Scope, receive: Receive, send: Send) -> None:
        message = scope[MESSAGE]
        asked = lists.question(message.get("params"))
        before, tools = session.listed or (None, None)
        is_asked_again = tools is not None and before == asked and self._is_fresh(session.id.decode("latin-1"))
        rendered = self._lists.rendered(tools) if is_asked_again else None
        if rendered is not None:
            reply = Reply(send, [(b"mcp-session-id", session.id)])
            await reply.whole(rendered, EVENTS, start=EVENT + lists.before(message["id"]))
            return
        seen = _Seen(send)
        await self._app(scope, receive, seen)
        is_worth_it = seen.kind.startswith(EVENTS[0][1]) and LISTED in scope and lists.is_short(asked)
        session.listed = (asked, scope[LISTED]) if is_worth_it else None

    async def _modern(self, scope: Scope, receive: Receive, send: Send) -> None:
        message = scope[MESSAGE]
        question = _question(message, scope["headers"])
        rendered = self._lists.rendered(self._tools) if question in self._asked else None
        if rendered is not None:
            await Reply(send).whole(rendered, JSON, start=lists.before(message["id"]))
            return
        seen = _Seen(send)
        await self._app(scope, receive, seen)
        if seen.kind == JSON[0][1] and lists.is_short(question[0]):
            self._remember(question)

    def _remember(self, question: tuple[object, ...]) -> None:
        tools = self._lists.tools(MODERN_VERSION)
        if tools is not self._tools or len(self._asked) >= _MAX_REMEMBERED:
            self._asked.clear()
        self._tools = tools
        if tools is not None:
            self._asked.add(question)


class _Seen:
    """Passes an answer on, and knows of which kind it was, if it was a good one."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.kind = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.kind = dict(message["headers"]).get(b"content-type", b"") if message["status"] == 200 else b""
        await self._send(message)


def _question(message: dict[str, object], headers: list[tuple[bytes, bytes]]) -> tuple[Any, ...]:
    """All that the answer depends on."""
    asked = json.dumps(lists.question(message.get("params")))
    return asked, *(pair for pair in headers if pair[0].startswith(b"mcp-") or pair[0] in (b"accept", b"content-type"))
