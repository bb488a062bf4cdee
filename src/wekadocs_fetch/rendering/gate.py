"""The only way out that the browser has: a proxy on loopback that opens checked connections and no others."""

from __future__ import annotations

import asyncio
import contextlib
from types import TracebackType
from typing import Self

from ..fetched import FetchFailed
from ..guard.policy import Policy
from ..guard.resolving import Resolve, checked_addresses
from ..urls import WebUrl

_HEAD_BYTES, _HEAD_SECONDS, _CONNECT_SECONDS = 65_536, 10.0, 10.0
_PIECE = 1 << 16
_REFUSED = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_OPEN = b"HTTP/1.1 200 Connection established\r\n\r\n"
_HOP = (b"proxy-", b"connection:", b"keep-alive:")


class Gate:
    """For one rendering: `most_bytes` in all, both ways."""

    def __init__(self, policy: Policy, resolve: Resolve, most_bytes: int) -> None:
        self._policy, self._resolve = policy, resolve
        self._left = most_bytes
        self._talks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._begin, "127.0.0.1", 0, limit=_HEAD_BYTES)
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, at: TracebackType | None) -> None:
        self._server.close()
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)

    def _begin(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.ensure_future(self._talk(reader, writer))
        self._talks.add(talk)
        talk.add_done_callback(self._talks.discard)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.closing(writer), contextlib.suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _HEAD_SECONDS)
            try:
                method, url = _asked(head)
                there = await self._connected(url)
            except (FetchFailed, ValueError, asyncio.LimitOverrunError):
                writer.write(_REFUSED)
                await writer.drain()
                return
            with contextlib.closing(there[1]):
                if method == b"CONNECT":
                    writer.write(_OPEN)
                else:
                    there[1].write(_forwarded(head, method, url))
                await self._both_ways(reader, writer, *there)

    async def _connected(self, url: WebUrl) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        addresses = await checked_addresses(url, self._policy, self._resolve)
        opening = asyncio.open_connection(str(addresses[0]), url.port)
        return await asyncio.wait_for(opening, _CONNECT_SECONDS)

    async def _both_ways(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        there: asyncio.StreamReader,
        to_there: asyncio.StreamWriter,
    ) -> None:
        ways = [asyncio.ensure_future(self._pass(reader, to_there)), asyncio.ensure_future(self._pass(there, writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while (piece := await reader.read(_PIECE)) and self._left > 0:
            self._left -= len(piece)
            writer.write(piece)
            await writer.drain()


def _asked(head: bytes) -> tuple[bytes, WebUrl]:
    method, target, _ = head.split(b"\r\n", 1)[0].split(b" ", 2)
    text = target.decode("ascii")
    return method, WebUrl.of(f"https://{text}/" if method == b"CONNECT" else text)


def _forwarded(head: bytes, method: bytes, url: WebUrl) -> bytes:
    """One request for one connection: the next one is checked anew."""
    _, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    kept = [line for line in lines if not line.lower().startswith(_HOP)]
    return b"\r\n".join([method + b" " + url.target.encode() + b" HTTP/1.1", *kept, b"Connection: close", b"", b""])
