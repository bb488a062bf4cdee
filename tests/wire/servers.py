"""Servers as clients start them, on pipes and on a port, and a home for them."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import queue
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE = 20.0
SCRIPT = Path(sys.executable).parent / "wekadocs-mcp"
SAMPLE = Path(__file__).parents[2] / "docs" / "sample" / "tools"
MODERN = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
}
_ANNOTATIONS = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}
_ROUTING = {
    "use_when": "testing",
    "do_not_use_when": "not testing",
    "returns": "A value.",
    "follow_up": "Nothing.",
}


def eventually(look: Callable[[], Any], within: float = PATIENCE, what: str = "") -> Any:
    """Poll until `look` returns something true; its value."""
    end = time.monotonic() + within
    while True:
        found = look()
        if found:
            return found
        assert time.monotonic() < end, what or f"{look} stayed {found!r} for {within} s"
        time.sleep(0.01)


def alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def initialize(request_id: Any = 0, version: str = "2025-11-25") -> dict[str, Any]:
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}
    return {"jsonrpc": "2.0", "id": request_id, "method": "initialize", "params": params}


INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def request(
    request_id: Any, method: str, params: dict[str, Any] | None = None, *, modern: bool = False
) -> dict[str, Any]:
    given = dict(params or {})
    if modern:
        given["_meta"] = {**META, **given.get("_meta", {})}
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": given}


def call(request_id: Any, tool: str, arguments: dict[str, Any], *, modern: bool = False) -> dict[str, Any]:
    return request(request_id, "tools/call", {"name": tool, "arguments": arguments}, modern=modern)


class Lines:
    """The lines of a pipe, read by a thread, waited for with patience."""

    def __init__(self, pipe: Any) -> None:
        self.all: list[bytes] = []
        self._new: queue.Queue[bytes | None] = queue.Queue()
        self._pipe = pipe
        self._closed = self._paused = False
        self._pump_thread = threading.Thread(target=self._pump, args=(pipe.fileno(),), daemon=True)
        self._pump_thread.start()

    def _pump(self, descriptor: int) -> None:
        rest = b""
        while not self._closed:
            if self._paused:
                time.sleep(0.01)
                continue
            if not select.select([descriptor], [], [], 0.1)[0]:
                continue  # a process that was left behind may keep the pipe open for ever
            chunk = os.read(descriptor, 1 << 16)
            *lines, rest = (rest + chunk).split(b"\n")
            for line in [*(each + b"\n" for each in lines), *([rest] if rest and not chunk else [])]:
                self.all.append(line)
                self._new.put(line)
            if not chunk:
                break
        self._new.put(None)

    def close(self) -> None:
        self._closed = True
        self._pump_thread.join()
        self._pipe.close()

    def pause(self) -> None:
        self._paused = True

    def go_on(self) -> None:
        self._paused = False

    def next(self, timeout: float = PATIENCE) -> bytes | None:
        """The next line; None at the end of the stream."""
        line = self._new.get(timeout=timeout)
        if line is None:
            self._new.put(None)
        return line

    def rest(self, timeout: float = PATIENCE) -> list[bytes]:
        found = []
        while (line := self.next(timeout)) is not None:
            found.append(line)
        return found

    @property
    def text(self) -> str:
        return b"".join(self.all).decode("utf-8", "replace")


class Stdio:
    """A server on stdio, spoken to line by line."""

    def __init__(self, arguments: list[str], environment: dict[str, str], **options: Any) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        self.process = subprocess.Popen(arguments, env=environment, **pipes)
        self.out = Lines(self.process.stdout) if self.process.stdout else None
        self.err = Lines(self.process.stderr) if self.process.stderr else None
        self.unasked: list[dict[str, Any]] = []

    def write(self, *messages: Any) -> None:
        """Everything in one write; bytes as they are, the rest as a line of JSON."""
        raw = b"".join(each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n" for each in messages)
        self.process.stdin.write(raw)
        self.process.stdin.flush()

    def read(self, timeout: float = PATIENCE) -> dict[str, Any]:
        try:
            line = self.out.next(timeout)
        except queue.Empty:
            raise AssertionError(f"nothing came within {timeout} s; stderr: {self.err.text}") from None
        assert line is not None, f"the server ended; stderr: {self.err.text}"
        message: dict[str, Any] = json.loads(line.decode("utf-8"))
        return message

    def answer(self, request_id: Any, timeout: float = PATIENCE) -> dict[str, Any]:
        """The answer with this id; what comes before it without being asked for is kept in `unasked`."""
        while True:
            message = self.read(timeout)
            if message.get("id") == request_id and "method" not in message:
                return message
            self.unasked.append(message)

    def ask(self, message: dict[str, Any], timeout: float = PATIENCE) -> dict[str, Any]:
        self.write(message)
        return self.answer(message["id"], timeout)

    def shake_hands(self, version: str = "2025-11-25") -> dict[str, Any]:
        answer = self.ask(initialize("hello", version))
        self.write(INITIALIZED)
        return answer

    def end_of_input(self) -> None:
        if self.process.stdin is not None:
            with contextlib.suppress(OSError):
                self.process.stdin.close()

    def gone_within(self, seconds: float) -> int:
        """The exit code; fails when the process is still there after that time."""
        started = time.monotonic()
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(
                f"still running after {seconds} s; stderr: {self.err.text if self.err else ''}"
            ) from None
        self.took = time.monotonic() - started
        return code

    def close(self) -> None:
        self.end_of_input()
        if self.process.poll() is None:
            try:
                self.process.wait(1.5)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait(5)
        for lines in (self.out, self.err):
            if lines is not None:
                lines.close()


class Reply:
    def __init__(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.status = status
        self.headers = {name.lower(): value for name, value in headers}
        self.body = body

    @property
    def message(self) -> dict[str, Any]:
        """The JSON-RPC message: the body, or the last event of the stream."""
        if self.headers.get("content-type", "").startswith("text/event-stream"):
            events = [
                line[5:] for line in self.body.decode().splitlines() if line.startswith("data:") and line[5:].strip()
            ]
            found: dict[str, Any] = json.loads(events[-1])
            return found
        whole: dict[str, Any] = json.loads(self.body)
        return whole


class Http(Stdio):
    """A server on HTTP; the port is the one it prints."""

    def __init__(self, arguments: list[str], environment: dict[str, str]) -> None:
        super().__init__(arguments, environment, stdin=subprocess.DEVNULL)
        self.port = 0

    def wait_until_ready(self) -> Http:
        def port() -> int:
            assert self.process.poll() is None, f"it ended: {self.err.text}"
            found = re.search(r"http://\S+?:(\d+)\b", self.err.text)
            return int(found.group(1)) if found else 0

        self.port = eventually(port)
        return self

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/_mcp"

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def send(self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Reply:
        connection = self.connect()
        try:
            connection.request(method, path, body, headers or {})
            got = connection.getresponse()
            return Reply(got.status, got.getheaders(), got.read())
        finally:
            connection.close()

    def post(self, message: Any, **headers: str) -> Reply:
        """A JSON-RPC message to /_mcp; underscores in header names stand for dashes."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        given = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **named}
        return self.send("POST", "/_mcp", body, {name: value for name, value in given.items() if value})

    def post_modern(self, message: dict[str, Any], **headers: str) -> Reply:
        routing = {"MCP_Protocol_Version": MODERN, "Mcp_Method": message["method"]}
        name = message.get("params", {}).get("name") or message.get("params", {}).get("uri")
        if name and message["method"] in ("tools/call", "prompts/get", "resources/read"):
            routing["Mcp_Name"] = name
        return self.post(message, **{**routing, **headers})

    def session(self, **headers: str) -> dict[str, str]:
        """Headers of a new session of the older era."""
        reply = self.post(initialize(0), **headers)
        assert reply.status == 200, reply.body
        mine = {
            "Mcp_Session_Id": reply.headers["mcp-session-id"],
            "MCP_Protocol_Version": "2025-11-25",
            **headers,
        }
        assert self.post(INITIALIZED, **mine).status == 202
        return mine


