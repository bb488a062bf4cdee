"""Answers of the database that are still true: nothing was written since, on any machine.

Every transaction that writes tells all who listen; who reads first looks whether it was told anything. While questions
come, the server is asked now and then whether it has told everything, and nobody waits for that: only where it does not
answer for long is nothing believed before it does.
"""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import psycopg
from psycopg.pq.abc import PGconn

from wekadocs_corpus.at_once import WouldWait, may_wait, not_at_once
from wekadocs_corpus.store.sql.connection import Values

from .vocabulary import Vocabulary

Row = tuple[Any, ...]
Key = tuple[object, ...]
_MOST_BYTES = 64 * 2**20
_LONGEST = 256 * 2**10  # bytes of one answer: pages of vectors are read once
_TRUSTED = 0.025  # seconds after which the server is asked again whether it told anything
_PATIENCE = 0.25  # seconds that such a question may be open: then everybody waits for its answer
_QUIET = (1.0, 4.0)  # seconds without a change after which it is worth while to know all words, and all texts
_WAITED = 5.0  # seconds until it is believed to be gone
_AGAIN = 1.0  # seconds until a lost line is made anew


def key_of(statement: str, values: Values) -> Key | None:
    """None for what cannot be compared, or names so much that nobody asks it twice."""
    if isinstance(values, Mapping) and any(isinstance(each, list) for each in values.values()):
        return None
    given = tuple(values.items()) if isinstance(values, Mapping) else tuple(values)
    plain = tuple(tuple(each) if isinstance(each, list) else each for each in given)
    comparable = all(isinstance(each, str | int | float | bytes | tuple | None) for each in plain)
    return (statement, *plain) if comparable else None


class Remembered:
    """As of one moment: an answer that was asked before a change is not kept after it."""

    def __init__(self) -> None:
        self.vocabulary: Vocabulary | None = None
        self._answers: dict[Key, list[Row]] = {}
        self._bytes = 0
        self._sequence: int | None = None
        self._lock = threading.Lock()
        self._since, self._learned = time.monotonic(), 0

    def to_be_learned(self) -> int:
        """What is to be learned now, as its place in _QUIET from 1 on: for one who asks, once it has been quiet."""
        with self._lock:
            if self._learned == len(_QUIET) or time.monotonic() < self._since + _QUIET[self._learned]:
                return 0
            self._learned += 1
            return self._learned

    def is_of(self, sequence: int) -> bool:
        """Whether who sees this change may give and take answers: one change is all that these are of, the first that
        was told. Two transactions that a change came between may have begun before anybody heard of it."""
        with self._lock:
            if self._sequence is None:
                self._sequence = sequence
            return self._sequence == sequence

    def recall(self, key: Key | None) -> list[Row] | None:
        return None if key is None else self._answers.get(key)

    def keep(self, key: Key | None, rows: list[Row]) -> None:
        if key is None:
            return
        size = 100 + _size(key[1:]) + sum(_size(row) for row in rows)
        if size > _LONGEST:
            return
        with self._lock:
            if self._bytes + size > _MOST_BYTES:
                self._answers, self._bytes = {}, 0
            self._answers[key] = rows
            self._bytes += size


def _size(row: Row) -> int:
    return 50 + sum(len(each) if isinstance(each, (str, bytes)) else 8 for each in row)


class Notices:
    """A line to the server on which it tells of every change; without it nothing is remembered."""

    def __init__(self, channel: str, connect: Callable[[], psycopg.Connection[Any]]) -> None:
        self._channel, self._connect = channel, connect
        self._line: psycopg.Connection[Any] | None = None
        self._lock = threading.Lock()
        self._tried = self._heard = float("-inf")
        self._open_since: float | None = None  # when it was asked what it has not answered yet
        self._asked = 0
        self._known = Remembered()

    @property
    def round_trips(self) -> int:
        return self._asked

    def known(self) -> Remembered | None:
        """What may be remembered now; None where it cannot be known whether it is still true."""
        if not self._lock.acquire(blocking=may_wait()):
            raise WouldWait
        try:
            if not self._listening():
                return None
            self._listen()
            return self._known if self._line is not None else None
        finally:
            self._lock.release()

    def forget(self) -> None:
        """Something was written, here or elsewhere."""
        self._known = Remembered()

    def close(self) -> None:
        with self._lock:
            self._drop()
            self._tried = float("inf")

    def _listening(self) -> bool:
        now = time.monotonic()
        if self._line is None and now - self._tried > _AGAIN:
            not_at_once()
            self._tried = now
            try:
                line = self._connect()
                line.execute(f'LISTEN "{self._channel}"', prepare=False)
            except Exception:
                return False
            self._line, self._heard = line, now
            self.forget()
        return self._line is not None

    def _listen(self) -> None:
        line = self._line
        assert line is not None
        try:
            self._take_in(line.pgconn, 0)
            now = time.monotonic()
            if self._open_since is None and now - self._heard > _TRUSTED:
                line.pgconn.send_query(b"SELECT 1")
                line.pgconn.flush()
                self._open_since = now
            elif self._open_since is not None and now - self._open_since > _PATIENCE:
                not_at_once()
                self._asked += 1
                self._take_in(line.pgconn, _WAITED)
        except (psycopg.Error, OSError, ValueError):
            self._drop()

    def _take_in(self, server: PGconn, seconds: float) -> None:
        """What the server has told; with seconds, until it has answered."""
        end = time.monotonic() + seconds
        while select.select([server.socket], [], [], max(0.0, end - time.monotonic()) if seconds else 0)[0]:
            server.consume_input()
            while server.notifies() is not None:
                self.forget()
            if self._open_since is not None and self._answered(server):
                self._heard, self._open_since = self._open_since, None
                return
        if seconds:
            raise OSError("it does not answer")

    @staticmethod
    def _answered(server: PGconn) -> bool:
        while not server.is_busy():
            if server.get_result() is None:
                return True
        return False

    def _drop(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = self._open_since = None
        self.forget()
