"""stdio without threads: lines from a pipe to the SDK and back, on the event loop alone.

stdout belongs to the protocol: descriptor 1 is turned to stderr, so that whatever a plugin or a library prints goes
there. Bad lines get a JSON-RPC error and the server goes on.
"""

from __future__ import annotations

import asyncio
import logging
import os
import select
import threading
from collections import deque
from contextlib import suppress

from wekadocs_mcp.ending import Watch
from wekadocs_mcp.transports import messages
from wekadocs_mcp.transports.fast_door import door
from wekadocs_mcp.transports.request_size import RequestSize
from wekadocs_mcp.transports.sdk.names import SessionMessage, types
from wekadocs_mcp.transports.server import McpServer

from .out import Outgoing

_GRACE_AFTER_EOF = 0.6
_END_WITHIN = 0.9
_PLUGINS_AFTER = 1.0
_HARD_LIMIT = 64 << 20
_QUEUE_LIMIT = 256
log = logging.getLogger("wekadocs.serve")


async def serve(
    server: McpServer, descriptors: tuple[int, int], seen: bytes = b"", answered: tuple[object, ...] = ()
) -> None:
    """Serve one client until end of file, a signal, or the parent's death.

    `seen` is what the fast door has already read; `answered` are the ids of requests in it that it has already
    answered, whose second answer is dropped.
    """
    source, sink = descriptors
    loop = asyncio.get_running_loop()
    outgoing = await Outgoing.open(loop, sink, answered, server.lists)
    incoming = _Incoming(loop, outgoing, RequestSize(server))
    await incoming.open(source, seen)
    background = asyncio.create_task(_start_plugins_later(server))

    def stop() -> None:
        background.cancel()  # what has not begun to start would only keep the process from ending
        incoming.stop()

    if hasattr(select, "poll"):
        Watch(source, door.PARENT, lambda: loop.call_soon_threadsafe(stop), _END_WITHIN)
    log.info("started transport=stdio")
    try:
        await server.sdk.run(incoming, outgoing, server.sdk.create_initialization_options())
        await outgoing.drained()
    finally:
        background.cancel()
        log.info("ended transport=stdio")


async def _start_plugins_later(server: McpServer) -> None:
    """Not while the first call comes in: it starts what it needs by itself, and nothing else shall hold it up."""
    await asyncio.sleep(_PLUGINS_AFTER)
    await server.app.start_plugins()


class _Incoming(asyncio.Protocol):
    """The SDK's read stream: one parsed message at a time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, outgoing: Outgoing, size: RequestSize) -> None:
        self._loop = loop
        self._outgoing = outgoing
        self._size = size
        self._buffer = bytearray()
        self._scanned = 0
        self._discarding = False
        self._discarded_id: types.RequestId | None = None
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
        if not self._size.allows(line):
            most = f"at most {self._size.usual} are accepted (server.max_request_bytes)"
            told = f"The message has {len(line)} bytes; {most}."
            self._outgoing.refuse(messages.id_in(line), types.INVALID_REQUEST, told)
            return
        if self._outgoing.list_again(line):
            return
        try:
            message = messages.read(line)
        except messages.Unreadable as error:
            self._outgoing.refuse(error.request_id, error.code, error.message)
            return
        if isinstance(message, types.JSONRPCRequest):
            if message.method == "tools/list" and self._outgoing.list_again_for(line, message):
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
