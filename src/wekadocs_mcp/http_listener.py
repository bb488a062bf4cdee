"""The socket: uvicorn, told when it listens, ended in bounded time, and writing an answer in one go."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from . import ending
from .errors import StartError

_END_WITHIN = 1.9
_LARGE = 64 * 1024
_MAX_PARTS = 16


async def listen(app: Any, host: str, port: int, on_ready: Callable[[int], None]) -> None:
    """Serve an ASGI application until a signal; open streams get half a second."""
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        loop="asyncio",
        http=_Protocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=64 * 1024,
    )
    listener = _Listener(config, on_ready)
    await listener.serve()
    if not listener.started:
        raise StartError(
            [f"port {port} on {host} cannot be used.\n  fix: choose another with --port, or stop what holds it"]
        )


class _Listener(uvicorn.Server):
    """uvicorn, telling its port once it listens, and ending in bounded time."""

    def __init__(self, config: Any, on_ready: Callable[[int], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: Any = None) -> None:
        try:
            await super().startup(sockets)
        except SystemExit:
            self.should_exit = True
            return
        if self.started:
            self._on_ready(self.servers[0].sockets[0].getsockname()[1])

    def handle_exit(self, sig: int, frame: Any) -> None:
        if self.should_exit and sig == signal.SIGINT:
            ending.end(130)
        if not self.should_exit:
            ending.end_within(_END_WITHIN)
        self.should_exit = True


class _Protocol(HttpToolsProtocol):
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(_Gathering(transport, self.loop))  # type: ignore[arg-type]


class _Gathering:
    """A connection that writes at the loop's next turn what was written to it in this one.

    uvicorn writes a response's head and its body one after the other: two system calls, and a client that is woken
    for nothing. What is large is written at once, and not copied for it.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._parts: list[Any] = []
        self._size = 0
        self._later: asyncio.Handle | None = None

    def write(self, data: bytes) -> None:
        self._parts.append(data)
        self._size += len(data)
        if self._size >= _LARGE:
            self._flush()
        elif self._later is None:
            self._later = self._loop.call_soon(self._flush)

    def close(self) -> None:
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._later is not None:
            self._later.cancel()
            self._later = None
        parts, size = self._parts, self._size
        self._parts, self._size = [], 0
        if size >= _LARGE and len(parts) <= _MAX_PARTS:
            parts = self._unwritten(parts)
        if parts:
            self._transport.write(b"".join(parts) if len(parts) > 1 else parts[0])

    def _unwritten(self, parts: list[Any]) -> list[Any]:
        """What is left of these after as much as possible was written; an error is for the transport to meet again."""
        if not hasattr(os, "writev") or self._transport.get_write_buffer_size() or self._transport.is_closing():
            return parts
        try:
            written = os.writev(self._transport.get_extra_info("socket").fileno(), parts)
        except OSError:
            return parts
        while parts and written >= len(parts[0]):
            written -= len(parts.pop(0))
        return [memoryview(parts[0])[written:], *parts[1:]] if parts else []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
