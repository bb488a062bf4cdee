"""A raw keep-alive HTTP client: prepared requests out, bytes counted in."""

from __future__ import annotations

import os
import re
import select
import selectors
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path

from workload import INITIALIZED, MODERN, TOOL, Make, check, encode, initialize

_PATIENCE = 60.0
_IDS = 256
_PAUSE = 1.0
_KEEP_ALIVE = 4.5  # uvicorn hangs up after 5 s of silence
_PORT = re.compile(rb"http://127\.0\.0\.1:(\d+)(/\S*)?")


class Connection:
    """One socket, one request at a time; opened anew when it was silent for so long that uvicorn closed it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._connect()

    def _connect(self) -> None:
        self.socket = socket.create_connection(("127.0.0.1", self._port), timeout=_PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._parts: list[bytes] = []
        self._wanted: int | None = None
        self._size = 0
        self._answered = time.monotonic()

    def send(self, raw: bytes) -> None:
        if not self._alive():
            idle = time.monotonic() - self._answered
            if idle < _KEEP_ALIVE:
                raise RuntimeError(f"port {self._port} hung up after only {idle:.1f} s of silence")
            self.socket.close()
            self._connect()
        self.socket.sendall(raw)

    def _alive(self) -> bool:
        """Whether the server has not hung up meanwhile; asked only after a pause."""
        if time.monotonic() - self._answered < _PAUSE:
            return True
        # Nothing is under way, so the only thing there can be to read is the end.
        return not select.select([self.socket], [], [], 0)[0]

    def ask(self, raw: bytes) -> bytes:
        self.send(raw)
        while True:
            whole = self.feed()
            if whole is not None:
                return whole

    def feed(self) -> bytes | None:
        """Read once; the whole response when it has ended."""
        chunk = self.socket.recv(1 << 18)
        if not chunk:
            silent = time.monotonic() - self._answered
            raise RuntimeError(
                f"port {self._port} closed the connection within an answer, {silent:.1f} s after the last"
            )
        self._parts.append(chunk)
        self._size += len(chunk)
        if self._wanted is None:
            self._wanted = _length(b"".join(self._parts))
        if self._wanted is None:
            return None
        if self._wanted == 0:
            tail = b"".join(self._parts[-2:])[-7:]
            return self._done() if tail.endswith(b"0\r\n\r\n") else None
        return self._done() if self._size >= self._wanted else None

    def _done(self) -> bytes:
        whole = b"".join(self._parts)
        self._parts, self._wanted, self._size = [], None, 0
        self._answered = time.monotonic()
        return whole


def _length(raw: bytes) -> int | None:
    """How many bytes the response has; 0: until the last chunk; None: its head is not complete yet."""
    end = raw.find(b"\r\n\r\n")
    if end < 0:
        return None
    head = raw[:end].lower()
    if b"transfer-encoding: chunked" in head:
        return 0
    found = re.search(rb"content-length: *(\d+)", head)
    return end + 4 + (int(found.group(1)) if found else 0)


class HttpClient:
    """One spawned server that prints its address on stderr."""

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str]) -> None:
        self._log = Path(tempfile.mkstemp(prefix="bench-http-")[1])
        null = subprocess.DEVNULL
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(argv, stdin=null, stdout=log, stderr=log, env=environment)
        self._port, self._path = self._address()
        self._session: str | None = None
        self._connections: list[Connection] = []

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}{self._path}"

    def _address(self) -> tuple[int, str]:
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            found = _PORT.search(self._log.read_bytes())
            if found:
                return int(found.group(1)), (found.group(2) or b"/_mcp").decode()
            if self._process.poll() is not None:
                break
            time.sleep(0.02)
        raise RuntimeError(f"no address from {self._process.args}: {self._log.read_text()[-800:]}")

    def _connection(self, number: int = 0) -> Connection:
        while len(self._connections) <= number:
            self._connections.append(Connection(self._port))
        return self._connections[number]

    def post(self, body: bytes, era: str, method: str) -> bytes:
        """The bytes of one POST."""
        headers = [
            f"POST {self._path} HTTP/1.1",
            f"Host: 127.0.0.1:{self._port}",
            "Content-Type: application/json",
            "Accept: application/json, text/event-stream",
            f"Content-Length: {len(body)}",
        ]
        if era == "modern":
            headers += [f"MCP-Protocol-Version: {MODERN}", f"Mcp-Method: {method}"]
            headers += [f"Mcp-Name: {TOOL}"] if method == "tools/call" else []
        elif self._session:
            headers.append(f"Mcp-Session-Id: {self._session}")
        return "\r\n".join(headers).encode() + b"\r\n\r\n" + body

    def open(self, era: str) -> None:
        if era == "modern":
            return
        answer = self._connection().ask(self.post(encode(initialize(0)), era, "initialize"))
        check(answer, b'"serverInfo"')
        found = re.search(rb"mcp-session-id: *(\S+)", answer, re.IGNORECASE)
        self._session = found.group(1).decode() if found else None
        self._connection().ask(self.post(encode(INITIALIZED), era, "notifications/initialized"))

    def ask(self, raw: bytes) -> bytes:
        return self._connection().ask(raw)

    def framed(self, era: str, make: Make, method: str) -> list[bytes]:
        """Questions with an id each, more of them than are ever under way at once."""
        return [self.post(encode(make(era, number)), era, method) for number in range(100, 100 + _IDS)]

    def repeat(self, messages: Sequence[bytes], count: int) -> None:
        ask = self._connection().ask
        for message in islice(cycle(messages), count):
            ask(message)

    def flood(self, messages: Sequence[bytes], count: int, width: int) -> None:
        """`width` connections, each always busy, until `count` answers are there."""
        queue = islice(cycle(messages), count)
        with selectors.EpollSelector() as selector:
            for number in range(width):
                connection = self._connection(number)
                connection.send(next(queue))
                selector.register(connection.socket, selectors.EVENT_READ, connection)
            left = count
            while left:
                for key, _ in selector.select(_PATIENCE):
                    if key.data.feed() is None:
                        continue
                    left -= 1
                    message = next(queue, None)
                    if message is not None:
                        key.data.send(message)

    def close(self) -> None:
        for connection in self._connections:
            connection.socket.close()
        self._process.kill()
        self._process.wait()
        os.unlink(self._log)  # noqa: PTH108
