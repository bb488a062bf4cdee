"""The truth in a PostgreSQL database that any number of machines share; the data directory is a cache beside it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from wekadocs_corpus.model import Filters, Scope
from wekadocs_corpus.store.sql.collections.tables import SqlCollections
from wekadocs_corpus.store.sql.connection import PATIENCE, Connection
from wekadocs_corpus.store.sql.far.found import checked
from wekadocs_corpus.store.sql.far.hop import Hopped, Seed, hop
from wekadocs_corpus.store.sql.far.recent import FarRecent
from wekadocs_corpus.store.sql.truth import SqlTruth
from wekadocs_corpus.store.truth.rows import Fault
from wekadocs_corpus.store.truth.tables import Migrations, Tables

from .connections import Connections, rows
from .failures import RIGHTS
from .jobs.board import JobBoard
from .preparing import missing, prepared
from .session import Session
from .tables import PluginTables
from .turns import Turn

_SIZE = """SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c
 JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p')"""

_MAY_WRITE = """SELECT NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off'
 AND has_table_privilege('documents', 'INSERT') AND has_table_privilege('meta', 'INSERT')"""


class PostgresTruth(SqlTruth):
    """Any number of processes and threads, on any number of machines, may hold one of these on the same schema."""

    engine = "postgres"

    def __init__(self, data_dir: Path, settings: Mapping[str, Any]) -> None:
        super().__init__()
        self._recent: FarRecent = FarRecent()
        self.data_dir, self.address = data_dir, settings
        self._connections = Connections(
            str(settings["url"]),
            str(settings.get("schema") or "wekadocs"),
            int(settings.get("connections") or 10),
            float(settings.get("timeout_seconds") or 5),
            self._recent.learn,
            self._recent.learn_texts,
        )
        try:
            self.id = prepared(self._connections)
        except BaseException:
            self.close()
            raise

    def reading(self, until: float | None = None) -> AbstractContextManager[Session]:
        return self._connections.reading(until, remembering=True)

    def writing(self, seconds: float = PATIENCE) -> AbstractContextManager[Session]:
        return self._connections.writing(seconds)

    def found(
        self,
        lists: Sequence[Sequence[str]],
        words: Sequence[str],
        weights: Mapping[int, float],
        scope: Scope,
        filters: Filters,
    ) -> tuple[dict[str, str], dict[str, float]]:
        with self.reading() as connection:
            return checked(connection, lists, words, weights, scope, filters, self._recent)

    def hop(
        self,
        seeds: Sequence[Seed],
        concepts: Sequence[str],
        most_naming: int,
        terms: Collection[int],
        scope: Scope,
        filters: Filters,
        along: Sequence[str],
    ) -> Hopped:
        """All of a second hop in one way to the database, see store/sql/far/hop.py."""
        with self.reading() as connection:
            return hop(connection, self._recent, seeds, concepts, most_naming, terms, scope, filters, along)

    def collection_tables(self) -> SqlCollections:
        """What is compared before and after a server was asked is never remembered."""
        return SqlCollections(self._connections)

    def tables(self, plugin: str, migrations: Migrations) -> Tables:
        return PluginTables(self._connections, plugin, migrations)

    @property
    def asked(self) -> int:
        """How often this process has waited for rows."""
        return self._connections.catalogue.round_trips

    @property
    def round_trips(self) -> int:
        """The same, and how often it has asked whether anybody wrote."""
        return self.asked + self._connections.notices.round_trips

    def jobs(self) -> JobBoard:
        return JobBoard(self._connections)

    def turn(self, name: str) -> Turn | None:
        return Turn.take(self._connections.opened, f"{self._connections.schema} {name}")

    def stored_bytes(self, connection: Connection) -> int:
        return int(connection.execute(_SIZE).fetchone()[0])

    def broken(self, connection: Connection, *, thorough: bool) -> Sequence[tuple[str, str]]:  # noqa: ARG002
        gone = missing(self._connections)
        return [(f"tables are missing: {', '.join(gone)}", "restore a dump of the database")] if gone else []

    def advice(self) -> list[Fault]:
        with self._connections.plain() as connection:
            may_write = rows(connection, _MAY_WRITE)[0][0]
        if may_write:
            return []
        what = f"{self._connections.place}: may only be read as this user; servers answer, nothing can be taken in"
        return [Fault(what, f"where it shall be: {RIGHTS}, or name the primary")]

    def settle(self) -> None:
        """After much was written: the planner learns what there is now."""
        with self._connections.plain() as connection:
            for table in sorted(self._connections.catalogue.tables):
                connection.execute(f'ANALYZE "{table}"', prepare=False)

    def close(self) -> None:
        self._connections.close()
