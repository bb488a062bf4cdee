"""Tables of plugins in the database. A statement may name tables of its plugin only: every word of it that is a table
of ours, or of another plugin, is refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from wekadocs_corpus.model import Prepared
from wekadocs_corpus.store.errors import Refused, TooNew
from wekadocs_corpus.store.sql.connection import PATIENCE
from wekadocs_corpus.store.sql.writing import documents as writing
from wekadocs_corpus.store.truth.rows import Written
from wekadocs_corpus.store.truth.tables import FUNCTIONS, Migrations, Row, TableChanges, TableRows, Value
from wekadocs_corpus.store.writing.rows import rows

from .connections import Connections
from .preparing import learn_tables
from .session import Session

_READS = {"SELECT", "WITH"}
_CHANGES = {"INSERT", "UPDATE", "DELETE"}
_SCHEMA = {"CREATE", "ALTER", "DROP"}
_QUOTED = re.compile(r"'(?:[^']|'')*'")
# The words behind which a table is named, or one that the statement makes for itself.
_NAMED = re.compile(
    r"\b(?:FROM|JOIN|INTO|UPDATE|TABLE|REFERENCES|WITH|RECURSIVE)\s+"
    r"(?:IF\s+(?:NOT\s+)?EXISTS\s+|ONLY\s+)?([^\s(,)]+)",
    re.I,
)
_FROM = re.compile(r"\bFROM\b(.*?)(?=\b(?:WHERE|GROUP|ORDER|LIMIT|UNION|ON|SELECT)\b|$)", re.I | re.S)
_CALLED = re.compile(r"([\w.]+)\s*\(")
_BEFORE_BRACKETS = {
    *("AND", "OR", "NOT", "IN", "EXISTS", "ON", "AS", "VALUES", "KEY", "UNIQUE", "CHECK", "OVER", "BY", "FROM", "JOIN"),
    *("WHERE", "SELECT", "SET", "UNION", "ALL", "INTERSECT", "EXCEPT", "CONFLICT", "WHEN", "THEN", "ELSE", "LIMIT"),
}
_STRANGE = re.compile(r";|--|/\*|\$|\bpg_|\binformation_schema\b", re.I)


class PluginTables:
    """See store/truth/tables.py."""

    def __init__(self, connections: Connections, plugin: str, migrations: Migrations) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9]{1,30}", plugin):
            raise Refused(f"tables of {plugin!r}: a plugin's name is small letters and digits")
        self._connections, self._plugin = connections, plugin
        self._migrate(migrations)

    @contextmanager
    def reading(self, until: float | None = None) -> Iterator[TableRows]:
        with self._connections.reading(until) as session:
            yield _Statements(session, self._plugin, _READS)

    @contextmanager
    def writing(self, seconds: float = PATIENCE) -> Iterator[TableChanges]:
        with self._connections.writing(seconds) as session:
            yield _Statements(session, self._plugin, _READS | _CHANGES)

    def _migrate(self, migrations: Migrations) -> None:
        note = f"tables:{self._plugin}"
        with self._connections.reading() as session:
            if _version(session, note) == len(migrations):
                return
        with self._connections.writing() as session:
            version = _version(session, note)  # another process may have been faster
            if version > len(migrations):
                raise TooNew(
                    f"{self._connections.place}: the tables of {self._plugin} have version {version}, this release "
                    f"knows {len(migrations)}; upgrade it, or name another database"
                )
            statements = _Statements(session, self._plugin, _READS | _CHANGES | _SCHEMA)
            for migration in migrations[version:]:
                for statement in migration:
                    statements.execute(statement)
            session.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (note, str(len(migrations))))
        learn_tables(self._connections)


class _Statements:
    """A plugin's hold on a transaction that belongs to the truth."""

    def __init__(self, session: Session, plugin: str, allowed: set[str]) -> None:
        self._session, self._plugin, self._allowed = session, plugin, allowed

    def query(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        self._check(statement)
        return self._session.execute(statement, tuple(values)).fetchall()

    def execute(self, statement: str, values: Sequence[Value] = ()) -> int:
        self._check(statement)
        return max(0, self._session.execute(statement, tuple(values)).rowcount)

    def execute_many(self, statement: str, rows: Iterable[Sequence[Value]]) -> int:
        self._check(statement)
        return max(0, self._session.executemany(statement, [tuple(row) for row in rows]).rowcount)

    def write(self, batch: Iterable[Prepared]) -> Written:
        made = [rows(each) for each in batch]
        try:
            return Written(writing.write_all(self._session, made), len(made))
        except writing.Unwritten as problem:
            reason = problem.reason or "vectors it counts on are not there"
            raise Refused(f"document {problem.document_id} cannot be stored ({reason}); nothing was written") from None

    def delete(self, document_ids: Iterable[str]) -> int:
        return writing.delete_all(self._session, document_ids)

    def _check(self, statement: str) -> None:
        plain = _QUOTED.sub("''", statement)
        verb = (plain.split(None, 1) or [""])[0].upper()
        if verb in self._allowed and not _STRANGE.search(plain) and self._is_own(plain):
            return
        way = f"a plugin's statements touch tables called {self._plugin}_… only, and change them while writing only"
        raise Refused(f"tables of {self._plugin}: {way}")

    def _is_own(self, plain: str) -> bool:
        own = f"{self._plugin}_"
        named = {name.strip('"').lower() for name in _NAMED.findall(plain)} - {"set", "recursive"}
        beside = [each.split() for some in _FROM.findall(plain) for each in some.split(",")[1:]]
        listed = {words[0].strip('"').lower() for words in beside if words}
        called = {name.lower() for name in _CALLED.findall(plain) if name.upper() not in _BEFORE_BRACKETS}
        return all(name.startswith(own) for name in named | listed) and all(
            name in FUNCTIONS or name.startswith(own) for name in called
        )


def _version(session: Session, note: str) -> int:
    row = session.execute("SELECT value FROM meta WHERE key = ?", (note,)).fetchone()
    return int(row[0]) if row else 0
