"""Tables of plugins in the database. A statement may name tables of its plugin only: every word of it that is a table
of ours, or of another plugin, is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from wekadocs_corpus.store.errors import Refused
from wekadocs_corpus.store.sql.connection import PATIENCE
from wekadocs_corpus.store.sql.plugin_tables import PluginStatements, check_plugin, migrate, up_to_date
from wekadocs_corpus.store.truth.tables import FUNCTIONS, Migrations, TableChanges, TableRows

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
        check_plugin(plugin)
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
        with self._connections.reading() as session:
            if up_to_date(session, self._plugin, migrations):
                return
        with self._connections.writing() as session:
            newer = self._connections.place, "upgrade it, or name another database"
            migrate(session, _Statements(session, self._plugin, _READS | _CHANGES | _SCHEMA), migrations, newer)
        learn_tables(self._connections)


class _Statements(PluginStatements):
    """Every word is looked at: this engine does not say what a statement touches."""

    def __init__(self, session: Session, plugin: str, allowed: set[str]) -> None:
        super().__init__(session, plugin)
        self._allowed = allowed

    @contextmanager
    def _checked(self, statement: str) -> Iterator[None]:
        plain = _QUOTED.sub("''", statement)
        verb = (plain.split(None, 1) or [""])[0].upper()
        if verb in self._allowed and not _STRANGE.search(plain) and self._is_own(plain):
            yield
            return
        raise Refused(f"tables of {self.plugin}: {self._way}")

    def _is_own(self, plain: str) -> bool:
        own = f"{self.plugin}_"
        named = {name.strip('"').lower() for name in _NAMED.findall(plain)} - {"set", "recursive"}
        beside = [each.split() for some in _FROM.findall(plain) for each in some.split(",")[1:]]
        listed = {words[0].strip('"').lower() for words in beside if words}
        called = {name.lower() for name in _CALLED.findall(plain) if name.upper() not in _BEFORE_BRACKETS}
        return all(name.startswith(own) for name in named | listed) and all(
            name in FUNCTIONS or name.startswith(own) for name in called
        )
