"""Sparse vectors as the truth keeps them: term ids as words of its full text index, and how rare each term is."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable, Mapping


def spelled(project: int, terms: bytes) -> str:
    """A packed vector's term ids as words: the project's number, `z`, eight hex digits as they lie in the bytes.

    A row of the full text index can only be removed by giving the very words it was made from: never change this
    without making all rows anew.
    """
    half = len(terms) // 2
    return f"{project:x}z" + terms[:half].hex(" ", 4).replace(" ", f" {project:x}z") if half else ""


def word(project: int, term: int) -> str:
    return f"{project:x}z{term.to_bytes(4, 'little').hex()}"


def project_number(connection: sqlite3.Connection, project: str) -> int | None:
    row = connection.execute("SELECT number FROM projects WHERE name = ?", (project,)).fetchone()
    return None if row is None else int(row[0])


def weighted(connection: sqlite3.Connection, project: str, query: Mapping[int, float]) -> dict[int, float]:
    """The query with each weight times IDF; terms that no chunk of the project has are left out.

    The truth counts, not the index: an index still counts what was deleted until its segments are rewritten, so two
    processes would score the same question differently.
    """
    row = connection.execute("SELECT number, chunks FROM projects WHERE name = ?", (project,)).fetchone()
    if row is None:
        return {}
    counts = _counts(connection, row[0], query)
    return {term: weight * idf(row[1], counts[term]) for term, weight in query.items() if counts[term]}


def idf(chunks: int, having: int) -> float:
    """How much a term tells: Lucene's and Qdrant's formula."""
    return math.log(1.0 + (chunks - having + 0.5) / (having + 0.5))


def _counts(connection: sqlite3.Connection, project: int, terms: Iterable[int]) -> dict[int, int]:
    ask = "SELECT doc FROM word_counts WHERE term = ?"
    found = ((term, connection.execute(ask, (word(project, term),)).fetchone()) for term in terms)
    return {term: row[0] if row else 0 for term, row in found}
