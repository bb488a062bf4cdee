"""A real Valkey or Redis for tests, on a port of its own and without a file."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from debian_programs import missing
from started import free_port, until_we_end

_SECONDS = 20.0


class Server:
    """One process; it can be stopped, frozen and started again on the same port."""

    def __init__(self, program: str, *more: str) -> None:
        self.port = free_port()
        self.password = secrets.token_hex(8)
        self._home = tempfile.mkdtemp(prefix="valkey-for-tests-")
        own = ["--port", str(self.port), "--bind", "127.0.0.1", "--requirepass", self.password, "--dir", self._home]
        command = [program, *own, "--save", "", "--appendonly", "no", *more]
        self._command = until_we_end(Path(self._home), command)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    def start(self) -> Server:
        Path(self._home, "pid").unlink(missing_ok=True)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, **quiet)
        end = time.monotonic() + _SECONDS
        while not self._listens():
            if self._process.poll() is not None or time.monotonic() > end:
                raise OSError(f"{self._command[3]} did not start")
            time.sleep(0.02)
        return self

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def signal(self, number: signal.Signals) -> None:
        os.kill(int(Path(self._home, "pid").read_text()), number)

    def stop(self) -> None:
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait(15)
            self._process = None

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self._home, ignore_errors=True)


def valkey_server(*more: str) -> Server:
    """A started one, or a skip that says why not; where CI runs, a failure: the part must not vanish unseen."""
    program = shutil.which("valkey-server") or "redis-server"
    why = missing(("redis-server",), program)
    if not why:
        return Server(program, *more).start()
    if os.environ.get("CI"):
        pytest.fail(why, pytrace=False)
    pytest.skip(why)
