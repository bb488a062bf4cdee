"""A server that a test run starts: until it says that it is ready, and until the run ends."""

from __future__ import annotations

import atexit
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path


class NotToBeHad(Exception):
    """Why there is no such server here; a skip's or a failure's words."""


@dataclass(frozen=True)
class Program:
    """`ready` is what it prints once it answers; `home` holds its log and its `pid`."""

    name: str
    command: list[str]
    home: Path
    ready: str
    environment: dict[str, str] = field(default_factory=dict)

    def start(self, deadline: float) -> None:
        log = self.home / "console.log"
        environment = {**os.environ, **self.environment}
        with log.open("wb") as output:
            process = subprocess.Popen(
                until_we_end(self.home, self.command), stdin=subprocess.PIPE, stdout=output, stderr=output,
                cwd=self.home, env=environment,
            )  # fmt: skip
        atexit.register(_stop, process)
        while self.ready not in log.read_text(errors="replace"):
            if process.poll() is not None or time.monotonic() > deadline:
                said = log.read_text(errors="replace").strip().splitlines() or ["it said nothing"]
                _stop(process)
                raise NotToBeHad(f"{self.name} did not start: {said[-1][:300]}")
            time.sleep(0.05)


def until_we_end(home: Path, command: list[str]) -> list[str]:
    """The same, ended when our end of its standard input closes, however this run ends."""
    return [sys.executable, str(Path(__file__).with_name("until_parent_ends.py")), str(home / "pid"), *command]


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.stdin and not process.stdin.closed:
        process.stdin.close()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """It does nothing at all meanwhile: each of its threads has heard the signal before anybody asks it."""
    os.kill(pid, signal.SIGSTOP)
    try:
        while not all(_is_stopped(each) for each in Path(f"/proc/{pid}/task").glob("*/stat")):
            time.sleep(0.01)
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def _is_stopped(stat: Path) -> bool:
    with suppress(OSError):  # a thread that ended meanwhile
        return stat.read_text().rpartition(")")[2].split()[0] in ("T", "t", "Z", "X")
    return True
