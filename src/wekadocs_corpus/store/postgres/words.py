"""Full text in PostgreSQL: the term ids of each chunk as an array under a GIN index, and how many chunks have each.

Counts are added up over a transaction and written once at its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.writing.packing import ids_at

from .arrays import int4s, int8s
from .vocabulary import Vocabulary

if TYPE_CHECKING:
    import numpy as np

_ADD = (
    "INSERT INTO word_counts (project, term, chunks) "
    "SELECT CAST(? AS bigint), * FROM unnest(CAST(? AS integer[]), CAST(? AS bigint[])) "
    "ON CONFLICT (project, term) DO UPDATE SET chunks = word_counts.chunks + excluded.chunks"
)
_GONE = "DELETE FROM word_counts WHERE chunks <= 0 AND project = ? AND term = ANY (CAST(? AS integer[]))"


class PostgresWords:
    """See store/sql/connection.py. Of one transaction."""

    def __init__(self, vocabulary: Vocabulary | None = None) -> None:
        self._vocabulary = vocabulary
        self._added: dict[int, list[tuple[np.ndarray, int]]] = {}  # by project: terms, and how many more have them

    def put(self, connection: Connection, project: int, chunks: Sequence[tuple[int, bytes]]) -> None:
        found = [(number, _signed(terms)) for number, terms in chunks]
        rows = [(number, project, int4s(terms)) for number, terms in found]
        connection.put("INSERT INTO words (chunk, project, terms) VALUES (?, ?, ?)", rows)
        self._changed(project, [terms for _, terms in found], 1)

    def take_out(self, connection: Connection, project: int, chunks: Sequence[tuple[int, bytes]]) -> None:  # noqa: ARG002
        self._changed(project, [_signed(terms) for _, terms in chunks], -1)

    def having(self, connection: Connection, project: int, term: int) -> np.ndarray:
        import numpy as np

        ask = "SELECT chunk FROM words WHERE project = ? AND terms @> CAST(? AS integer[])"
        rows = connection.execute(ask, (project, [_sign(term)])).fetchall()
        return np.fromiter((row[0] for row in rows), np.int64, len(rows))

    def counts(self, connection: Connection, project: int, terms: Sequence[int]) -> dict[int, int]:
        signed = [_sign(term) for term in terms]
        if self._vocabulary is not None:
            rows = list(self._vocabulary.counts(project, signed).items())
        else:
            ask = "SELECT term, chunks FROM word_counts WHERE project = ? AND term = ANY (CAST(? AS integer[]))"
            rows = connection.execute(ask, (project, signed)).fetchall()
        return {term & 0xFFFFFFFF: count for term, count in rows}

    def empty(self, connection: Connection) -> None:
        self._added.clear()
        connection.execute("DELETE FROM words")
        connection.execute("DELETE FROM word_counts")

    def settle(self, connection: Connection) -> None:
        """What the transaction has added or taken away, before it ends."""
        import numpy as np

        added, self._added = self._added, {}
        for project, parts in sorted(added.items()):
            terms, place = np.unique(np.concatenate([some for some, _ in parts]), return_inverse=True)
            more = np.bincount(place, np.concatenate([np.full(len(some), by) for some, by in parts])).astype(np.int64)
            terms, more = terms[more != 0], more[more != 0]
            if len(terms):
                connection.execute(_ADD, (project, int4s(terms), int8s(more)))
            if (fewer := terms[more < 0]).size:
                connection.execute(_GONE, (project, int4s(fewer)))

    def _changed(self, project: int, terms: list[np.ndarray], by: int) -> None:
        if terms:
            self._added.setdefault(project, []).extend((some, by) for some in terms)


def _signed(terms: bytes) -> np.ndarray:
    import numpy as np

    return np.frombuffer(terms, "<i4", offset=ids_at(terms)) if terms else np.empty(0, "<i4")


def _sign(term: int) -> int:
    """Four bytes as PostgreSQL has them."""
    return term - (1 << 32) if term >= 1 << 31 else term
