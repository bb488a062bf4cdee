"""`tools/list` of a 2026-07-28 client, asked again: sent from memory at the cost of its bytes.

The SDK answers every question once; the same question (parameters and headers alike) gets the same bytes as long as the
list has not changed. Whatever is not exactly such a question passes through untouched.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from .door import MODERN_VERSION
from .server import McpServer

Asgi = Callable[[dict[str, Any], Any, Any], Awaitable[None]]
_MAX_QUESTION = 8192
_MAX_REMEMBERED = 256
_WANTED = {b"mcp-method": b"tools/list", b"mcp-protocol-version": MODERN_VERSION.encode()}


class ListAgain:
    """In front of the MCP endpoint, behind the door that checks Host, Origin and token."""

    def __init__(self, app: Asgi, server: McpServer) -> None:
        self._app = app
        self._server = server
        self._asked: set[tuple[Any, ...]] = set()
        self._tools: Any = None
        self._result = b""

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if _is_candidate(scope):
            await self._listed(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _listed(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        body, messages = await _body(receive)
        request_id, question = _question(body, scope["headers"])
        if question in self._asked and self._server.is_current(self._tools):
            await _answer(
                send, b'{"jsonrpc":"2.0","id":%s,"result":%s}' % (json.dumps(request_id).encode(), self._result)
            )
            return
        capture = _Capture(send)
        await self._app(scope, _replayed(messages, receive), capture)
        if question is not None:
            self._remember(question, b'{"jsonrpc":"2.0","id":%s,"result":' % json.dumps(request_id).encode(), capture)

    def _remember(self, question: tuple[Any, ...], start: bytes, capture: _Capture) -> None:
        tools = self._server.current_tools(MODERN_VERSION)
        if capture.status != 200 or not capture.body.startswith(start) or tools is None:
            return
        if tools is not self._tools or len(self._asked) >= _MAX_REMEMBERED:
            self._asked.clear()
        self._tools, self._result = tools, capture.body[len(start) : -1]
        self._asked.add(question)


def _is_candidate(scope: dict[str, Any]) -> bool:
    if scope["method"] != "POST":
        return False
    headers = dict(scope["headers"])
    length = headers.get(b"content-length", b"")
    asks = all(headers.get(name) == value for name, value in _WANTED.items())
    return asks and length.isdigit() and int(length) <= _MAX_QUESTION


class _Capture:
    """Passes an answer on and keeps a copy, unless it is an event stream."""

    def __init__(self, send: Any) -> None:
        self._send = send
        self.status = 0
        self.body = b""

    async def __call__(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            is_json = (b"content-type", b"application/json") in message["headers"]
            self.status = message["status"] if is_json else 0
        elif self.status:
            self.body += message.get("body", b"")
        await self._send(message)


async def _body(receive: Any) -> tuple[bytes, list[dict[str, Any]]]:
    body, messages = b"", []
    while True:
        message = await receive()
        messages.append(message)
        body += message.get("body", b"")
        if message["type"] != "http.request" or not message.get("more_body") or len(body) > _MAX_QUESTION:
            return body, messages


def _replayed(messages: list[dict[str, Any]], receive: Any) -> Any:
    waiting = iter(messages)

    async def again() -> dict[str, Any]:
        message: dict[str, Any] | None = next(waiting, None)
        return message if message is not None else await receive()

    return again


def _question(body: bytes, headers: list[tuple[bytes, bytes]]) -> tuple[Any, tuple[Any, ...] | None]:
    """The request's id, and all that its answer depends on; None for what is no plain request."""
    try:
        message = json.loads(body)
        exact = message.keys() == {"jsonrpc", "id", "method", "params"} and message["jsonrpc"] == "2.0"
        request_id = message["id"]
        if not exact or isinstance(request_id, bool) or not isinstance(request_id, int | str):
            return None, None
        asked = json.dumps([message["method"], message["params"]])
    except (ValueError, RecursionError, AttributeError, KeyError, TypeError):
        return None, None
    told = tuple(pair for pair in headers if pair[0].startswith(b"mcp-") or pair[0] in (b"accept", b"content-type"))
    return request_id, (asked, told)


async def _answer(send: Any, body: bytes) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
