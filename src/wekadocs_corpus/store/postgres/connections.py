"""Connections to one PostgreSQL database: a few that are kept open, one writer at a time among all machines."""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

from wekadocs_corpus import stopping
from wekadocs_corpus.at_once import WouldWait, may_wait
from wekadocs_corpus.store.errors import Busy, StoreError
from wekadocs_corpus.store.sql.connection import PATIENCE

from .driver import connect
from .failures import of_asking, of_connecting, place
from .remembered import Notices, Remembered
from .session import Catalogue, Held, Row, Session
from .vocabulary import learned

_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_LONGEST = 60.0  # seconds: a reader that was given no deadline must not wait for a server that hangs
_SPARE = 3  # connections: while one of them ends its transaction, another is there
_FROZEN = 120_000  # milliseconds after which a writer that says nothing is no longer waited for by all others
_ROLLED_BACK = 5.0  # seconds that the end of a reader's transaction may take
Connection = psycopg.Connection[Row]
Learning = Callable[[Session], None]


class Connections:
    """Each is used by one thread at a time."""

    def __init__(self, url: str, schema: str, most: int, seconds: float, *learn: Learning) -> None:
        """`learn`: what reads ahead, once nothing has been written for a while, and for a while longer."""
        self.url, self.schema, self.place = url, schema, place(url)
        self.catalogue = Catalogue()
        self._seconds, self._more = seconds, learn
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
        if known is not None and (what := known.to_be_learned()):
            threading.Thread(target=self._learn, args=(known, what), daemon=True).start()
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
            session.write_out()
            session.words.settle(session)
            with held.connection.pipeline():
                held.connection.execute(f'NOTIFY "{self.schema} changes"', prepare=False)
                held.connection.execute("COMMIT")
            self.notices.forget()

    def _learn(self, known: Remembered, what: int) -> None:
        """Beside the questions, which ask for what they need until it is there."""
        with suppress(psycopg.Error, StoreError, TimeoutError), self._one() as held:
            held.connection.execute(f"{_READ}; {_limit(None)}", prepare=False)
            if what == 1:
                known.vocabulary = learned(held.connection)
            for more in self._more[what - 1 : what]:
                more(Session(held, self.catalogue, ()))

    def _begin_writing(self, connection: Connection, seconds: float) -> None:
        with connection.pipeline():
            connection.execute("BEGIN")
            connection.execute(f"SET LOCAL lock_timeout = {max(1, round(seconds * 1000))}", prepare=False)
            connection.execute(f"SET LOCAL idle_in_transaction_session_timeout = {_FROZEN}", prepare=False)
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
        if not may_wait():
            if not self._places.acquire(blocking=False):
                raise WouldWait
        elif not self._places.acquire(timeout=_LONGEST):
            raise Busy(f"{self.place}: all connections have been in use for long; raise truth.connections")
        held = None
        try:
            held = Held(self._take)
            yield held
        except psycopg.Error as problem:
            raise of_asking(problem, self.url) from problem
        finally:
            if held is not None and held.taken is not None:
                self._give_back(held.taken)
            self._places.release()

    def _take(self) -> Connection:
        """The one that has rested longest, without waiting where another has answered already."""
        if self._closed:
            raise StoreError(f"{self.place} was closed")
        with self._pool:
            found = next((each for each in self._idle if not _is_pending(each)), None)
            if found is None and len(self._idle) >= _SPARE:
                found = self._idle[0]
            if found is not None:
                self._idle.remove(found)
        if found is None:
            return self.opened()
        if _ready(found):
            return found
        found.close()
        return self._take()

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


def _is_pending(connection: Connection) -> bool:
    """Whether what it was last told has not been answered yet."""
    server = connection.pgconn
    try:
        if server.is_busy() and select.select([server.socket], [], [], 0)[0]:
            server.consume_input()
        return bool(server.is_busy())
    except (psycopg.Error, OSError, ValueError):
        return False  # whoever takes it will see


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
