"""How the process ends: soon, whatever a plugin is doing, and with nothing that it started left behind."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

_PARENT_CHECK_MS = 1000
_HALF_CLOSED = getattr(select, "POLLRDHUP", 0)
_FORCE = getattr(signal, "SIGKILL", signal.SIGTERM)


def end(code: int = 0) -> None:
    """Now. No thread is waited for."""
    with contextlib.suppress(Exception):
        end_descendants(os.getpid())
        sys.stderr.flush()
    os._exit(code)


def end_within(seconds: float) -> None:
    """At the latest then, even if the event loop never runs again."""

    def late() -> None:
        time.sleep(seconds)
        end()

    threading.Thread(target=late, daemon=True).start()


def end_tree(process: subprocess.Popen[bytes]) -> None:
    """A child process (`Popen`) and all that it started."""
    if process.poll() is None:
        end_descendants(process.pid)
        process.kill()


def end_descendants(pid: int) -> None:
    children: dict[int, list[int]] = {}
    for child, parent in _running():
        children.setdefault(parent, []).append(child)
    waiting = [pid]
    while waiting:
        found = children.get(waiting.pop(), [])
        waiting += found
        for each in found:
            with contextlib.suppress(OSError):
                os.kill(each, _FORCE)


def _running() -> list[tuple[int, int]]:
    """Every process with its parent; empty where the system does not tell."""
    if sys.platform == "linux":
        stats = []
        for folder in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                stats.append(folder.read_bytes())
        # pid (name) state parent …; the name may hold anything, brackets too.
        return [(int(stat.split(b" ", 1)[0]), int(stat.rpartition(b")")[2].split()[1])) for stat in stats]
    if os.name == "nt":
        return []
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, timeout=0.5, check=False)  # noqa: S607
    return [(int(pid), int(parent)) for pid, parent in map(bytes.split, listed.stdout.splitlines())]


# A forked child (multiprocessing) shares the pipe: a signal that is meant for it must not end the server.
_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def _hold() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)


def _let_go() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def _heed_again() -> None:
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _let_go()


class Watch:
    """Tells a stdio server to stop at a signal, at the end of its input, or when its parent has died.

    A thread, because a handler may block the event loop: `stop` is called at once, and the process ends `within`
    seconds even if that changes nothing.
    """

    def __init__(self, source: int, parent: int, stop: Callable[[], object], within: float) -> None:
        self._source, self._parent, self._stop, self._within = source, parent, stop, within
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        if threading.current_thread() is threading.main_thread():
            # The interpreter writes the signal's number into the pipe even while C code keeps the main thread busy.
            for number in _SIGNALS:
                signal.signal(number, lambda *_: None)
            signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
            if hasattr(os, "register_at_fork"):
                os.register_at_fork(before=_hold, after_in_parent=_let_go, after_in_child=_heed_again)
        threading.Thread(target=self._run, daemon=True).start()

    def expire(self) -> None:
        """Begin the countdown."""
        os.write(self._wake, bytes([signal.SIGTERM]))

    def _run(self) -> None:
        reason = self._wait()
        if reason != "end of input":  # then the requests already sent are answered first; the reader sees to it
            self._stop()
        time.sleep(self._within)
        end()

    def _wait(self) -> str:
        poller = select.poll()
        poller.register(self._woken, select.POLLIN)
        poller.register(self._source, _HALF_CLOSED)  # only whether the other side has closed
        while True:
            ready = dict(poller.poll(_PARENT_CHECK_MS))
            if self._woken in ready and {*os.read(self._woken, 64)} & {*_SIGNALS}:
                return "signal"
            if ready.get(self._source, 0) & (select.POLLHUP | select.POLLERR | _HALF_CLOSED):
                return "end of input"
            if os.getppid() != self._parent:
                return "parent died"
