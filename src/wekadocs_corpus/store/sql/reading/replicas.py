"""How far copies on servers have come."""

from __future__ import annotations

import time

from wekadocs_corpus.store.sql.connection import Connection


def reached(connection: Connection, replica: str) -> int:
    row = connection.execute("SELECT sequence FROM replicas WHERE name = ?", (replica,)).fetchone()
    return int(row[0]) if row else 0


def record(connection: Connection, replica: str, sequence: int) -> None:
    put = "INSERT OR REPLACE INTO replicas (name, sequence, checked_at) VALUES (?, ?, ?)"
    connection.execute(put, (replica, sequence, time.time()))
