"""/openapi.json and /tools/NAME in front of the other paths: each call goes the way of every other."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import anyio

from wekadocs_mcp.app import App
from wekadocs_mcp.calls.answers import Outcome
from wekadocs_mcp.calls.call import Caller
from wekadocs_mcp.catalogue.served import ServedTool
from wekadocs_mcp.errors import ProtocolError, ToolError
from wekadocs_mcp.transports.http.guard import Receive, Scope, Send
from wekadocs_mcp.transports.http.reading import gathered
from wekadocs_mcp.transports.http.reply import JSON, Headers, Reply
from wekadocs_mcp.transports.http.routes import HttpClient
from wekadocs_mcp.transports.request_size import RequestSize
from wekadocs_mcp.transports.server import McpServer

from . import statuses
from .document import CALLS, PATH, document

_TEXT = [(b"content-type", b"text/plain; charset=utf-8")]
_OFF = "The OpenAPI facade is off: serve --openapi, or server.openapi in tools.yaml, switches it on. MCP is at /_mcp."
_NO_INPUT = "asks its user during a call, which only MCP can carry: call it at /_mcp."


class Facade:
    """The application behind both paths; switched off it says which switch it needs."""

    def __init__(self, server: McpServer, with_token: bool) -> None:
        self._server = server
        self._with_token = with_token
        self._on: bool = server.app.config.server["openapi"]
        self._written: tuple[App, bytes] | None = None

    @staticmethod
    def has(path: str) -> bool:
        return path == PATH or path.startswith(CALLS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if not self._on:
            await _refuse(send, 404, _OFF)
        elif path == PATH:
            await self._tell(scope, send)
        else:
            await self._call(path.removeprefix(CALLS), scope, receive, send)

    async def _tell(self, scope: Scope, send: Send) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            await _refuse(send, 405, f"{PATH} takes GET.", [(b"allow", b"GET, HEAD")])
            return
        app = self._server.app  # a reload brings another one
        if self._written is None or self._written[0] is not app:
            told = json.dumps(document(app, self._with_token), ensure_ascii=False, separators=(",", ":"))
            self._written = app, told.encode("utf-8", "replace")
        await Reply(send).whole(self._written[1], JSON)

    async def _call(self, name: str, scope: Scope, receive: Receive, send: Send) -> None:
        dispatcher = self._server.app.dispatcher
        if scope["method"] != "POST":
            await _refuse(send, 405, f"{CALLS}NAME takes POST, with the arguments as a JSON object.", _ALLOW)
            return
        try:
            tool = dispatcher.find(name)
        except ProtocolError as error:
            await _refuse(send, statuses.UNKNOWN, f"{error.message} {PATH} names them.")
            return
        size = RequestSize(self._server)
        limit = max(size.usual, int(tool.budgets.get("request_bytes", 0)))
        body = await gathered(scope, receive, limit)
        arguments = _arguments(scope, body, limit)
        if isinstance(arguments, _Refusal):
            await _refuse(send, arguments.status, arguments.message)
            return
        caller = Caller(
            scope["wekadocs.principal"], None, HttpClient(scope["wekadocs.headers"]), asker=scope["wekadocs.asker"]
        )
        outcome = await _unless_left(receive, lambda: dispatcher.call(name, arguments, caller))
        if outcome is not None:
            await _answer(send, tool, outcome, _wants_text(scope))


class _Refusal(Exception):
    def __init__(self, status: int, message: str) -> None:
        self.status, self.message = status, message


def _arguments(scope: Scope, body: bytes | None, limit: int) -> Mapping[str, Any] | _Refusal:
    if body is None:
        return _Refusal(413, f"The body is too large; at most {limit} bytes are accepted (server.max_request_bytes).")
    kind = scope["wekadocs.headers"].get(b"content-type", b"").partition(b";")[0].strip().lower()
    if body.strip() and kind != b"application/json":
        return _Refusal(415, "Send the arguments as JSON, with Content-Type: application/json.")
    try:
        given = json.loads(body, parse_constant=_no_number) if body.strip() else {}
    except (ValueError, RecursionError):
        return _Refusal(400, "The body is not JSON.")
    if not isinstance(given, dict):
        return _Refusal(400, "The body is a JSON object: the tool's arguments by name.")
    return given


def _no_number(name: str) -> Any:
    raise ValueError(name)


async def _unless_left(receive: Receive, work: Callable[[], Awaitable[Outcome]]) -> Outcome | None:
    """The outcome, or None when the client left: then the call is cancelled like one over MCP."""
    outcome: Outcome | None = None

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        group.start_soon(watch)
        try:
            outcome = await work()
        except ProtocolError as error:
            from wekadocs_mcp.calls.answers import failed

            outcome = failed(ToolError("INVALID_ARGUMENT", error.message))
        group.cancel_scope.cancel()
    return outcome


async def _answer(send: Send, tool: ServedTool, outcome: Outcome, as_text: bool) -> None:
    if outcome.input_required is not None:
        await _refuse(send, statuses.ASKS, f"{tool.name} {_NO_INPUT}")
    elif outcome.error is not None:
        after = outcome.error["error"]["details"].get("retry_after")
        headers = [(b"retry-after", str(after).encode())] if isinstance(after, int) else []
        status = statuses.status(outcome.error["error"], tool.contract)
        await Reply(send, headers).whole(_json(outcome.error), JSON, status=status)
    elif as_text:
        texts = [block["text"] for block in outcome.content if block["type"] == "text"]
        await Reply(send).whole("\n".join(texts).encode("utf-8", "replace"), _TEXT)
    else:
        data = outcome.whole if outcome.whole is not None else {"content": outcome.content}
        await Reply(send).whole(_json(data), JSON)


def _wants_text(scope: Scope) -> bool:
    """Whether plain text is the first thing the caller would take."""
    first = scope["wekadocs.headers"].get(b"accept", b"").split(b",")[0]
    return bool(first.partition(b";")[0].strip().lower() == b"text/plain")


async def _refuse(send: Send, status: int, message: str, headers: Headers | None = None) -> None:
    envelope = ToolError("INVALID_ARGUMENT", message).envelope()
    await Reply(send, headers).whole(_json(envelope), JSON, status=status)


def _json(data: Mapping[str, object]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


_ALLOW = [(b"allow", b"POST")]
