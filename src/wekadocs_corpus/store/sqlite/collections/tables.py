"""The door to collections in the truth's file: looks, and transactions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from . import schema
from .rebuilding import SqliteRebuilding
from .view import SqliteView


class _File(Protocol):
    def reading(self, until: float | None = None) -> AbstractContextManager[sqlite3.Connection]: ...
    def writing(self, seconds: float = ...) -> AbstractContextManager[sqlite3.Connection]: ...


class SqliteCollections:
    """Any number of processes may hold one on the same file."""

    def __init__(self, file: _File) -> None:
        self._file = file
        self._there = False  # once made, the tables stay

    @contextmanager
    def view(self) -> Iterator[SqliteView]:
        with self._file.reading() as connection:
            self._there = self._there or schema.exists(connection)
            yield SqliteView(connection, self._there)

    @contextmanager
    def change(self, seconds: float) -> Iterator[SqliteRebuilding]:
        """Waits for other writers at most this long."""
        with self._file.writing(seconds) as connection:
            schema.make(connection)
            yield SqliteRebuilding(connection)
