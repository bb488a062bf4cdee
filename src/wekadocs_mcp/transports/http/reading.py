"""A request's body: within the cap, a JSON-RPC message, and read only once."""

from __future__ import annotations

from functools import lru_cache

from wekadocs_mcp.transports import messages
from wekadocs_mcp.transports.request_size import RequestSize

from .guard import Asgi, Message, Receive, Scope, Send, say

MESSAGE = "wekadocs.message"  # in the scope: the request, if it is one beyond doubt; else None


class Readable:
    """Only JSON-RPC messages pass. The SDK would quote its validator's words, and could not name the request."""

    def __init__(self, app: Asgi, size: RequestSize) -> None:
        self._app = app
        self._size = size

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await gathered(scope, receive, self._size.most)
        if body is None or not self._size.allows(body):
            await too_large(self._size.usual)(scope, receive, send)
            return
        waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Message:
            return waiting.pop() if waiting else await receive()

        scope[MESSAGE] = None
        refusal = self._understood(scope, body) if scope["method"] == "POST" else None
        await (refusal or self._app)(scope, again, send)

    @staticmethod
    def _understood(scope: Scope, body: bytes) -> Asgi | None:
        scope[MESSAGE] = messages.plain(body)
        if scope[MESSAGE] is None:
            try:
                messages.read(body)
            except messages.Unreadable as error:
                return say(400, error.message, code=error.code, request_id=error.request_id)
        return None


async def gathered(scope: Scope, receive: Receive, limit: int) -> bytes | None:
    """The whole body; None when it is over the cap. Of a client that left before its end, nothing."""
    length = scope["wekadocs.headers"].get(b"content-length", b"")
    if length.isdigit() and (len(length) > 18 or int(length) > limit):
        return None
    message = await receive()
    if not message.get("more_body"):
        whole: bytes = message.get("body", b"")
        return whole if len(whole) <= limit else None
    body = bytearray(message["body"])
    while message.get("more_body") and len(body) <= limit:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b""
        body += message.get("body", b"")
    return bytes(body) if len(body) <= limit else None


def too_large(limit: int) -> Asgi:
    return say(413, f"The message is too large; at most {limit} bytes are accepted (server.max_request_bytes).")


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
