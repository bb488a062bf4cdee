"""`tools/list` asked again: sent from memory at the cost of its bytes.

The SDK answers every question once; the same question (for 2026-07-28, parameters and headers alike; before that, the
parameters within a session) gets the same list as long as it has not changed. Whatever is not exactly such a question
passes through untouched.
"""

from __future__ import annotations

import json
from typing import Any

from wekadocs_mcp.transports import lists
from wekadocs_mcp.transports.fast_door.door import HANDSHAKE_VERSIONS, MODERN_VERSION
from wekadocs_mcp.transports.server import McpServer

from .guard import Asgi, Scope
from .reading import MESSAGE, is_usual
from .reply import JSON, Reply
from .sessions import Sessions

_MAX_REMEMBERED = 256
_MODERN = MODERN_VERSION.encode()
_OLDER = frozenset(version.encode() for version in HANDSHAKE_VERSIONS)


class ListAgain:
    """In front of the MCP endpoint, behind the door that checks Host, Origin and token."""

    def __init__(self, app: Asgi, server: McpServer, sessions: Sessions) -> None:
        self._app = app
        self._sessions = sessions
        self._lists = server.lists
        self._asked: set[tuple[Any, ...]] = set()
        self._tools: Any = None  # those that whoever is in `_asked` was told

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        message = scope[MESSAGE]
        version = scope["wekadocs.headers"].get(b"mcp-protocol-version")
        if message is None or message["method"] != "tools/list":
            await self._app(scope, receive, send)
        elif version == _MODERN:
            await self._modern(scope, receive, send)
        elif not ((version is None or version in _OLDER) and is_usual(scope) and await self._older(scope, send)):
            await self._app(scope, receive, send)

    async def _older(self, scope: Scope, send: Any) -> bool:
        """Whether the list was sent; a session that is not open, or not theirs who ask, is for the SDK to refuse."""
        message, session = scope[MESSAGE], self._sessions.found(scope)
        rendered = session.listed(message) if session is not None else None
        if session is None or rendered is None:
            return False
        await session.send_list(message["id"], rendered, send)
        return True

    async def _modern(self, scope: Scope, receive: Any, send: Any) -> None:
        message = scope[MESSAGE]
        question = _question(message, scope["headers"])
        rendered = self._lists.rendered(self._tools) if question in self._asked else None
        if rendered is not None:
            await Reply(send).whole(rendered, JSON, start=lists.before(message["id"]))
            return
        seen = _Seen(send)
        await self._app(scope, receive, seen)
        if seen.is_json and lists.is_short(question[0]):
            self._remember(question)

    def _remember(self, question: tuple[Any, ...]) -> None:
        tools = self._lists.tools(MODERN_VERSION)
        if tools is not self._tools or len(self._asked) >= _MAX_REMEMBERED:
            self._asked.clear()
        self._tools = tools
        if tools is not None:
            self._asked.add(question)


class _Seen:
    """Passes an answer on, and knows whether it was a good one and no event stream."""

    def __init__(self, send: Any) -> None:
        self._send = send
        self.is_json = False

    async def __call__(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.is_json = message["status"] == 200 and JSON[0] in message["headers"]
        await self._send(message)


def _question(message: dict[str, Any], headers: list[tuple[bytes, bytes]]) -> tuple[Any, ...]:
    """All that the answer depends on."""
    asked = json.dumps(lists.question(message.get("params")))
    return asked, *(pair for pair in headers if pair[0].startswith(b"mcp-") or pair[0] in (b"accept", b"content-type"))
