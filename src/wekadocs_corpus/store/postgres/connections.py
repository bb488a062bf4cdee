"""Connections to one PostgreSQL database: a few that are kept open, one writer at a time among all machines."""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

from wekadocs_corpus import stopping
from wekadocs_corpus.store.errors import Busy, StoreError
from wekadocs_corpus.store.sql.connection import PATIENCE

from .driver import connect
from .failures import of_asking, of_connecting, place
from .remembered import Notices
from .session import Catalogue, Held, Row, Session

_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_LONGEST = 60.0  # seconds: a reader that was given no deadline must not wait for a server that hangs
_ROLLED_BACK = 5.0  # seconds that the end of a reader's transaction may take
Connection = psycopg.Connection[Row]


class Connections:
    """Each is used by one thread at a time."""

    def __init__(self, url: str, schema: str, most: int, seconds: float) -> None:
        self.url, self.schema, self.place = url, schema, place(url)
        self.catalogue = Catalogue()
        self._seconds = seconds
        self.notices = Notices(f"{schema} changes", self.opened)
        self._idle: list[Connection] = []
        self._pool = threading.Lock()
        self._places = threading.Semaphore(most)
        self._closed = False

    @contextmanager
    def reading(self, until: float | None = None, *, remembering: bool = False) -> Iterator[Session]:
        """One consistent view of everything; `until` (time.monotonic) interrupts a query that takes longer.

        `remembering`: what was read a moment ago, and has not changed since, is not read again.
        """
        stopping.check()
        known = self.notices.known() if remembering else None
        with self._one() as held:
            yield Session(held, self.catalogue, (_READ, _limit(until)), known)

    @contextmanager
    def writing(self, seconds: float = PATIENCE) -> Iterator[Session]:
        """One transaction: all of it is kept, or nothing. Nobody else writes meanwhile, on any machine: so numbers
        are given in the order in which they are seen."""
        with self._one() as held:
            held.at_first(lambda: self._begin_writing(held.connection, seconds))
            session = Session(held, self.catalogue, ())
            yield session
            session.words.settle(session)
            with held.connection.pipeline():
                held.connection.execute(f'NOTIFY "{self.schema} changes"', prepare=False)
                held.connection.execute("COMMIT")
            self.notices.forget()

    def _begin_writing(self, connection: Connection, seconds: float) -> None:
        with connection.pipeline():
            connection.execute("BEGIN")
            connection.execute(f"SET LOCAL lock_timeout = {max(1, round(seconds * 1000))}", prepare=False)
            connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (f"{self.schema} writer",))

    @contextmanager
    def plain(self) -> Iterator[Connection]:
        """For what no transaction is needed for."""
        with self._one() as held:
            yield held.connection

    def opened(self) -> Connection:
        """One more, which is the caller's own."""
        try:
            return connect(self.url, self.schema, self._seconds)
        except psycopg.Error as problem:
            raise of_connecting(problem, self.url) from None

    def close(self) -> None:
        self.notices.close()
        with self._pool:
            self._closed = True
            idle, self._idle = self._idle, []
        for each in idle:
            each.close()

    @contextmanager
    def _one(self) -> Iterator[Held]:
        if not self._places.acquire(timeout=_LONGEST):
            raise Busy(f"{self.place}: all connections have been in use for long; raise truth.connections")
        held = None
        try:
            held = Held(self._take)
            yield held
        except psycopg.Error as problem:
            raise of_asking(problem, self.url) from problem
        finally:
            if held is not None:
                self._give_back(held.connection)
            self._places.release()

    def _take(self) -> Connection:
        if self._closed:
            raise StoreError(f"{self.place} was closed")
        while True:
            with self._pool:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                return self.opened()
            if _ready(connection):
                return connection
            connection.close()

    def _give_back(self, connection: Connection) -> None:
        """What it is in ends without anybody waiting for that: the answer is read by whoever takes it next."""
        if connection.closed or self._closed:
            connection.close()
            return
        if connection.info.transaction_status != TransactionStatus.IDLE:
            connection.pgconn.send_query(b"ROLLBACK")
            connection.pgconn.flush()
        with self._pool:
            self._idle.append(connection)


def _ready(connection: Connection) -> bool:
    """Whether it is still there; what it was last told has been answered."""
    try:
        if not _answered(connection):
            return False
        if select.select([connection.fileno()], [], [], 0)[0]:
            return False  # nothing was asked: it says that it goes
    except (psycopg.Error, OSError, ValueError):
        return False
    return not connection.closed and connection.info.transaction_status == TransactionStatus.IDLE


def _answered(connection: Connection) -> bool:
    """Not by waiting for a result as such: the driver would keep all other threads waiting too."""
    server, end = connection.pgconn, time.monotonic() + _ROLLED_BACK
    while True:
        while server.is_busy():
            if not select.select([connection.fileno()], [], [], max(0.0, end - time.monotonic()))[0]:
                return False
            server.consume_input()
        if server.get_result() is None:
            return True


def _limit(until: float | None) -> str:
    left = _LONGEST if until is None else until - time.monotonic()
    return f"SET LOCAL statement_timeout = {max(1, round(left * 1000))}"


def rows(connection: Connection, statement: str, *values: Any) -> list[Row]:
    return connection.execute(statement, values or None).fetchall()
