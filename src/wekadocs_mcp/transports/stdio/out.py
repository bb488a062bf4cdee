"""stdio's way out: every message one line, a list that was sent before from memory, and no more than a client reads."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import stat
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from wekadocs_mcp.transports import messages
from wekadocs_mcp.transports.lists import Lists
from wekadocs_mcp.transports.sdk.names import SessionMessage, types

from .lists import ListAgain

_HIGH_WATER = 1 << 20
_LARGEST_WIDENED = 1 << 20  # what Linux grants without privileges


class Outgoing:
    """The SDK's write stream: every message one line, written at once."""

    def __init__(self, answered: tuple[object, ...], lists: Lists) -> None:
        self.pending = 0
        self._again = ListAgain(lists)
        self.when_room: Callable[[], None] = lambda: None
        self._drop = Counter(answered)
        self._idle: Callable[[], None] | None = None
        self._write: Callable[[bytes], None] = lambda _: None
        self._descriptor = -1
        self._transport: Any = None
        self._flow: _Flow | None = None

    @classmethod
    async def open(
        cls, loop: asyncio.AbstractEventLoop, descriptor: int, answered: tuple[object, ...], lists: Lists
    ) -> Outgoing:
        outgoing = cls(answered, lists)
        flow = _Flow(lambda: outgoing.when_room())  # noqa: PLW0108 - it is replaced later
        try:
            outgoing._transport = await _connect(loop, descriptor, flow)
            outgoing._transport.set_write_buffer_limits(high=_HIGH_WATER)
            outgoing._write, outgoing._flow, outgoing._descriptor = outgoing._transport.write, flow, descriptor
        except (ValueError, OSError, NotImplementedError):
            outgoing._write = lambda data: _write_all(descriptor, data)
        return outgoing

    @property
    def is_full(self) -> bool:
        return self._flow is not None and self._flow.full is not None

    async def drained(self) -> None:
        """Until the client has taken everything."""
        if self._transport is not None and self._flow is not None:
            self._transport.set_write_buffer_limits(high=0)
            if self._flow.full is not None:
                await self._flow.full.wait()

    async def send(self, item: SessionMessage) -> None:
        message = item.message
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._one_less()
            if self._drop and self._drop[message.id] > 0:
                self._drop[message.id] -= 1
                return
        listing = self._again.sent(message)
        if listing is not None:
            self._write_parts(listing)
        else:
            self._write(messages.write(message) + b"\n")
        if self._flow is not None and self._flow.full is not None:
            await self._flow.full.wait()

    def list_again(self, line: bytes) -> bool:
        """Whether this line was recognised as a question for the list, and answered from memory."""
        return self._send_list(self._again.answer(line))

    def list_again_for(self, line: bytes, message: types.JSONRPCRequest) -> bool:
        """The same for a question that needed reading; if it is a new one, its answer will be remembered."""
        return self._send_list(self._again.answer_to(line, message))

    def _send_list(self, listing: list[bytes] | None) -> bool:
        if listing is None or self.is_full:
            return False
        self._write_parts(listing)
        return True

    def _write_parts(self, parts: list[bytes]) -> None:
        """All in one go and without a copy, as far as the pipe has room."""
        if self._transport is not None and not self._transport.get_write_buffer_size() and hasattr(os, "writev"):
            widen(self._descriptor, sum(map(len, parts)))
            with suppress(OSError):  # the transport will meet it too
                written = os.writev(self._descriptor, parts)
                while parts and written >= len(parts[0]):
                    written -= len(parts.pop(0))
                parts[:1] = [parts[0][written:]] if parts else []
        if parts:
            self._write(b"".join(parts))

    def refuse(self, request_id: types.RequestId | None, code: int, message: str) -> None:
        body = {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}
        self._write(json.dumps(body).encode() + b"\n")

    def _one_less(self) -> None:
        self.pending -= 1
        if self.pending <= 0 and self._idle is not None:
            self._idle()

    def when_idle(self, then: Callable[[], None], within: float) -> None:
        if self.pending <= 0:
            then()
            return
        self._idle = then
        asyncio.get_running_loop().call_later(within, then)

    async def aclose(self) -> None:
        """The descriptor stays open until the process ends: an answer may still be on its way."""

    async def __aenter__(self) -> Outgoing:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class _Flow(asyncio.streams.FlowControlMixin):
    """Back-pressure: `full` is an event to wait for while the client does not read."""

    def __init__(self, when_room: Callable[[], None]) -> None:
        super().__init__()
        self._when_room = when_room
        self.full: asyncio.Event | None = None

    def connection_made(self, transport: Any) -> None:
        with suppress(NotImplementedError):  # a pipe's transport only writes
            transport.pause_reading()  # a socket may be our stdin too, which is read elsewhere

    def pause_writing(self) -> None:
        self.full = asyncio.Event()

    def resume_writing(self) -> None:
        if self.full is not None:
            self.full.set()
            self.full = None
            self._when_room()

    def connection_lost(self, exc: Exception | None) -> None:
        # Nobody reads our answers any more.
        self.resume_writing()
        os.kill(os.getpid(), signal.SIGTERM) if sys.platform != "win32" else os._exit(0)


async def _connect(loop: asyncio.AbstractEventLoop, descriptor: int, flow: _Flow) -> Any:
    if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
        # As a pipe, a socket would be taken for closed as soon as the client sends something through it.
        transport, _ = await loop.connect_accepted_socket(lambda: flow, socket.socket(fileno=descriptor))
        return transport
    file = os.fdopen(descriptor, "wb", buffering=0, closefd=False)
    piped, _ = await loop.connect_write_pipe(lambda: flow, file)
    return piped


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def widen(descriptor: int, size: int) -> None:
    """Room in a pipe for a whole list: else it is written in pieces, each waiting for the client to read the last."""
    with suppress(ImportError, AttributeError, OSError):  # no pipe, no Linux, or the user's limit is reached
        import fcntl

        if _LARGEST_WIDENED >= size > fcntl.fcntl(descriptor, fcntl.F_GETPIPE_SZ):
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, size)
