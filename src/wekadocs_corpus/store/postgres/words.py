"""Full text in PostgreSQL: the term ids of each chunk as an array under a GIN index, and how many chunks have each.

Counts are added up over a transaction and written once at its end.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.writing.packing import ids_at

if TYPE_CHECKING:
    import numpy as np

_ADD = (
    "INSERT INTO word_counts (project, term, chunks) "
    "SELECT * FROM unnest(CAST(? AS bigint[]), CAST(? AS integer[]), CAST(? AS bigint[])) "
    "ON CONFLICT (project, term) DO UPDATE SET chunks = word_counts.chunks + excluded.chunks"
)
_GONE = (
    "DELETE FROM word_counts WHERE chunks <= 0 AND (project, term) IN "
    "(SELECT * FROM unnest(CAST(? AS bigint[]), CAST(? AS integer[])))"
)


class PostgresWords:
    """See store/sql/connection.py. Of one transaction."""

    def __init__(self) -> None:
        self._added: Counter[tuple[int, int]] = Counter()  # project, term

    def put(self, connection: Connection, project: int, chunks: Sequence[tuple[int, bytes]]) -> None:
        rows = [(number, project, _signed(terms)) for number, terms in chunks]
        connection.executemany("INSERT INTO words (chunk, project, terms) VALUES (?, ?, ?)", rows)
        self._added.update((project, term) for *_, terms in rows for term in terms)

    def take_out(self, connection: Connection, project: int, chunks: Sequence[tuple[int, bytes]]) -> None:  # noqa: ARG002
        self._added.subtract((project, term) for _, terms in chunks for term in _signed(terms))

    def having(self, connection: Connection, project: int, term: int) -> np.ndarray:
        import numpy as np

        ask = "SELECT chunk FROM words WHERE project = ? AND terms @> CAST(? AS integer[])"
        rows = connection.execute(ask, (project, [_sign(term)])).fetchall()
        return np.fromiter((row[0] for row in rows), np.int64, len(rows))

    def counts(self, connection: Connection, project: int, terms: Sequence[int]) -> dict[int, int]:
        ask = "SELECT term, chunks FROM word_counts WHERE project = ? AND term = ANY (CAST(? AS integer[]))"
        rows = connection.execute(ask, (project, [_sign(term) for term in terms]))
        return {term & 0xFFFFFFFF: count for term, count in rows}

    def empty(self, connection: Connection) -> None:
        self._added.clear()
        connection.execute("DELETE FROM words")
        connection.execute("DELETE FROM word_counts")

    def settle(self, connection: Connection) -> None:
        """What the transaction has added or taken away, before it ends."""
        changed = sorted((key, count) for key, count in self._added.items() if count)
        self._added.clear()
        if not changed:
            return
        projects, terms = [key[0] for key, _ in changed], [key[1] for key, _ in changed]
        connection.execute(_ADD, (projects, terms, [count for _, count in changed]))
        fewer = [key for key, count in changed if count < 0]
        if fewer:
            connection.execute(_GONE, ([project for project, _ in fewer], [term for _, term in fewer]))


def _signed(terms: bytes) -> list[int]:
    at = ids_at(terms)
    return list(struct.unpack_from(f"<{(len(terms) - at) // 4}i", terms, at)) if terms else []


def _sign(term: int) -> int:
    """Four bytes as PostgreSQL has them."""
    return term - (1 << 32) if term >= 1 << 31 else term
