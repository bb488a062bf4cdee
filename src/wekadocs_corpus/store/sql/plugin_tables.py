"""Tables of plugins, whichever engine they are in; what a statement may touch is the engine's to judge."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager

from wekadocs_corpus.model import Prepared
from wekadocs_corpus.store.errors import Refused, TooNew
from wekadocs_corpus.store.truth.rows import Written
from wekadocs_corpus.store.truth.tables import Migrations, Row, Value
from wekadocs_corpus.store.writing.rows import rows

from .connection import Connection
from .writing import documents as writing
from .writing.inserting import SomeUnwritten, Unwritten


def check_plugin(plugin: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9]{1,30}", plugin):
        raise Refused(f"tables of {plugin!r}: a plugin's name is small letters and digits")


class PluginStatements(ABC):
    """A plugin's hold on a transaction that belongs to the truth."""

    def __init__(self, connection: Connection, plugin: str) -> None:
        self._connection, self.plugin = connection, plugin

    @abstractmethod
    def _checked(self, statement: str) -> AbstractContextManager[None]:
        """Refuses one that touches what is not the plugin's; what is written of documents beside it is ours."""

    @property
    def _way(self) -> str:
        return f"a plugin's statements touch tables called {self.plugin}_… only, and change them while writing only"

    def query(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        with self._checked(statement):
            return self._connection.execute(statement, tuple(values)).fetchall()

    def execute(self, statement: str, values: Sequence[Value] = ()) -> int:
        with self._checked(statement):
            return max(0, self._connection.execute(statement, tuple(values)).rowcount)

    def execute_many(self, statement: str, rows: Iterable[Sequence[Value]]) -> int:
        with self._checked(statement):
            return max(0, self._connection.executemany(statement, [tuple(row) for row in rows]).rowcount)

    def write(self, batch: Iterable[Prepared]) -> Written:
        made = [rows(each) for each in batch]
        try:
            return Written(writing.write_all(self._connection, made), len(made))
        except SomeUnwritten as problem:
            raise Refused(f"one of {len(made)} documents cannot be stored ({problem}); nothing was written") from None
        except Unwritten as problem:
            reason = problem.reason or "vectors it counts on are not there"
            raise Refused(f"document {problem.document_id} cannot be stored ({reason}); nothing was written") from None

    def delete(self, document_ids: Iterable[str]) -> int:
        return writing.delete_all(self._connection, document_ids)


def up_to_date(connection: Connection, plugin: str, migrations: Migrations) -> bool:
    return _version(connection, plugin) == len(migrations)


def migrate(
    connection: Connection, statements: PluginStatements, migrations: Migrations, newer: tuple[str, str]
) -> None:
    """To the newest version; `newer`: where tables of a newer release are, and the way out."""
    plugin, known = statements.plugin, len(migrations)
    version = _version(connection, plugin)  # another process may have been faster
    if version > known:
        place, way = newer
        raise TooNew(f"{place}: the tables of {plugin} have version {version}, this release knows {known}; {way}")
    for migration in migrations[version:]:
        for statement in migration:
            statements.execute(statement)
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_note(plugin), str(known)))


def _version(connection: Connection, plugin: str) -> int:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_note(plugin),)).fetchone()
    return int(row[0]) if row else 0


def _note(plugin: str) -> str:
    return f"tables:{plugin}"
