"""A file for the truth: its tables made, or looked at whether this release can read them."""

from __future__ import annotations

import shlex
import sqlite3
import uuid
from collections.abc import Iterable
from typing import Any

from wekadocs_corpus.store.errors import TooNew, TooOld
from wekadocs_corpus.store.sql.connection import PATIENCE

from . import wholeness
from .connection import Connections, patiently

SCHEMA_VERSION = 6


def prepared(connections: Connections) -> str:
    """The identity of this truth, made once."""
    with connections.reading() as connection:
        gone = wholeness.missing(connection)
    known = _facts(connections)
    if gone and known.get("schema", str(SCHEMA_VERSION)) == str(SCHEMA_VERSION):
        raise wholeness.damage(connections.path, gone)
    if not known:
        patiently(lambda: _create(connections), PATIENCE, connections.path)
        known = _facts(connections)
    layout = int(known["schema"])
    if layout > SCHEMA_VERSION:
        raise TooNew(
            f"{connections.path}: written by a later release (layout {layout}, this one reads {SCHEMA_VERSION}); "
            "upgrade wekadocs-mcp or choose another --data"
        )
    if layout < SCHEMA_VERSION:
        raise TooOld(
            f"{connections.path}: written by an earlier release (layout {layout}, this one reads {SCHEMA_VERSION}); "
            f"delete it and run `wekadocs-mcp ingest{_roots(connections)}` again: everything in it was read from there"
        )
    return str(known["id"])


def _facts(connections: Connections) -> dict[str, Any]:
    with connections.reading() as connection:
        there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone()
        return dict(connection.execute("SELECT key, value FROM meta").fetchall()) if there else {}


def _create(connections: Connections) -> None:
    with connections.writing() as connection:
        for statement in _statements(wholeness.script()):
            connection.execute(statement)
        facts = [("schema", str(SCHEMA_VERSION)), ("id", uuid.uuid4().hex)]
        connection.executemany("INSERT OR IGNORE INTO meta VALUES (?, ?)", facts)


def _roots(connections: Connections) -> str:
    """What was ingested, as arguments; every layout has this column."""
    with connections.reading() as connection:
        found = connection.execute("SELECT DISTINCT root FROM documents ORDER BY 1").fetchall()
    return "".join(f" {shlex.quote(root)}" for (root,) in found)


def _statements(script: str) -> Iterable[str]:
    """Statement by statement: `executescript` would commit before it begins, and two processes would interleave."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
