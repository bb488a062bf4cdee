"""The truth in one SQLite file that many processes share."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from wekadocs_corpus.store.errors import StoreError
from wekadocs_corpus.store.filesystem import refuse_network
from wekadocs_corpus.store.locks import FileLock
from wekadocs_corpus.store.sql.connection import PATIENCE, Connection
from wekadocs_corpus.store.sql.truth import SqlTruth
from wekadocs_corpus.store.truth.rows import Fault
from wekadocs_corpus.store.truth.tables import Migrations, Tables

from . import wholeness
from .connection import Connections, Opened
from .file import FILE
from .preparing import prepared
from .tables import PluginTables


class SqliteTruth(SqlTruth):
    """Any number of processes and threads may hold one of these on the same folder."""

    engine = "sqlite"

    def __init__(self, data_dir: Path) -> None:
        super().__init__()
        self.data_dir = data_dir
        self._tables: list[PluginTables] = []
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

    def reading(self, until: float | None = None) -> AbstractContextManager[Opened]:
        return self._connections.reading(until)

    def writing(self, seconds: float = PATIENCE) -> AbstractContextManager[Opened]:
        return self._connections.writing(seconds)

    def tables(self, plugin: str, migrations: Migrations) -> Tables:
        made = PluginTables(self._connections, plugin, migrations)
        self._tables.append(made)
        return made

    def jobs(self) -> None:
        return None

    def turn(self, name: str) -> FileLock | None:
        return FileLock.take(self.data_dir / f"{name}.lock")

    def stored_bytes(self, connection: Connection) -> int:
        return wholeness.stored_bytes(connection)

    def broken(self, connection: Connection, *, thorough: bool) -> Sequence[tuple[str, str]]:
        return wholeness.broken(connection, thorough=thorough)

    def advice(self) -> Sequence[Fault]:
        return ()

    def settle(self) -> None:
        """After much was written: the log need not stay as large as it became."""
        self._connections.settle()

    def close(self) -> None:
        for each in self._tables:
            each.close()
        self._connections.close()
