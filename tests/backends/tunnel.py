"""A proxy on loopback: it opens tunnels (CONNECT) to places on this machine that stand for names, and nowhere else."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import threading
from types import TracebackType
from typing import Self


class Tunnel:
    """`leads` says where a `host:port` is on loopback; `asked` has first lines, `told` headers."""

    def __init__(self, leads: dict[str, str], password: str = "") -> None:
        self.leads = leads
        self.asked: list[str] = []
        self.told: list[str] = []
        self._password = f"Basic {base64.b64encode(password.encode()).decode()}" if password else ""
        self._loop = asyncio.new_event_loop()

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        starting = asyncio.start_server(self._talk, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(starting, self._loop).result(10)
        self.place = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        async def end() -> None:
            self._server.close()
            others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            first, _, rest = head.partition("\r\n")
            self.asked.append(first)
            self.told.append(rest)
            if self._password and f"Proxy-Authorization: {self._password}\r\n" not in rest:
                writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            elif place := self.leads.get(first.split(" ")[1]):
                await self._joined(reader, writer, place)
            else:
                writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
        writer.close()

    @staticmethod
    async def _joined(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, place: str) -> None:
        host, _, port = place.rpartition(":")
        inner, outer = await asyncio.open_connection(host, int(port))
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await asyncio.gather(_copied(reader, outer), _copied(inner, writer))


async def _copied(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(1 << 16):
            target.write(data)
            await target.drain()
    finally:
        target.close()
