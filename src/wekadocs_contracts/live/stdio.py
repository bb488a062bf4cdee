"""A server that is a command: it is started, asked over its pipes, and ended."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shlex
import signal
import subprocess
import tempfile
import threading
import time
from typing import Any

from wekadocs_contracts.diff.problems import Unreachable, Unreadable
from wekadocs_text import one_line, printed

_MAX_LINE = 64 << 20
_MAX_NOISE = 10_000  # lines on stdout that are no messages
_SHOWN = 12  # lines of stderr


class StdioLine:
    def __init__(self, text: str, folder: str | None = None, environment: dict[str, str] | None = None) -> None:
        self.text = text
        self.notes: list[str] = []
        self.noise = 0
        words = shlex.split(text.removeprefix("stdio:"))
        if not words:
            raise Unreadable("stdio: needs a command, such as stdio:'wekadocs-mcp serve'")
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - read when the command has died
        try:
            self.process = subprocess.Popen(  # noqa: S603 - the command is the operator's own
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, cwd=folder,
                env=environment, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            self.errors.close()
            raise Unreachable(f"{text}: {error.strerror or error}; is the command spelled right?") from None
        self.lines: queue.Queue[bytes | None] = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while line := self.process.stdout.readline(_MAX_LINE):
                self.lines.put(line)
        self.lines.put(None)

    def request(self, message: dict[str, Any], deadline: float) -> dict[str, Any]:
        self._send(message)
        while True:
            answer = self._next(deadline)
            if answer.get("id") == message["id"] and "method" not in answer:
                return answer
            if "method" in answer and "id" in answer:
                self._send(_reply(answer))

    def notify(self, message: dict[str, Any]) -> None:
        self._send(message)

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise self._dead() from None

    def _next(self, deadline: float) -> dict[str, Any]:
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise self._late() from None
            if line is None:
                raise self._dead()
            with contextlib.suppress(ValueError, RecursionError):
                message = json.loads(line)
                if isinstance(message, dict) and "jsonrpc" in message:
                    return message
            self._noted(line)

    def _noted(self, line: bytes) -> None:
        """What is printed beside the messages is counted and told once."""
        self.noise += bool(line.strip())
        if self.noise > _MAX_NOISE:
            raise Unreachable(f"{self.text}: more than {_MAX_NOISE} lines on stdout are no messages; logs go to stderr")
        if line.strip() and self.noise == 1:
            shown = printed(one_line(line[:80].decode("utf-8", "replace").strip()))
            self.notes.append(f"{self.text} prints what is no message to stdout, which breaks strict clients: {shown}")

    def _late(self) -> Exception:
        if self.noise:
            return Unreachable(f"{self.notes[0]}: {self.noise} such lines and no answer; logs go to stderr")
        return TimeoutError()

    def _dead(self) -> Unreachable:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(2)
        code = self.process.poll()
        self.errors.seek(0, os.SEEK_END)
        self.errors.seek(max(0, self.errors.tell() - 8192))
        told = [line for line in self.errors.read().decode("utf-8", "replace").splitlines() if line.strip()]
        last = "".join(f"\n  {printed(one_line(line[:300]))}" for line in told[-_SHOWN:])
        ended = "closed its output" if code is None else f"ended with exit code {code}"
        return Unreachable(f"{self.text}: the command {ended} before it answered{':' if last else ''}{last}")

    def close(self) -> None:
        """Its input is closed, and what does not end by that is ended with whatever it has started."""
        assert self.process.stdin is not None and self.process.stdout is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        for ending in (None, signal.SIGTERM, signal.SIGKILL):
            if ending is not None:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.process.pid, ending)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(2)
                break
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)  # children that hold its output open
        self.reader.join(2)
        self.process.stdout.close()
        self.errors.close()


def _reply(asked: dict[str, Any]) -> dict[str, Any]:
    """What a server may ask of a client that can do nothing for it."""
    answer: dict[str, Any] = {"jsonrpc": "2.0", "id": asked["id"]}
    known: dict[str, dict[str, Any]] = {"ping": {}, "roots/list": {"roots": []}}
    if asked["method"] in known:
        return {**answer, "result": known[asked["method"]]}
    return {**answer, "error": {"code": -32601, "message": "this client only lists"}}
