"""Writing to a connection: what belongs together goes out together."""

from __future__ import annotations

import asyncio
import os
from typing import Any

_LARGE = 64 * 1024
_MAX_PARTS = 16


class Gathering:
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

    def write_eof(self) -> None:
        self._flush()
        self._transport.write_eof()

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

    def _unwritten(self, parts: list[bytes | memoryview]) -> list[bytes | memoryview]:
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
