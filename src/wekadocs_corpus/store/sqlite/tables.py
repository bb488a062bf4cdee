"""Tables of plugins in the truth's file: SQLite itself says what a statement touches, and nothing else is allowed."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from wekadocs_corpus.model import Prepared
from wekadocs_corpus.store.errors import Refused, TooNew
from wekadocs_corpus.store.sql.connection import PATIENCE
from wekadocs_corpus.store.sql.writing import documents as writing
from wekadocs_corpus.store.truth.rows import Written
from wekadocs_corpus.store.truth.tables import FUNCTIONS, Migrations, Row, TableChanges, TableRows, Value
from wekadocs_corpus.store.writing.rows import rows

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
        if not re.fullmatch(r"[a-z][a-z0-9]{1,30}", plugin):
            raise Refused(f"tables of {plugin!r}: a plugin's name is small letters and digits")
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
        note = f"tables:{self._plugin}"
        with self._connections.reading() as connection:
            if _version(connection, note) == len(migrations):
                return
        with self._connections.writing() as connection:
            version = _version(connection, note)  # another process may have been faster
            if version > len(migrations):
                raise TooNew(
                    f"{self._connections.path}: the tables of {self._plugin} have version {version}, this release "
                    f"knows {len(migrations)}; upgrade it or choose another --data"
                )
            statements = _Statements(connection, self._plugin, writing=True, schema=True)
            for migration in migrations[version:]:
                for statement in migration:
                    statements.execute(statement)
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (note, str(len(migrations))))


class _Statements:
    """A plugin's hold on a connection that belongs to the truth."""

    def __init__(self, connection: Opened, plugin: str, *, writing: bool, schema: bool = False) -> None:
        self._connection, self._plugin = connection, plugin
        self._judge = _Judge(f"{plugin}_", writing=writing, schema=schema)

    def query(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        with self._checked():
            return self._connection.execute(statement, tuple(values)).fetchall()

    def execute(self, statement: str, values: Sequence[Value] = ()) -> int:
        with self._checked():
            return max(0, self._connection.execute(statement, tuple(values)).rowcount)

    def execute_many(self, statement: str, rows: Iterable[Sequence[Value]]) -> int:
        with self._checked():
            return max(0, self._connection.executemany(statement, [tuple(row) for row in rows]).rowcount)

    def write(self, batch: Iterable[Prepared]) -> Written:
        made = [rows(each) for each in batch]
        try:
            return Written(writing.write_all(self._connection, made), len(made))
        except writing.Unwritten as problem:
            reason = problem.reason or "vectors it counts on are not there"
            raise Refused(f"document {problem.document_id} cannot be stored ({reason}); nothing was written") from None

    def delete(self, document_ids: Iterable[str]) -> int:
        return writing.delete_all(self._connection, document_ids)

    @contextmanager
    def _checked(self) -> Iterator[None]:
        """The plugin's own statements only: what is written of documents in the same transaction is ours."""
        self._judge.denied = False
        self._connection.set_authorizer(self._judge)
        try:
            yield
        except sqlite3.DatabaseError as problem:
            if not self._judge.denied:
                raise
            way = f"a plugin's statements touch tables called {self._plugin}_… only, and change them while writing only"
            raise Refused(f"tables of {self._plugin}: {problem}; {way}") from None
        finally:
            self._connection.set_authorizer(None)


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


def _version(connection: sqlite3.Connection, note: str) -> int:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (note,)).fetchone()
    return int(row[0]) if row else 0
