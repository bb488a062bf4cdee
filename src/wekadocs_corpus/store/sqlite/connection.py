"""Connections to one SQLite file that many processes share: readers from a pool, one writer, patience with locks."""

from __future__ import annotations

import contextvars
import functools
import os
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from wekadocs_corpus import stopping
from wekadocs_corpus.graph.interface import told
from wekadocs_corpus.stopping import Stop
from wekadocs_corpus.store.errors import Busy, Damaged, Replaced, StoreError
from wekadocs_corpus.store.sql.connection import PATIENCE, Fetched, Question
from wekadocs_corpus.store.writing.ids import id_key
from wekadocs_corpus.store.writing.packing import unpack_spans

from . import wholeness
from .words import SqliteWords

Result = TypeVar("Result")

# The third is a race of many processes that open the file at once.
_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
# Milliseconds in SQLite's own wait, which nothing can cancel. Readers only meet it while another process recovers the
# file after a crash; a writer comes back soon and waits its turn in `patiently`.
_READER_WAITS, _WRITER_WAITS = 30_000, 500
_SECONDS_BETWEEN_LOOKS = 1.0  # whether the file is still there: an open one answers long after it was deleted
_STEPS_BETWEEN_LOOKS = 20_000  # virtual machine steps between two looks at the clock: about a millisecond


class Opened(sqlite3.Connection):
    """Speaks the shared statements as they stand."""

    words: ClassVar[SqliteWords] = SqliteWords()
    far: ClassVar[bool] = False
    unfit: ClassVar[tuple[type[Exception], ...]] = (sqlite3.IntegrityError, sqlite3.DataError)

    def put(self, statement: str, rows: Iterable[Sequence[Any]], /) -> None:
        self.executemany(statement, rows)

    def ask_all(self, questions: Sequence[Question]) -> list[Fetched]:
        """One after the other, each to its end: a statement that is still being read would be prepared again."""
        return [Fetched(self.execute(*each).fetchall()) for each in questions]

    def expect(self, questions: Sequence[Question]) -> None:
        """Nothing is far."""

    def field_value(self, value: str | float) -> object:
        return value


