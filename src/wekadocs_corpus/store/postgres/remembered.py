"""Answers of the database that are still true: nothing was written since, on any machine.

Every transaction that writes tells all who listen; who reads first looks whether it was told anything. A way to the
server and back brings all that was told before it, so that nothing is believed for longer than a moment.
"""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import psycopg

from wekadocs_corpus.store.sql.connection import Values

Row = tuple[Any, ...]
Key = tuple[object, ...]
_MOST_BYTES = 64 * 2**20
_LONGEST = 256 * 2**10  # bytes of one answer: pages of vectors are read once
_TRUSTED = 0.025  # seconds that an answer may be old: the server is asked again whether it told anything
_AGAIN = 1.0  # seconds until a lost line is made anew


def key_of(statement: str, values: Values) -> Key | None:
    """None for what cannot be compared."""
    given = tuple(values.items()) if isinstance(values, Mapping) else tuple(values)
    plain = tuple(tuple(each) if isinstance(each, list) else each for each in given)
    comparable = all(isinstance(each, str | int | float | bytes | tuple | None) for each in plain)
    return (statement, *plain) if comparable else None


class Remembered:
    """As of one moment: an answer that was asked before a change is not kept after it."""

    def __init__(self) -> None:
        self._answers: dict[Key, list[Row]] = {}
        self._bytes = 0
        self._lock = threading.Lock()

    def recall(self, key: Key | None) -> list[Row] | None:
        return None if key is None else self._answers.get(key)

    def keep(self, key: Key | None, rows: list[Row]) -> None:
        size = 100 + sum(_size(row) for row in rows)
        if key is None or size > _LONGEST:
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
        self._asked = 0
        self._known = Remembered()

    @property
    def round_trips(self) -> int:
        return self._asked

    def known(self) -> Remembered | None:
        """What may be remembered now; None where it cannot be known whether it is still true."""
        with self._lock:
            if not self._listening():
                return None
            self._listen()
            return self._known if self._line is not None else None

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
            self._tried = now
            try:
                line = self._connect()
                line.execute(f'LISTEN "{self._channel}"', prepare=False)
                line.add_notify_handler(self._told)
            except Exception:
                return False
            self._line, self._heard = line, now
            self.forget()
        return self._line is not None

    def _listen(self) -> None:
        line = self._line
        assert line is not None
        try:
            if select.select([line.fileno()], [], [], 0)[0] or time.monotonic() - self._heard > _TRUSTED:
                self._asked += 1
                line.execute("SELECT 1", prepare=False)
                self._heard = time.monotonic()
        except (psycopg.Error, OSError, ValueError):
            self._drop()

    def _told(self, _: psycopg.Notify) -> None:
        self.forget()

    def _drop(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None
        self.forget()
