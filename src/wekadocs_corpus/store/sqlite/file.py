"""The opened file: consistent views of it, and transactions."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager
from pathlib import Path

from wekadocs_corpus.store.errors import StoreError
from wekadocs_corpus.store.filesystem import refuse_network

from .connection import PATIENCE, Connections
from .writing.preparing import prepared

FILE = "corpus.db"


class TruthFile:
    """Any number of processes and threads may hold one of these on the same folder."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        refuse_network(data_dir)
        try:
            data_dir.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise StoreError(f"{data_dir}: {problem.strerror}; choose another folder with --data") from None
        self._connections = Connections(data_dir / FILE)
        try:
            self.id = prepared(self._connections)
        except BaseException:
            self.close()
            raise

    def reading(self, until: float | None = None) -> AbstractContextManager[sqlite3.Connection]:
        """A consistent view for several queries; interrupted when `time.monotonic()` passes `until`."""
        return self._connections.reading(until)

    def writing(self, seconds: float = PATIENCE) -> AbstractContextManager[sqlite3.Connection]:
        """A transaction of one's own; waits for other writers at most this long."""
        return self._connections.writing(seconds)

    def settle(self) -> None:
        """After much was written: the log need not stay as large as it became."""
        self._connections.settle()

    def close(self) -> None:
        self._connections.close()
