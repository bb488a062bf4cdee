"""A request's body: within the cap, a JSON-RPC message, and read only once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from . import messages
from .http_door import Asgi, Scope, say

MESSAGE = "wekadocs.message"  # in the scope: the request, if it is one beyond doubt; else None


class Readable:
    """Only JSON-RPC messages pass. The SDK would quote its validator's words, and could not name the request."""

    def __init__(self, app: Asgi, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        length = scope["wekadocs.headers"].get(b"content-length", b"")
        too_large = length.isdigit() and (len(length) > 18 or int(length) > self._limit)
        body = None if too_large else await self._gathered(receive)
        if body is None:
            await self._too_large(scope, receive, send)
            return
        waiting = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Any:
            return waiting.pop() if waiting else await receive()

        scope[MESSAGE] = None
        refusal = self._understood(scope, body) if scope["method"] == "POST" else None
        await (refusal or self._app)(scope, again, send)

    async def _gathered(self, receive: Any) -> bytes | None:
        """The whole body; None when it is over the cap. What a client that left did not send is missing in it."""
        message = await receive()
        if not message.get("more_body"):
            whole: bytes = message.get("body", b"")
            return whole if len(whole) <= self._limit else None
        body = bytearray(message["body"])
        while message.get("more_body") and len(body) <= self._limit:
            message = await receive()
            body += message.get("body", b"")
        return bytes(body) if len(body) <= self._limit else None

    async def _too_large(self, scope: Scope, receive: Any, send: Any) -> None:
        told = f"The message is too large; at most {self._limit} bytes are accepted (server.max_request_bytes)."
        await say(413, told)(scope, receive, send)

    @staticmethod
    def _understood(scope: Scope, body: bytes) -> Asgi | None:
        scope[MESSAGE] = messages.plain(body)
        if scope[MESSAGE] is None:
            try:
                messages.read(body)
            except messages.Unreadable as error:
                return say(400, error.message, code=error.code, request_id=error.request_id)
        return None


def is_usual(scope: Scope) -> bool:
    """Whether nothing about the headers needs a second look: each once, JSON sent, JSON and events accepted."""
    headers = scope["wekadocs.headers"]
    kind = headers.get(b"content-type", b"").partition(b";")[0].rstrip()
    return (
        len(headers) == len(scope["headers"])
        and kind == b"application/json"
        and _accepts_both(headers.get(b"accept", b""))
    )


@lru_cache(maxsize=128)
def _accepts_both(accept: bytes) -> bool:
    from mcp.server.streamable_http import check_accept_headers
    from starlette.requests import Request

    return all(check_accept_headers(Request({"type": "http", "headers": [(b"accept", accept)]})))
