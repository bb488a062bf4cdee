"""A server on loopback in a throw-away folder, and a polite client that asks it something all the while."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

TOKEN = "a-token-for-this-run-alone-0123456789"
HOST = "127.0.0.1"
_TOOLS = Path(__file__).parents[2] / "docs" / "sample" / "tools"
_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
CALL = {"name": "demo.hello", "arguments": {"name": "Ada"}, "_meta": _META}
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "Authorization": f"Bearer {TOKEN}",
}
MODERN = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "demo.hello"}


class Server:
    """With a token, so that strangers can be told from clients, and short patience, so that a run is short."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="wekadocs-attack-")
        folder = Path(self._folder.name)
        (folder / "tools.yaml").write_text("server: {http: {head_seconds: 2, body_seconds: 2}}\n")
        self.log = folder / "log"
        script = Path(sys.executable).with_name("wekadocs-mcp")
        command = [script, "serve", "--transport", "http", "--port", "0", "--plugins", _TOOLS]
        env = {**os.environ, "MCP_AUTH_TOKEN": TOKEN, "WEKADOCS_DATA": str(folder), "WEKADOCS_CACHE": str(folder / "c")}
        with self.log.open("wb") as log:
            more = ["--config", folder / "tools.yaml"]
            self._process = subprocess.Popen([*command, *more], stdout=log, stderr=log, env=env)
        self.port = self._port()

    def _port(self) -> int:
        end = time.monotonic() + 30
        while time.monotonic() < end and self._process.poll() is None:
            if found := re.search(r"http://[^\s/]+:(\d+)", self.log.read_text()):
                return int(found[1])
            time.sleep(0.05)
        sys.exit(f"it does not serve: {self.log.read_text()}")

    @property
    def megabytes(self) -> int:
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") >> 20

    @property
    def tracebacks(self) -> int:
        return self.log.read_text().count("Traceback")

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(10)
        self._folder.cleanup()

    # --- ways to talk to it ---

    def connect(self, source: str = HOST) -> socket.socket:
        return socket.create_connection((HOST, self.port), timeout=10, source_address=(source, 0))

    def status(self, raw: bytes, source: str = HOST) -> str:
        """The status of the first answer to these bytes; `closed` without one, `silent` after ten seconds."""
        with contextlib.suppress(ConnectionError, BrokenPipeError), self.connect(source) as connection:
            with contextlib.suppress(OSError):
                connection.sendall(raw)
            return status_on(connection)
        return "closed"

    def post(self, message: dict[str, object], headers: dict[str, str], source: str = HOST) -> tuple[int, bytes, str]:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=10, source_address=(source, 0))
        with contextlib.closing(connection):
            connection.request("POST", "/_mcp", json.dumps(message).encode(), {**HEADERS, **headers})
            answer = connection.getresponse()
            return answer.status, answer.read(), answer.getheader("mcp-session-id") or ""


def status_on(connection: socket.socket) -> str:
    try:
        first = connection.recv(4096)
    except TimeoutError:
        return "silent"
    except OSError:
        return "closed"
    return first.split(b" ")[1].decode() if first.startswith(b"HTTP/") else "closed"


class Polite:
    """One call after the other from an address of its own, each on a new connection."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.answered = self.asked = 0
        self.slowest = 0.0

    def _run(self) -> None:
        while not self.asked or not self._end.wait(0.05):
            self.asked += 1
            began = time.monotonic()
            with contextlib.suppress(OSError, http.client.HTTPException):
                message = {"jsonrpc": "2.0", "id": self.asked, "method": "tools/call", "params": CALL}
                status, body, _ = self._server.post(message, MODERN, source="127.0.0.9")
                self.answered += status == 200 and b'"isError":false' in body
            self.slowest = max(self.slowest, time.monotonic() - began)

    def __enter__(self) -> Polite:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()
