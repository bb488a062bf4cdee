"""Full text in SQLite: an FTS5 table whose words are term ids, so that every index searches the same terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.writing.packing import ids_at

if TYPE_CHECKING:
    import numpy as np


def spelled(project: int, terms: bytes) -> str:
    """A packed vector's term ids as words: the project's number, `z`, eight hex digits as they lie in the bytes.

    A row of the full text index can only be removed by giving the very words it was made from: never change this
    without making all rows anew.
    """
    ids = terms[ids_at(terms) :].hex(" ", 4)
    return f"{project:x}z" + ids.replace(" ", f" {project:x}z") if ids else ""


def word(project: int, term: int) -> str:
    return f"{project:x}z{term.to_bytes(4, 'little').hex()}"


class SqliteWords:
    """See store/sql/connection.py."""

    def put(self, connection: Connection, project: int, chunks: Sequence[tuple[int, bytes]]) -> None:
        rows = [(number, spelled(project, terms)) for number, terms in chunks]
        connection.put("INSERT INTO words (rowid, terms) VALUES (?, ?)", rows)

    def take_out(self, connection: Connection, project: int, chunks: Sequence[tuple[int, bytes]]) -> None:
        rows = [(number, spelled(project, terms)) for number, terms in chunks]
        connection.executemany("INSERT INTO words (words, rowid, terms) VALUES ('delete', ?, ?)", rows)

    def having(self, connection: Connection, project: int, term: int) -> np.ndarray:
        import numpy as np

        rows = connection.execute("SELECT rowid FROM words WHERE words MATCH ?", (word(project, term),)).fetchall()
        return np.fromiter((row[0] for row in rows), np.int64, len(rows))

    def counts(self, connection: Connection, project: int, terms: Sequence[int]) -> dict[int, int]:
        ask = "SELECT doc FROM word_counts WHERE term = ?"
        found = {term: connection.execute(ask, (word(project, term),)).fetchone() for term in terms}
        return {term: row[0] for term, row in found.items() if row}

    def empty(self, connection: Connection) -> None:
        connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
