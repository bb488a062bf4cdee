"""What one of all machines does at a time: a lock that the server holds for a connection, and drops with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg

_TAKE = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))"


class Turn:
    """Held until `release`, or the end of the process or its machine."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    @classmethod
    def take(cls, connect: Callable[[], psycopg.Connection[Any]], name: str) -> Turn | None:
        """The lock, or None when somebody has it."""
        connection = connect()
        try:
            row = connection.execute(_TAKE, (name,)).fetchone()
        except psycopg.Error:
            row = None
        if row and row[0]:
            return cls(connection)
        connection.close()
        return None

    def release(self) -> None:
        self._connection.close()
