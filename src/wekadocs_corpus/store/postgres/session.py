"""One transaction on the server, speaking the shared statements. It begins with its first statement: in one go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import psycopg
from psycopg.types.json import Jsonb

from wekadocs_corpus import stopping
from wekadocs_corpus.at_once import not_at_once
from wekadocs_corpus.store.sql.connection import Fetched, Values
from wekadocs_corpus.store.sql.reading.documents import SEQUENCE

from .dialect import Table, Translated, translated
from .failures import UNFIT
from .remembered import Key, Remembered, key_of
from .waiting_rows import Insertion, WaitingRows, insertion
from .words import PostgresWords

Row = tuple[Any, ...]
Result = TypeVar("Result")
_SEQUENCE = key_of(SEQUENCE, ())


class Catalogue:
    """What is known of the tables, statements as they were translated, and how often the server was waited for."""

    def __init__(self) -> None:
        self.tables: Mapping[str, Table] = {}
        self.round_trips = 0
        self._translated: dict[str, Translated] = {}
        self._insertions: dict[str, Insertion] = {}

    def insertion(self, statement: str) -> Insertion:
        found = self._insertions.get(statement)
        if found is None:
            found = self._insertions[statement] = insertion(statement, self.tables)
        return found

    def translated(self, statement: str) -> Translated:
        found = self._translated.get(statement)
        if found is None:
            if len(self._translated) > 2000:
                self._translated.clear()
            found = self._translated[statement] = translated(statement, self.tables)
        return found


class Held:
    """A connection that one thread has for now, from when it first needs one."""

    def __init__(self, take: Callable[[], psycopg.Connection[Row]]) -> None:
        self._take = take
        self.taken: psycopg.Connection[Row] | None = None

    @property
    def connection(self) -> psycopg.Connection[Row]:
        if self.taken is None:
            self.taken = self._take()
        return self.taken

    def at_first(self, work: Callable[[], Result]) -> Result:
        """What a transaction begins with; on another connection where the server has meanwhile closed this one."""
        try:
            return work()
        except psycopg.OperationalError:
            if not self.connection.closed:
                raise
            self.taken = self._take()
            return work()


class Session:
    """See store/sql/connection.py. `begin` is sent with the first statement and not waited for."""

    unfit = UNFIT
    far = True

    def __init__(
        self,
        held: Held,
        catalogue: Catalogue,
        begin: Sequence[str],
        known: Remembered | None = None,
    ) -> None:
        self._held, self._catalogue, self._begin, self._known = held, catalogue, begin, known
        self._sequence: list[Row] | None = None
        self._waiting = WaitingRows(lambda statement: catalogue.translated(statement).text)
        self.words = PostgresWords(known.vocabulary if known is not None else None)

    @property
    def _connection(self) -> psycopg.Connection[Row]:
        return self._held.connection

    def execute(self, statement: str, values: Values = (), /) -> Fetched:
        return self.ask_all([(statement, values)])[0]

    def ask_all(self, questions: Sequence[tuple[str, Values]]) -> list[Fetched]:
        """All of them in one go; what was asked before, and cannot have changed since, not again."""
        stopping.check()
        keys = [key_of(*each) for each in questions] if self._known is not None else [None] * len(questions)
        found = {place: rows for place, key in enumerate(keys) if (rows := self._recalled(key)) is not None}
        asked = [place for place in range(len(questions)) if place not in found]
        for place, cursor in zip(asked, self._sent([questions[place] for place in asked]), strict=True):
            fetched = cursor.fetchall() if cursor.description else []
            found[place] = Fetched(fetched, cursor.rowcount)
            if keys[place] == _SEQUENCE:
                self._see(fetched)
            if self._known is not None:
                self._known.keep(keys[place], fetched)
        return [found[place] for place in range(len(questions))]

    def expect(self, questions: Sequence[tuple[str, Values]]) -> None:
        if self._known is not None:
            self.ask_all(questions)

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> Fetched:
        given = [*rows]
        if not given:
            return Fetched([], 0)
        self.write_out()
        cursor = self._connection.cursor(binary=True)
        self._catalogue.round_trips += 1
        cursor.executemany(self._catalogue.translated(statement).text, given)
        return Fetched([], cursor.rowcount)

    def put(self, statement: str, rows: Iterable[Sequence[Any]], /) -> None:
        self._waiting.add(self._catalogue.insertion(statement), rows)

    def write_out(self) -> None:
        """Rows that were put and wait."""
        self._catalogue.round_trips += self._waiting.write(self._connection)

    def field_value(self, value: str | float) -> object:
        return Jsonb(value)

    def _recalled(self, key: Key | None) -> Fetched | None:
        rows = self._known.recall(key) if self._known is not None else None
        if key is not None and key == _SEQUENCE:
            rows = self._sequence = self._sequence or (rows if self._begin else None)
        return None if rows is None else Fetched(rows)

    def _see(self, sequence: list[Row]) -> None:
        """The latest change of this transaction, whatever others that began later or earlier remember."""
        self._sequence = sequence
        if self._known is not None and not self._known.is_of(sequence[0][0]):
            self._known = None

    def _sent(self, questions: Sequence[tuple[str, Values]]) -> list[psycopg.Cursor[Row]]:
        if not questions:
            return []
        not_at_once()
        self.write_out()
        self._catalogue.round_trips += 1
        if self._begin:
            begin, self._begin = self._begin, ()
            return self._held.at_first(lambda: self._together(questions, begin))
        return [self._send(*questions[0])] if len(questions) == 1 else self._together(questions)

    def _together(
        self, questions: Sequence[tuple[str, Values]], begin: Sequence[str] = ()
    ) -> list[psycopg.Cursor[Row]]:
        with self._connection.pipeline():
            for first in begin:
                self._connection.execute(first, prepare=False)
            return [self._send(*each) for each in questions]

    def _send(self, statement: str, values: Values) -> psycopg.Cursor[Row]:
        found = self._catalogue.translated(statement)
        return psycopg.RawCursor(self._connection).execute(found.raw, found.given(values) or None, binary=True)