class World:
    """A home of its own: cache, data, drop-ins; and every process started in it, ended with it."""

    META, MODERN, SAMPLE, SCRIPT, INITIALIZED = META, MODERN, SAMPLE, SCRIPT, INITIALIZED
    initialize, request, call = staticmethod(initialize), staticmethod(request), staticmethod(call)
    alive, eventually, now = staticmethod(alive), staticmethod(eventually), staticmethod(time.monotonic)

    def __init__(self, root: Path, sdk_way: str = "quick") -> None:
        self.root = root
        self.cache = root / "cache"
        self.tools = root / "tools"
        self.tools.mkdir()
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(root),
            "WEKADOCS_CACHE": str(self.cache),
            "WEKADOCS_DATA": str(root / "data"),
            "WEKADOCS_SDK": sdk_way,
        }
        self._started: list[Stdio] = []

    def arguments(self, *more: str, plugins: Path | None = None) -> list[str]:
        return [str(SCRIPT), "serve", "--plugins", str(plugins or self.tools), *more]

    def stdio(
        self, *more: str, plugins: Path | None = None, env: dict[str, str] | None = None, **options: Any
    ) -> Stdio:
        server = Stdio(self.arguments(*more, plugins=plugins), {**self.environment, **(env or {})}, **options)
        self._started.append(server)
        return server

    def http(self, *more: str, plugins: Path | None = None, env: dict[str, str] | None = None) -> Http:
        return self.http_unready(*more, plugins=plugins, env=env).wait_until_ready()

    def http_unready(self, *more: str, plugins: Path | None = None, env: dict[str, str] | None = None) -> Http:
        port = () if "--port" in more else ("--port", "0")
        command = self.arguments("--transport", "http", *port, *more, plugins=plugins)
        server = Http(command, {**self.environment, **(env or {})})
        self._started.append(server)
        return server

    def tool(self, name: str, code: str = "", properties: dict[str, Any] | None = None, **contract: Any) -> Path:
        """Write a drop-in: a contract, and beside it the handler."""
        stem = name.rpartition(".")[2]
        whole = {
            "contract": name,
            "version": "1.0.0",
            "status": "stable",
            "title": f"Test {stem}",
            "routing": _ROUTING,
            "annotations": _ANNOTATIONS,
            "input": {"type": "object", "properties": properties or {}, "additionalProperties": False},
            **contract,
        }
        path = self.tools / f"{stem}.v1.yaml"
        path.write_text(json.dumps(whole, indent=1, ensure_ascii=False), "utf-8")
        if code:
            (self.tools / f"{stem}.py").write_text(code, "utf-8")
        return path

    def record(self, *more: str, **options: Any) -> None:
        """Start once and stay until the surface for the fast door is written."""
        before = set(self.surfaces())
        server = self.stdio(*more, **options)
        server.shake_hands()
        eventually(lambda: set(self.surfaces()) - before, what=f"no surface was written: {server.err.text}")
        server.close()

    def surfaces(self) -> list[str]:
        folder = self.cache / "surface"
        return sorted(each.name for each in folder.iterdir() if "." not in each.name) if folder.is_dir() else []

    def close(self) -> None:
        for server in self._started:
            if isinstance(server, Http) and server.process.poll() is None:
                server.process.send_signal(signal.SIGTERM)
        for server in self._started:
            server.close()
