"""Tables of plugins in the truth's file: SQLite itself says what a statement touches, and nothing else is allowed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from wekadocs_corpus.store.errors import Refused
from wekadocs_corpus.store.sql.connection import PATIENCE
from wekadocs_corpus.store.sql.plugin_tables import PluginStatements, check_plugin, migrate, up_to_date
from wekadocs_corpus.store.truth.tables import FUNCTIONS, Migrations, TableChanges, TableRows

from .connection import Connections, Opened

_CHANGES = {sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE}
_SCHEMA = {
    sqlite3.SQLITE_CREATE_TABLE,
    sqlite3.SQLITE_CREATE_INDEX,
    sqlite3.SQLITE_DROP_TABLE,
    sqlite3.SQLITE_DROP_INDEX,
    sqlite3.SQLITE_REINDEX,
}
_MASTER = {"sqlite_master", "sqlite_schema"}


class PluginTables:
    """See store/truth/tables.py."""

    def __init__(self, connections: Connections, plugin: str, migrations: Migrations) -> None:
        check_plugin(plugin)
        self._connections, self._plugin = connections, plugin
        # Readers of its own: to be judged makes a connection prepare all its statements again.
        self._readers = Connections(connections.path)
        self._migrate(migrations)

    def close(self) -> None:
        self._readers.close()

    @contextmanager
    def reading(self, until: float | None = None) -> Iterator[TableRows]:
        with self._readers.reading(until) as connection:
            yield _Statements(connection, self._plugin, writing=False)

    @contextmanager
    def writing(self, seconds: float = PATIENCE) -> Iterator[TableChanges]:
        with self._connections.writing(seconds) as connection:
            yield _Statements(connection, self._plugin, writing=True)

    def _migrate(self, migrations: Migrations) -> None:
        with self._connections.reading() as connection:
            if up_to_date(connection, self._plugin, migrations):
                return
        with self._connections.writing() as connection:
            newer = str(self._connections.path), "upgrade it or choose another --data"
            migrate(connection, _Statements(connection, self._plugin, writing=True, schema=True), migrations, newer)


class _Statements(PluginStatements):
    def __init__(self, connection: Opened, plugin: str, *, writing: bool, schema: bool = False) -> None:
        super().__init__(connection, plugin)
        self._judged, self._judge = connection, _Judge(f"{plugin}_", writing=writing, schema=schema)

    @contextmanager
    def _checked(self, statement: str) -> Iterator[None]:  # noqa: ARG002 (SQLite has read it before it asks)
        self._judge.denied = False
        self._judged.set_authorizer(self._judge)
        try:
            yield
        except sqlite3.DatabaseError as problem:
            if not self._judge.denied:
                raise
            raise Refused(f"tables of {self.plugin}: {problem}; {self._way}") from None
        finally:
            self._judged.set_authorizer(None)


class _Judge:
    """Asked by SQLite while it prepares a statement, about everything that the statement would do."""

    def __init__(self, prefix: str, *, writing: bool, schema: bool) -> None:
        self._prefix, self._schema = prefix, schema
        self._on_tables = _CHANGES | {sqlite3.SQLITE_READ} if writing else {sqlite3.SQLITE_READ}
        self.denied = False

    def __call__(self, action: int, first: str | None, second: str | None, *_: str | None) -> int:
        if self._allows(action, (first or "").lower(), (second or "").lower()):
            return sqlite3.SQLITE_OK
        self.denied = True
        return sqlite3.SQLITE_DENY

    def _allows(self, action: int, first: str, second: str) -> bool:
        own = first.startswith(self._prefix)
        if action in {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE}:
            return True
        if action == sqlite3.SQLITE_FUNCTION:
            # To add a column SQLite uses some of its own.
            return second in FUNCTIONS or (self._schema and second != "load_extension")
        if action in self._on_tables:
            return own or (self._schema and first in _MASTER)
        if not self._schema:
            return False
        if action == sqlite3.SQLITE_ALTER_TABLE:
            return second.startswith(self._prefix)
        return action in _SCHEMA and (own or first.startswith(f"sqlite_autoindex_{self._prefix}"))
