"""One transaction on the server, speaking the shared statements. It begins with its first statement: in one go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from wekadocs_corpus import stopping
from wekadocs_corpus.store.sql.connection import Values

from .dialect import Table, Translated, translated
from .failures import UNFIT
from .words import PostgresWords

Row = tuple[Any, ...]
Cursor = psycopg.Cursor[Row]


class Catalogue:
    """What is known of the tables, and statements as they were translated."""

    def __init__(self) -> None:
        self.tables: Mapping[str, Table] = {}
        self._translated: dict[str, Translated] = {}

    def translated(self, statement: str) -> Translated:
        found = self._translated.get(statement)
        if found is None:
            if len(self._translated) > 2000:
                self._translated.clear()
            found = self._translated[statement] = translated(statement, self.tables)
        return found


class Session:
    """See store/sql/connection.py. `begin` is sent before the first statement and not waited for."""

    unfit = UNFIT

    def __init__(self, connection: psycopg.Connection[Row], catalogue: Catalogue, begin: Sequence[str]) -> None:
        self._connection, self._catalogue, self._begin = connection, catalogue, begin
        self.words = PostgresWords()

    def execute(self, statement: str, values: Values = (), /) -> Cursor:
        stopping.check()
        text, numbered = self._catalogue.translated(statement)
        given = {f"p{place}": value for place, value in enumerate(values, 1)} if numbered else values
        cursor = self._connection.cursor(binary=True)
        if self._begin:
            with self._connection.pipeline():
                for first in self._begun():
                    self._connection.execute(first, prepare=False)
                return cursor.execute(text, given or None)
        return cursor.execute(text, given or None)

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> Cursor:
        for first in self._begun():
            self._connection.execute(first, prepare=False)
        cursor = self._connection.cursor(binary=True)
        cursor.executemany(self._catalogue.translated(statement).text, rows)
        return cursor

    def field_value(self, value: str | float) -> object:
        return Jsonb(value)

    def _begun(self) -> Sequence[str]:
        begin, self._begin = self._begin, ()
        return begin