class Connections:
    """A pool of readers and one writer; each connection is used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._idle: list[Opened] = []
        self._writer: Opened | None = None
        self._turn = threading.Lock()
        self._pool = threading.Lock()
        self._closed = False
        self._opened_file: tuple[int, ...] | None = None
        self._looked, self._gone = 0.0, False

    @contextmanager
    def reading(self, until: float | None = None) -> Iterator[Opened]:
        """One consistent view of everything; `until` (time.monotonic) interrupts a query that takes longer.

        So does whoever no longer waits for this thread.
        """
        stopping.check()
        connection = None
        try:
            connection = self._take()
            stop = Stop(until) if until is not None else stopping.current()
            if stop is not None:
                connection.set_progress_handler(stop.told, _STEPS_BETWEEN_LOOKS)
            connection.execute("BEGIN")
            yield connection
        except sqlite3.DatabaseError as problem:
            raise _explained(problem, self.path, connection) from problem
        finally:
            if connection is not None:
                self._give_back(connection)

    @contextmanager
    def writing(self, seconds: float = PATIENCE) -> Iterator[Opened]:
        """One transaction: all of it is kept, or nothing."""
        with self._turn:
            self._refuse_replaced()
            try:
                connection = self._writer = self._writer or self._for_writing()
                patiently(lambda: connection.execute("BEGIN IMMEDIATE"), seconds, self.path)
                yield connection
                connection.execute("COMMIT")
            except sqlite3.DatabaseError as problem:
                raise _explained(problem, self.path, self._writer) from problem
            finally:
                if self._writer is not None and self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")

    def settle(self) -> None:
        """Bring what the log holds into the file and empty it, as far as nobody is reading from it."""
        with self._turn:
            if self._writer is not None:
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def close(self) -> None:
        with self._turn, self._pool:
            self._closed = True
            for connection in [*self._idle, *([self._writer] if self._writer else [])]:
                connection.close()
            self._idle, self._writer = [], None

    def _refuse_replaced(self) -> None:
        now = time.monotonic()
        if self._opened_file is not None and (self._gone or now - self._looked > _SECONDS_BETWEEN_LOOKS):
            self._looked, self._gone = now, _file_id(self.path) != self._opened_file
        if self._gone:
            raise Replaced(f"{self.path}: was deleted or replaced since it was opened; restart the server")

    def _take(self) -> Opened:
        self._refuse_replaced()
        with self._pool:
            if self._idle:
                return self._idle.pop()
        return self._opened(_READER_WAITS)

    def _give_back(self, connection: Opened) -> None:
        connection.set_progress_handler(None, 0)
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        with self._pool:
            if self._closed:
                connection.close()
            else:
                self._idle.append(connection)

    def _for_writing(self) -> Opened:
        connection = self._opened(_WRITER_WAITS)
        connection.execute("PRAGMA cache_size = -65536")  # KiB: the pages that one batch of documents touches
        return connection

    def _opened(self, waits: int) -> Opened:
        if self._closed:
            raise StoreError(f"{self.path} was closed")
        # In a context of its own: what ends whoever opened it must not end those who use it later.
        connect = functools.partial(contextvars.Context().run, _connect, self.path, waits)
        connection = patiently(connect, PATIENCE, self.path)
        self._opened_file = self._opened_file or _file_id(self.path)
        return connection


def _file_id(path: Path) -> tuple[int, ...] | None:
    try:
        state = path.stat()
    except OSError:
        return None
    # Where nothing can be locked, nobody may write either: a write by another machine or mount shows here.
    written = (state.st_mtime_ns,) if _is_frozen(path) else ()
    return state.st_dev, state.st_ino, *written


def _is_frozen(path: Path) -> bool:
    """In a folder that cannot be written, with nothing left over in the log: an image or a read-only mount."""
    log = path.with_name(f"{path.name}-wal")
    # Not Path's own questions: they raise in a folder that we may not look into.
    return os.path.isfile(path) and not os.access(path.parent, os.W_OK) and not os.path.exists(log)  # noqa: PTH110, PTH113


def _connect(path: Path, waits: int) -> Opened:
    frozen = _is_frozen(path)
    name = f"{path.absolute().as_uri()}?immutable=1" if frozen else path
    kept: dict[str, Any] = {"isolation_level": None, "check_same_thread": False, "cached_statements": 256}
    connection = sqlite3.connect(name, factory=Opened, uri=frozen, **kept)
    try:
        connection.create_function("id_key", 1, id_key, deterministic=True)
        connection.create_function("told", 4, _weight_told, deterministic=True)
        connection.execute("PRAGMA temp_store = MEMORY")
        # Read from the system's cache in place: SQLite's own, 2 MB, would copy the same pages for every question.
        # Safe because nothing ever makes the file shorter.
        connection.execute("PRAGMA mmap_size = 4294967296")
        if not frozen:
            _share(connection, waits)
    except BaseException:
        connection.close()
        raise
    return connection


def _weight_told(evidence: bytes, weight: float, start: int, end: int) -> float:
    return told(unpack_spans(evidence), weight, start, end)


def _share(connection: sqlite3.Connection, waits: int) -> None:
    """With processes that write, of which this may be one."""
    connection.execute(f"PRAGMA busy_timeout = {waits}")
    connection.execute(
        "PRAGMA page_size = 8192"
    )  # of a new file: rows of half a page would leave a quarter of it empty
    connection.execute("PRAGMA journal_mode = WAL")
    # In WAL mode NORMAL survives a killed process; only a power cut may take the last commits, never the order.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA journal_size_limit = 134217728")
    # Ids are random, so a batch of documents touches pages everywhere: checkpoint less often, write each page once.
    connection.execute("PRAGMA wal_autocheckpoint = 16384")


def patiently(work: Callable[[], Result], seconds: float, path: Path) -> Result:
    """Try until other processes let go: nobody shall read "database is locked"."""
    end = time.monotonic() + seconds
    while True:
        try:
            return work()
        except sqlite3.OperationalError as problem:
            if _code(problem) not in _LOCKED:
                raise
            if time.monotonic() > end:
                raise Busy(f"{path}: other processes have been writing for {seconds:.0f} s; try again later") from None
        time.sleep(random.uniform(0.001, 0.02))  # noqa: S311 (so that two waiting processes do not march in step)


def _explained(problem: sqlite3.DatabaseError, path: Path, connection: sqlite3.Connection | None) -> Exception:
    """SQLite's words with the way out, where there is one."""
    match _code(problem):
        case sqlite3.SQLITE_INTERRUPT:
            return TimeoutError("the query was interrupted at its deadline")
        case sqlite3.SQLITE_FULL:
            return StoreError(f"{path}: the disk is full; free some space and go on, nothing is lost")
        case sqlite3.SQLITE_IOERR:
            return StoreError(
                f"{path}: the system refused to read or write it; look for a quota, a limit on file sizes (ulimit -f) "
                "or a failing disk. What was taken in before is kept"
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN:
            return StoreError(
                f"{path}: cannot be written; check the folder's owner and rights, or choose another --data"
            )
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return Damaged(f"{path}: damaged; {wholeness.CURE}")
        case sqlite3.SQLITE_ERROR if connection is not None and (gone := wholeness.missing(connection)):
            return wholeness.damage(path, gone)
        case code if code in _LOCKED:
            return Busy(f"{path}: other processes keep it locked; try again")
    return problem


def _code(problem: sqlite3.DatabaseError) -> int:
    """The primary code: extended ones carry it in their low byte. Errors of the Python layer have none."""
    return getattr(problem, "sqlite_errorcode", 0) & 0xFF
