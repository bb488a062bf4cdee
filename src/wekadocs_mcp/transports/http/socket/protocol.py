"""HTTP as it is read from a connection: uvicorn's protocol, with an end to whatever a client may send or leave open.

Heads are counted while they come in, not when they are whole. Trailers are read over: they come after everything that
decides what a request may do.
"""

from __future__ import annotations

import asyncio
import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .gathering import Gathering

if TYPE_CHECKING:
    from .connections import Connections

_MAX_PIPELINED = 16
_LINGER = 1.0  # after a refusal, so that a client which still sends gets to read it
BETWEEN, HEAD, BODY, REFUSED = "between", "head", "body", "refused"


class _TooMuch(Exception):
    """Leaves the parser in the middle of what it reads."""


class Protocol(HttpToolsProtocol):
    """One connection. `phase` is what it waits for, `since` the loop's time at which it began to."""

    def __init__(self, connections: Connections, **uvicorns: Any) -> None:
        super().__init__(**uvicorns)
        self._all = connections
        self._limits = connections.limits
        self.phase, self.since = BETWEEN, 0.0
        self._stalled: float | None = None  # since when the client does not read what was written
        self._unread = 0  # bytes that came and led to nothing yet
        self._led_to_something = False
        self._trailers = 0
        self._status = HTTPStatus.BAD_REQUEST

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(Gathering(transport, self.loop))  # type: ignore[arg-type]
        self.phase, self.since = HEAD, self.loop.time()
        if not self._all.admit(self):
            self.refuse(HTTPStatus.SERVICE_UNAVAILABLE, "Too many connections are open. Try again in a second.")
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._all.leave(self)
        super().connection_lost(exc)

    @property
    def is_answering(self) -> bool:
        """Whether a whole request waits for its answer; anything else can be given up for another client."""
        return self.cycle is not None and not self.cycle.response_complete and self.phase != BODY

    # --- what comes in ---

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        limit = self._limits["head_bytes"]
        while data and self.phase != REFUSED:
            # A head is never handed to the parser beyond its limit; a body has its own.
            room = len(data) if self.phase == BODY else limit - self._unread
            piece, data = (data, b"") if len(data) <= room else (data[:room], data[room:])
            self._read(piece, limit)

    def _read(self, piece: bytes, limit: int) -> None:
        self._led_to_something = False
        try:
            self.parser.feed_data(piece)
        except httptools.HttpParserUpgrade:
            pass  # nothing is spoken here but HTTP: the request is answered as if it had not asked
        except httptools.HttpParserError:
            self.refuse(self._status, _WHY[self._status])
            return
        self._unread = 0 if self._led_to_something else self._unread + len(piece)
        if self._unread >= limit:
            self.refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, _WHY[431])
        elif self._unread and self.phase == BETWEEN:
            self.phase, self.since = HEAD, self.loop.time()

    def on_header(self, name: bytes, value: bytes) -> None:
        if self.phase == BODY:
            self._trailers += 1
            self._at_most(self._trailers)
            return
        self._at_most(len(self.headers) + 1)
        super().on_header(name, value)

    def _at_most(self, lines: int) -> None:
        if lines > self._limits["head_lines"]:
            self._status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise _TooMuch

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= _MAX_PIPELINED:
            raise _TooMuch
        super().on_headers_complete()
        self._led_to_something, self._trailers = True, 0
        self.phase, self.since = BODY, self.loop.time()

    def on_body(self, body: bytes) -> None:
        self._led_to_something = True
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._led_to_something = True
        self.phase = BETWEEN
        super().on_message_complete()

    # --- what takes too long ---

    def check_time(self, now: float) -> None:
        waited, limits = now - self.since, self._limits
        if self.phase == HEAD and waited > limits["head_seconds"]:
            self.refuse(HTTPStatus.REQUEST_TIMEOUT, "The request's head did not come in time.")
        elif self.phase == BODY and waited > limits["body_seconds"]:
            self.refuse(HTTPStatus.REQUEST_TIMEOUT, "The request's body did not come in time.")
        unread_for = now - self._stalled if self._stalled is not None else 0.0
        if unread_for > limits["body_seconds"] or (self.phase == REFUSED and now - self.since > _LINGER):
            self.transport.abort()

    def pause_writing(self) -> None:
        self._stalled = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        self._stalled = None
        super().resume_writing()

    # --- the way out ---

    def refuse(self, status: HTTPStatus, message: str) -> None:
        """Say why, if nothing else was said to this request yet, and read no more."""
        self._all.refused(self, status)
        may_answer = (
            self.cycle is None
            or self.cycle.response_complete
            or (self.phase == BODY and not self.cycle.response_started)
        )
        self.phase, self.since = REFUSED, self.loop.time()
        if self.transport.is_closing():
            return
        if not may_answer:
            self.transport.close()
            return
        self.transport.write(_answer(status, message))
        self.transport.write_eof()
        if self.cycle is not None and not self.cycle.response_complete:  # whoever waits for the rest waits no longer
            self.cycle.disconnected = True
            self.cycle.message_event.set()


_WHY: dict[int, str] = {
    400: "This is not HTTP as it is served here.",
    431: "The request's head is too large (server.http.head_bytes, server.http.head_lines).",
}


def _answer(status: HTTPStatus, message: str) -> bytes:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": message}}
    body = json.dumps(error).encode()
    again = "retry-after: 1\r\n" if status == HTTPStatus.SERVICE_UNAVAILABLE else ""
    head = f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\n{again}"
    return f"{head}content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode() + body
