"""A connection as every statement here sees it, whichever engine is behind it.

Statements are written in SQLite's SQL; another engine's connection translates them, and brings what has no
translation: full text, and what it raises for rows that cannot be stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np

PATIENCE = 300.0  # seconds a writer waits for its turn: twenty processes may be ingesting
Values = Sequence[Any] | Mapping[str, Any]
Question = tuple[str, Values]  # a statement and its values


class Cursor(Protocol):
    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...
    def fetchmany(self, size: int, /) -> list[Any]: ...
    def fetchall(self) -> list[Any]: ...
    def close(self) -> None: ...
    def __iter__(self) -> Iterator[Any]: ...


class Fetched:
    """Rows that are here already."""

    def __init__(self, rows: list[Any], rowcount: int = -1) -> None:
        self._rows, self._place, self.rowcount = rows, 0, rowcount

    def fetchone(self) -> Any:
        found = self.fetchmany(1)
        return found[0] if found else None

    def fetchmany(self, size: int, /) -> list[Any]:
        begin, self._place = self._place, min(len(self._rows), self._place + size)
        return self._rows[begin : self._place]

    def fetchall(self) -> list[Any]:
        return self.fetchmany(len(self._rows))

    def __iter__(self) -> Iterator[Any]:
        while found := self.fetchmany(1):
            yield found[0]

    def close(self) -> None:
        pass


class Words(Protocol):
    """Full text: which chunks of a project have a term, and how many."""

    def put(self, connection: Connection, project: int, chunks: Sequence[tuple[int, bytes]]) -> None:
        """(number, packed terms) of new chunks, all of which have words."""
        ...

    def take_out(self, connection: Connection, project: int, chunks: Sequence[tuple[int, bytes]]) -> None:
        """Before the chunks go; with the terms they were put in with."""
        ...

    def having(self, connection: Connection, project: int, term: int) -> np.ndarray:
        """Numbers of the chunks that have it."""
        ...

    def counts(self, connection: Connection, project: int, terms: Sequence[int]) -> dict[int, int]:
        """In how many chunks each of these is; those that none has are left out."""
        ...

    def empty(self, connection: Connection) -> None: ...


class Connection(Protocol):
    """In a transaction: one consistent view, or all of what it changes or nothing."""

    @property
    def words(self) -> Words: ...
    @property
    def unfit(self) -> tuple[type[Exception], ...]:
        """What it raises for a row that cannot be stored."""
        ...

    def execute(self, statement: str, values: Values = ..., /) -> Cursor: ...
    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> Cursor: ...

    def put(self, statement: str, rows: Iterable[Sequence[Any]], /) -> None:
        """`INSERT … VALUES (?, …)` of many rows, each as if it were alone; where the database is far they go together
        with others, when something is asked next or the transaction ends."""
        ...

    def ask_all(self, questions: Sequence[Question]) -> Sequence[Cursor]:
        """Questions that do not wait for each other's answers; one way there and back where the database is far."""
        ...

    @property
    def far(self) -> bool:
        """Whether each question costs a way over a network: then what may be needed is asked for together."""
        ...

    def expect(self, questions: Sequence[Question]) -> None:
        """What will be asked soon: where the database is far, all of it is fetched at once."""
        ...

    def field_value(self, value: str | float) -> object:
        """A declared field's value as a column takes it that has both texts and numbers."""
        ...


class Database(Protocol):
    """What hands out connections."""

    def reading(self, until: float | None = None) -> AbstractContextManager[Connection]:
        """A consistent view for several queries; interrupted when `time.monotonic()` passes `until`."""
        ...

    def writing(self, seconds: float = PATIENCE) -> AbstractContextManager[Connection]:
        """A transaction of one's own; waits for other writers at most this long."""
        ...
