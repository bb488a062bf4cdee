"""Whether every table is there with its columns: somebody may have opened the file with a tool of their own."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path

from wekadocs_corpus.store.errors import Damaged
from wekadocs_corpus.store.sql.connection import Connection

Plain = sqlite3.Connection | Connection
CURE = "move the file away and run `wekadocs-mcp ingest` on the documents again"
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
_COLUMNS = f"SELECT t.name || '.' || c.name FROM ({_TABLES}) AS t, pragma_table_info(t.name) AS c"


def script() -> str:
    return Path(__file__).with_name("schema.sql").read_text("utf-8")


def missing(connection: Plain) -> list[str]:
    """Tables, or else columns, that are not there; nothing where there is none of ours yet."""
    tables, columns = _expected()
    there = _names(connection, _TABLES)
    if tables.isdisjoint(there):
        return []
    # Only where all tables are: a virtual one without those behind it cannot be asked for its columns.
    return sorted(tables - there or columns - _names(connection, _COLUMNS))


def damage(path: Path, gone: list[str]) -> Damaged:
    return Damaged(f"{path}: damaged, {_listed(gone)} missing; {CURE}")


def _listed(gone: list[str]) -> str:
    names = ", ".join(f"`{name}`" for name in gone[:3])
    return f"{names}{f' and {len(gone) - 3} more' if gone[3:] else ''} {'is' if len(gone) == 1 else 'are'}"


def stored_bytes(connection: Connection) -> int:
    return _number(connection, "page_count") * _number(connection, "page_size")


def _number(connection: Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def broken(connection: Connection, *, thorough: bool) -> list[tuple[str, str]]:
    """What SQLite itself finds, each with its cure."""
    gone = missing(connection)
    if gone:
        return [(f"the database is damaged: {', '.join(gone)} missing", CURE)]
    check = "integrity_check" if thorough else "quick_check"
    rows = [row[0] for row in connection.execute(f"PRAGMA {check}(5)")]
    found = [(f"the database is damaged: {row}", "move it away and ingest again") for row in rows if row != "ok"]
    if connection.execute("PRAGMA foreign_key_check").fetchone():
        found.append(("rows of documents that are gone", "move the database away and ingest again"))
    return found


@cache
def _expected() -> tuple[frozenset[str], frozenset[str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(script())
        return _names(connection, _TABLES), _names(connection, _COLUMNS)


def _names(connection: Plain, ask: str) -> frozenset[str]:
    return frozenset(name for (name,) in connection.execute(ask))
