"""stdio without threads: lines from a pipe to the SDK and back, on the event loop alone.

stdout belongs to the protocol: descriptor 1 is turned to stderr, so that whatever a plugin or a library prints goes
there. Bad lines get a JSON-RPC error and the server goes on.
"""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import socket
import stat
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from . import door, messages
from .ending import Watch
from .sdk import SessionMessage, types
from .server import McpServer

_GRACE_AFTER_EOF = 0.6
_END_WITHIN = 0.9
_HARD_LIMIT = 64 << 20
_HIGH_WATER = 1 << 20
_QUEUE_LIMIT = 256
_NEVER = object()


async def serve(
    server: McpServer, descriptors: tuple[int, int], seen: bytes = b"", answered: tuple[Any, ...] = ()
) -> None:
    """Serve one client until end of file, a signal, or the parent's death.

    `seen` is what the fast door has already read; `answered` are the ids of requests in it that it has already
    answered, whose second answer is dropped.
    """
    source, sink = descriptors
    loop = asyncio.get_running_loop()
    outgoing = await _Outgoing.open(loop, sink, answered, server.is_current)
    incoming = _Incoming(loop, outgoing, server.app.config.server["max_request_bytes"])
    await incoming.open(source, seen)
    if hasattr(select, "poll"):
        Watch(source, door.PARENT, lambda: loop.call_soon_threadsafe(incoming.stop), _END_WITHIN)
    background = asyncio.create_task(server.app.start_plugins())
    try:
        await server.sdk.run(incoming, outgoing, server.sdk.create_initialization_options())
        await outgoing.drained()
    finally:
        background.cancel()


