"""A schema for the truth: its tables made, or brought to this release's version, or refused."""

from __future__ import annotations

import uuid
from pathlib import Path

from psycopg import OperationalError, errors

from wekadocs_corpus.store.errors import Damaged, StoreError, TooNew, TooOld

from .connections import Connection, Connections, rows
from .dialect import Table
from .failures import of_asking, without_rights

OLDEST = 140_000  # server_version_num of PostgreSQL 14
# Each brings the tables to the next version, counted from 1; never change an old one.
MIGRATIONS = ("schema.sql", "jobs/schema.sql")
SCHEMA_VERSION = len(MIGRATIONS)
_POOLED = (
    "a pooler before it has another connection for each transaction (pool_mode = transaction of PgBouncer): what is a "
    "connection's own, locks and notices among it, is lost; set pool_mode = session, or name the server itself"
)
_LOOKS = 5  # at whose turn it is
_CLOSED = "SELECT 1 FROM pg_namespace WHERE nspname = %s AND NOT has_schema_privilege(oid, 'USAGE')"
_META = "SELECT 1 FROM pg_tables WHERE schemaname = %s AND tablename = 'meta'"
_TABLES = """SELECT c.relname, a.attname, coalesce(a.attnum = ANY (i.indkey), false), format_type(a.atttypid, NULL)
 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
 LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
 WHERE n.nspname = %s AND c.relkind IN ('r', 'p') ORDER BY c.relname, a.attnum"""


def prepared(connections: Connections) -> str:
    """The identity of this truth, made once."""
    with connections.plain() as connection:
        _refuse_old_server(connection, connections.place)
        _refuse_pooled_transactions(connection, connections)
        if rows(connection, _CLOSED, connections.schema):
            raise without_rights(connections.url, connections.schema)
        facts = _own_facts(connection, connections)
    if _version(connections, facts) < SCHEMA_VERSION:
        facts = _migrated(connections)
    found = _version(connections, facts)
    if found > SCHEMA_VERSION:
        raise TooNew(
            f"{connections.place}: written by a later release (schema version {found}, this one reads "
            f"{SCHEMA_VERSION}); upgrade wekadocs-mcp, or name another database or truth.schema"
        )
    learn_tables(connections)
    return facts["id"]


def _version(connections: Connections, facts: dict[str, str]) -> int:
    """Of the tables; 0 where there are none."""
    said = facts.get("schema", "0")
    if not said.isdecimal():
        raise _not_ours(connections, f"their version is {said[:40]!r}")
    return int(said)


def _not_ours(connections: Connections, why: str) -> Damaged:
    way = "restore a dump of the whole schema, or name another truth.schema"
    what = f"tables of the schema {connections.schema} are not as they were left"
    return Damaged(f"{connections.place}: {what} ({why}); {way}")


def learn_tables(connections: Connections) -> None:
    """What rows are known by, for statements that replace."""
    with connections.plain() as connection:
        found: dict[str, list[tuple[str, bool, str]]] = {}
        for table, *column in rows(connection, _TABLES, connections.schema):
            found.setdefault(table, []).append((column[0], column[1], column[2]))
    connections.catalogue.tables = {name: _table(columns) for name, columns in found.items()}


def _table(columns: list[tuple[str, bool, str]]) -> Table:
    """Of name, whether it is of the key, and type of each."""
    key = tuple(name for name, is_key, _ in columns if is_key)
    return Table(key, tuple(name for name, is_key, _ in columns if not is_key), {name: of for name, _, of in columns})


def missing(connections: Connections) -> list[str]:
    """Tables that somebody has dropped."""
    there = set(connections.catalogue.tables)
    lines = [line for script in MIGRATIONS for line in _script(script).splitlines()]
    wanted = [line.split()[2] for line in lines if line.startswith("CREATE TABLE ")]
    return [name for name in wanted if name not in there]


def _refuse_old_server(connection: Connection, place: str) -> None:
    version = connection.info.server_version
    if version < OLDEST:
        raise TooOld(f"{place}: is version {version // 10_000}; PostgreSQL {OLDEST // 10_000} or later is needed")


def _refuse_pooled_transactions(connection: Connection, connections: Connections) -> None:
    if _backend(connection) == connection.info.backend_pid:
        return  # nobody stands between
    other = connections.opened()
    try:
        shared = any(_have_one(connection, other) for _ in range(_LOOKS))
    except OperationalError:  # it allows no transactions at all
        shared = True
    finally:
        other.close()
    if shared:
        raise StoreError(f"{connections.place}: {_POOLED}")


def _have_one(connection: Connection, other: Connection) -> bool:
    """Whether what answers one of them is given to another while that is in a transaction."""
    before = _backend(connection)
    with other.transaction():
        return _backend(other) == before or _backend(connection) != before


def _backend(connection: Connection) -> object:
    """The process that answers; nothing is left behind with it."""
    return connection.execute("SELECT pg_backend_pid()", prepare=False).fetchall()[0][0]


def _facts(connection: Connection, schema: str) -> dict[str, str]:
    there = rows(connection, _META, schema)
    return dict(rows(connection, "SELECT key, value FROM meta")) if there else {}


def _own_facts(connection: Connection, connections: Connections) -> dict[str, str]:
    """The same, where the table is one of ours."""
    try:
        return _facts(connection, connections.schema)
    except errors.UndefinedColumn:
        raise _not_ours(connections, "meta is somebody else's") from None


def _migrated(connections: Connections) -> dict[str, str]:
    """All steps in one transaction; of two processes the second finds the work done."""
    with connections.plain() as connection:
        try:
            with connection.transaction():
                key = f"{connections.schema} schema"
                connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (key,))
                if not rows(connection, "SELECT 1 FROM pg_namespace WHERE nspname = %s", connections.schema):
                    connection.execute(f'CREATE SCHEMA "{connections.schema}"')
                facts = _facts(connection, connections.schema)
                for script in MIGRATIONS[_version(connections, facts) :]:
                    connection.execute(_script(script), prepare=False)
                return _noted(connection)
        except errors.InsufficientPrivilege as problem:
            raise StoreError(f"{of_asking(problem, connections.url)}; its tables could not be made") from None
        except (errors.DuplicateTable, errors.DuplicateObject, errors.UndefinedTable) as problem:
            raise _not_ours(connections, str(problem.diag.message_primary)) from None


def _noted(connection: Connection) -> dict[str, str]:
    put = "INSERT INTO meta VALUES (%s, %s) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
    connection.execute(put, ("schema", str(SCHEMA_VERSION)))
    connection.execute("INSERT INTO meta VALUES (%s, %s) ON CONFLICT DO NOTHING", ("id", uuid.uuid4().hex))
    return dict(rows(connection, "SELECT key, value FROM meta"))


def _script(name: str) -> str:
    return (Path(__file__).parent / name).read_text("utf-8")
