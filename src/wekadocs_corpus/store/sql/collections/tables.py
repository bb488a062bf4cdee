"""The door to collections in the truth's file: looks, and transactions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from wekadocs_corpus.store.sql.connection import Database

from . import schema
from .rebuilding import SqlRebuilding
from .view import SqlView


class SqlCollections:
    """Any number of processes may hold one on the same file."""

    def __init__(self, file: Database) -> None:
        self._file = file
        self._there = False  # once made, the tables stay

    @contextmanager
    def view(self) -> Iterator[SqlView]:
        with self._file.reading() as connection:
            self._there = self._there or schema.exists(connection)
            yield SqlView(connection, self._there)

    @contextmanager
    def change(self, seconds: float) -> Iterator[SqlRebuilding]:
        """Waits for other writers at most this long."""
        with self._file.writing(seconds) as connection:
            schema.make(connection)
            yield SqlRebuilding(connection)