class _Incoming(asyncio.Protocol):
    """The SDK's read stream: one parsed message at a time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, outgoing: _Outgoing, limit: int) -> None:
        self._loop = loop
        self._outgoing = outgoing
        self._limit = limit
        self._buffer = bytearray()
        self._scanned = 0
        self._discarding = False
        self._discarded_id: Any = None
        self._messages: deque[SessionMessage] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._ended = False
        self._transport: asyncio.ReadTransport | None = None
        self._paused = False
        outgoing.when_room = self._flow

    async def open(self, descriptor: int, seen: bytes) -> None:
        if seen:
            self.data_received(seen)
        if door.is_pipe(descriptor) or os.isatty(descriptor):
            file = os.fdopen(descriptor, "rb", buffering=0, closefd=False)
            with suppress(ValueError, OSError, NotImplementedError):
                transport, _ = await self._loop.connect_read_pipe(lambda: self, file)
                self._transport = transport
                self._flow()
                return
        # A regular file, the null device, or Windows: one thread reads, the loop does the rest.
        threading.Thread(target=self._read_in_thread, args=(descriptor,), daemon=True).start()

    def _read_in_thread(self, descriptor: int) -> None:
        with suppress(OSError, RuntimeError):
            while chunk := os.read(descriptor, 1 << 16):
                self._loop.call_soon_threadsafe(self.data_received, chunk)
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.connection_lost, None)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\n", self._scanned)) >= 0:
            line = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            self._scanned = 0
            if self._discarding:
                self._discarding = False
                self._outgoing.refuse(
                    self._discarded_id, types.INVALID_REQUEST, f"The message is larger than {_HARD_LIMIT} bytes."
                )
            elif line.strip():
                self._line(line)
        self._scanned = len(self._buffer)
        if len(self._buffer) > _HARD_LIMIT:
            if not self._discarding:
                self._discarded_id = messages.id_in(bytes(self._buffer[:400]))
            self._discarding = True
            self._buffer.clear()
            self._scanned = 0
        self._flow()

    def _line(self, line: bytes) -> None:
        if len(line) > self._limit:
            told = f"The message has {len(line)} bytes; at most {self._limit} are accepted (server.max_request_bytes)."
            self._outgoing.refuse(messages.id_in(line), types.INVALID_REQUEST, told)
            return
        try:
            message = messages.read(line)
        except messages.Unreadable as error:
            self._outgoing.refuse(error.request_id, error.code, error.message)
            return
        if isinstance(message, types.JSONRPCRequest):
            if message.method == "tools/list" and self._outgoing.list_again(message.id, message.params):
                return
            self._outgoing.pending += 1
        self._messages.append(SessionMessage(message))
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._buffer.strip() and not self._discarding:
            self._line(bytes(self._buffer))  # a last line without its newline
            self._buffer.clear()
        # Requests already sent still get their answers, if those come soon.
        self._outgoing.when_idle(self.stop, _GRACE_AFTER_EOF)

    def stop(self) -> None:
        self._ended = True
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _flow(self) -> None:
        if self._transport is None:
            return
        full = len(self._messages) > _QUEUE_LIMIT or self._outgoing.is_full
        if full and not self._paused:
            self._transport.pause_reading()
        elif not full and self._paused:
            self._transport.resume_reading()
        self._paused = full

    async def receive(self) -> SessionMessage:
        while not self._messages:
            if self._ended:
                raise StopAsyncIteration
            self._waiter = self._loop.create_future()
            await self._waiter
        message = self._messages.popleft()
        if self._paused:
            self._flow()
        return message

    def __aiter__(self) -> _Incoming:
        return self

    __anext__ = receive

    async def aclose(self) -> None:
        self._ended = True
        if self._transport is not None:
            self._transport.close()

    async def __aenter__(self) -> _Incoming:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class _Outgoing:
    """The SDK's write stream: every message one line, written at once."""

    def __init__(self, answered: tuple[Any, ...], is_current: Callable[[Any], bool]) -> None:
        self.pending = 0
        self._is_current = is_current
        self._asking: dict[Any, Any] = {}
        self._listed: Any = _NEVER
        self.when_room: Callable[[], None] = lambda: None
        self._drop = Counter(answered)
        self._rendered: tuple[Any, bytes] | None = None
        self._idle: Callable[[], None] | None = None
        self._write: Callable[[bytes], None] = lambda _: None
        self._transport: Any = None
        self._flow: _Flow | None = None

    @classmethod
    async def open(
        cls,
        loop: asyncio.AbstractEventLoop,
        descriptor: int,
        answered: tuple[Any, ...],
        is_current: Callable[[Any], bool],
    ) -> _Outgoing:
        outgoing = cls(answered, is_current)
        flow = _Flow(lambda: outgoing.when_room())  # noqa: PLW0108 - it is replaced later
        try:
            outgoing._transport = await _connect(loop, descriptor, flow)
            outgoing._transport.set_write_buffer_limits(high=_HIGH_WATER)
            outgoing._write, outgoing._flow = outgoing._transport.write, flow
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
        self._write(self._line(message))
        if self._flow is not None and self._flow.full is not None:
            await self._flow.full.wait()

    def list_again(self, request_id: Any, params: Any) -> bool:
        """Whether the list was sent from memory: the SDK has answered this very question here, and nothing changed."""
        if self._rendered is None or self._listed != params or self.is_full or not self._is_current(self._rendered[0]):
            self._asking = {request_id: params}
            return False
        self._write(self._listing(request_id))
        return True

    def _listing(self, request_id: Any) -> bytes:
        assert self._rendered is not None
        return b'{"jsonrpc":"2.0","id":%s,%s\n' % (json.dumps(request_id).encode(), self._rendered[1])

    def _line(self, message: Any) -> bytes:
        result = getattr(message, "result", None)
        tools = result.get("tools") if isinstance(result, dict) else None
        if isinstance(tools, list):
            # tools/list is the same object every time: send the bytes of the first time.
            if self._rendered is None or self._rendered[0] is not tools:
                body: bytes = message.model_dump_json(by_alias=True, exclude_unset=True, include={"result"}).encode()
                self._rendered = (tools, body[1:])
            self._listed = self._asking.pop(message.id, _NEVER)
            return self._listing(message.id)
        try:
            return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"  # type: ignore[no-any-return]
        except (ValueError, UnicodeEncodeError):
            return json.dumps(message.model_dump(mode="python", by_alias=True, exclude_unset=True)).encode() + b"\n"

    def refuse(self, request_id: Any, code: int, message: str) -> None:
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

    async def __aenter__(self) -> _Outgoing:
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
