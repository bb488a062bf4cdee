"""Tables of a plugin's own, in the same store as the documents and, where it asks for it, in the same transaction.

Statements are plain SQL that every engine of the truth understands: `?` for values, types TEXT, INTEGER, REAL and BLOB,
every table, index and common table expression called after the plugin: `chunks_items` for the plugin chunks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from wekadocs_corpus.model import Prepared

from .rows import Written

Value = str | int | float | bytes | None
Row = tuple[Value, ...]
Migrations = Sequence[
    Sequence[str]
]  # each brings the tables to the next version, counted from 1; never change an old one

# What statements may call.
FUNCTIONS = {
    *("count", "sum", "min", "max", "avg", "total", "abs", "round", "coalesce", "ifnull", "nullif", "lower", "upper"),
    *("length", "substr", "replace", "trim", "instr", "like", "group_concat", "row_number", "rank", "dense_rank"),
}


class TableRows(Protocol):
    """One consistent view of a plugin's tables."""

    def query(self, statement: str, values: Sequence[Value] = ()) -> list[Row]: ...


class TableChanges(TableRows, Protocol):
    """One transaction: all of it is kept, or nothing."""

    def execute(self, statement: str, values: Sequence[Value] = ()) -> int:
        """How many rows it changed."""
        ...

    def execute_many(self, statement: str, rows: Iterable[Sequence[Value]]) -> int:
        """How many rows it changed in all."""
        ...

    def write(self, batch: Iterable[Prepared]) -> Written:
        """Documents with their chunks; one that cannot be stored ends the whole transaction."""
        ...

    def delete(self, document_ids: Iterable[str]) -> int:
        """How many of these documents were there."""
        ...


class Tables(Protocol):
    """Of one plugin. Waits and deadlines are those of the truth's own questions and changes."""

    def reading(self, until: float | None = None) -> AbstractContextManager[TableRows]: ...

    def writing(self, seconds: float = ...) -> AbstractContextManager[TableChanges]: ...
