"""A lock that dies with its process: an open file, locked by the system."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_held: set[int] = set()


class FileLock:
    """Held from the moment it is made until `release` or the end of the process."""

    def __init__(self, file: int) -> None:
        self._file: int | None = file
        _held.add(file)

    @classmethod
    def take(cls, path: Path) -> FileLock | None:
        """The lock, or None when somebody has it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(file)
        except OSError:
            os.close(file)
            return None
        return cls(file)

    def release(self) -> None:
        if self._file is not None:
            _held.discard(self._file)
            os.close(self._file)
            self._file = None


def _let_go_in_child() -> None:
    """A forked child would keep the lock after its parent has died: it closes its copies."""
    for file in _held:
        os.close(file)
    _held.clear()


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    os.register_at_fork(after_in_child=_let_go_in_child)
