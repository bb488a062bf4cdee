"""Who still calls deprecated tools: counted by tool and by the client's own name, kept in the data folder.

Written behind, at most every half minute and at the end: a call never waits for it, and a read-only tool stays one.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias, TypedDict

from .telemetry import Telemetry

log = logging.getLogger("wekadocs.usage")
FILE = "deprecated-calls.json"
_BEHIND = 30.0
_STALE = 10.0  # a lock this old belongs to a process that was killed
_MAX_CLIENTS, _MAX_NAME, _OTHERS = 50, 64, "others"
_UNPRINTABLE = re.compile(r"[^A-Za-z0-9 ._/@+-]+")


class Calls(TypedDict):
    """How many calls one client made, and the day of the last."""

    calls: int
    last: str


Kept: TypeAlias = "dict[str, dict[str, Calls]]"  # by tool and client


class Usage:
    """One per process; several processes add to one file."""

    def __init__(self, data_dir: Path, telemetry: Telemetry) -> None:
        self._path = data_dir / FILE
        self._telemetry = telemetry
        self._pending: Counter[tuple[str, str]] = Counter()
        self._clients: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None

    def note(self, tool: str, client: str, undeclared: int) -> None:
        name = self._known(client)
        self._pending[tool, name] += 1
        self._telemetry.record_deprecated(tool, name, undeclared)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_BEHIND, self._write_in_thread)

    def _known(self, client: str) -> str:
        """A client may call itself anything, and anything new: memory and file stay bounded."""
        name = _UNPRINTABLE.sub("_", client[:_MAX_NAME]).strip() or "unknown"
        if name not in self._clients and len(self._clients) >= _MAX_CLIENTS:
            return _OTHERS
        self._clients.add(name)
        return name

    def _write_in_thread(self) -> None:
        self._timer = None
        asyncio.get_running_loop().run_in_executor(None, self._write, self._taken())

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._write(self._taken())

    def _taken(self) -> Counter[tuple[str, str]]:
        pending, self._pending = self._pending, Counter()
        return pending

    def _write(self, pending: Counter[tuple[str, str]]) -> None:
        if not pending:
            return
        try:
            with _locked(self._path):
                _replace(self._path, _added(deprecated_calls(self._path.parent), pending))
        except OSError as error:
            log.warning("calls of deprecated tools are not kept: %s", error.strerror or type(error).__name__)


def deprecated_calls(data_dir: Path) -> Kept:
    """Nothing where nothing was kept, or what was kept cannot be read."""
    try:
        found = json.loads((data_dir / FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _added(known: Kept, pending: Counter[tuple[str, str]]) -> Kept:
    today = datetime.now(UTC).date().isoformat()
    for (tool, client), calls in sorted(pending.items()):
        clients = known.setdefault(tool, {})
        name = client if client in clients or len(clients) < _MAX_CLIENTS else _OTHERS
        before = clients[name].get("calls", 0) if name in clients else 0
        clients[name] = {"calls": before + calls, "last": today}
    return known


def _replace(path: Path, data: Kept) -> None:
    beside = path.with_suffix(f".{os.getpid()}")
    beside.write_text(json.dumps(data, sort_keys=True), "utf-8")
    beside.replace(path)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Among processes, by a file that only one can make; waits a second at most."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = path.with_suffix(".lock")
    end = time.monotonic() + 1.0
    while True:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            break
        except FileExistsError:
            with contextlib.suppress(FileNotFoundError):
                if time.time() - lock.stat().st_mtime > _STALE:
                    lock.unlink()
                    continue
            if time.monotonic() > end:
                raise
            time.sleep(0.01)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
