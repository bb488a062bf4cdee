"""An answer over HTTP: whole, if nothing has to be said before it; otherwise a stream of events."""

from __future__ import annotations

import asyncio

from .guard import Send

Headers = list[tuple[bytes, bytes]]
PING_EVERY = 15.0
PING = b": ping\r\n\r\n"
JSON = [(b"content-type", b"application/json")]
EVENTS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"connection", b"keep-alive"),
    (b"x-accel-buffering", b"no"),
]
EVENT = b"event: message\r\ndata: "


def event(data: bytes) -> bytes:
    return b"%s%s\r\n\r\n" % (EVENT, data)


class Reply:
    """One response. Its head is sent with the first event, or with the whole answer."""

    def __init__(self, send: Send, headers: Headers | None = None) -> None:
        self._send = send
        self._headers = headers or []
        self._order = asyncio.Lock()
        self._ended = False
        self.is_stream = False

    async def send(self, frame: bytes) -> None:
        """Something before the answer; what comes after it reaches nobody."""
        async with self._order:
            if self._ended:
                return
            await self._begin()
            await self._send({"type": "http.response.body", "body": frame, "more_body": True})

    async def _begin(self) -> None:
        if not self.is_stream:
            self.is_stream = True
            await self._send({"type": "http.response.start", "status": 200, "headers": EVENTS + self._headers})

    async def end(self, frame: bytes = b"") -> None:
        """The last event, or the only one."""
        if self.is_stream:
            async with self._order:
                self._ended = True
                await self._send({"type": "http.response.body", "body": frame})
        else:
            await self.whole(frame, EVENTS)

    async def whole(self, body: bytes, kind: Headers, start: bytes = b"", status: int = 200) -> None:
        """`start` comes before a body that is too long to be copied for it."""
        self._ended = True
        headers = [*kind, (b"content-length", b"%d" % (len(start) + len(body))), *self._headers]
        await self._send({"type": "http.response.start", "status": status, "headers": headers})
        if start:
            await self._send({"type": "http.response.body", "body": start, "more_body": True})
        await self._send({"type": "http.response.body", "body": body})
