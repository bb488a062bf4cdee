"""Rows that wait until something is asked: many documents' rows of a table go in together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import psycopg

from .dialect import Table

_INSERT = re.compile(r"INSERT(?: OR (IGNORE|REPLACE))? INTO (\w+)(?: \((.*?)\))? VALUES \([?, ]+\)")
_REFERRED_TO = {"documents": 0, "sections": 1, "chunks": 2}  # before what refers to them
Values = Sequence[Any]


class Insertion(NamedTuple):
    """Whole rows; of two with one key the first may count, or the last."""

    table: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    conflict: str  # IGNORE, REPLACE or neither
    key: tuple[int, ...]  # which of the columns

    @property
    def listed(self) -> str:
        return ", ".join(f'"{column}"' for column in self.columns)


def insertion(statement: str, tables: Mapping[str, Table]) -> Insertion:
    found = _INSERT.fullmatch(statement)
    assert found is not None, statement
    table = tables[found[2]]
    columns = tuple(each.strip(' "') for each in found[3].split(",")) if found[3] else tuple(table.types)
    key = tuple(columns.index(each) for each in table.key) if found[1] == "REPLACE" else ()
    return Insertion(found[2], columns, tuple(table.types[each] for each in columns), found[1] or "", key)


class WaitingRows:
    """Of one transaction."""

    def __init__(self, translated: Callable[[str], str]) -> None:
        self._translated = translated
        self._rows: dict[Insertion, list[Values]] = {}

    def add(self, into: Insertion, rows: Iterable[Values]) -> None:
        if given := list(rows):
            self._rows.setdefault(into, []).extend(given)

    def write(self, connection: psycopg.Connection[Any]) -> int:
        """How often the server was waited for."""
        waiting, self._rows = self._rows, {}
        for into, rows in sorted(waiting.items(), key=lambda each: _REFERRED_TO.get(each[0].table, len(_REFERRED_TO))):
            if into.conflict:
                self._merge(connection, into, rows)
            else:
                _copy(connection, into, rows)
        return len(waiting)

    def _merge(self, connection: psycopg.Connection[Any], into: Insertion, rows: list[Values]) -> None:
        if into.conflict == "REPLACE":
            rows = list({tuple(row[place] for place in into.key): row for row in rows}.values())
        lists = ", ".join(f"CAST(? AS {of}[])" for of in into.types)
        text = f"INSERT OR {into.conflict} INTO {into.table} ({into.listed}) SELECT * FROM unnest({lists})"
        by_column = [list(column) for column in zip(*rows, strict=True)]
        connection.cursor(binary=True).execute(self._translated(text), by_column)


def _copy(connection: psycopg.Connection[Any], into: Insertion, rows: list[Values]) -> None:
    with connection.cursor().copy(f'COPY "{into.table}" ({into.listed}) FROM STDIN (FORMAT BINARY)') as copy:
        copy.set_types(into.types)
        for row in rows:
            copy.write_row(row)
