"""Sparse vectors as the truth keeps them: term ids as words of its full text index, and how rare each term is."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from wekadocs_corpus.store.writing.packing import ids_at
from wekadocs_corpus.store.writing.term_vectors import idf, products

_REMEMBERED = 100_000  # terms


def spelled(project: int, terms: bytes) -> str:
    """A packed vector's term ids as words: the project's number, `z`, eight hex digits as they lie in the bytes.

    A row of the full text index can only be removed by giving the very words it was made from: never change this
    without making all rows anew.
    """
    ids = terms[ids_at(terms) :].hex(" ", 4)
    return f"{project:x}z" + ids.replace(" ", f" {project:x}z") if ids else ""


def word(project: int, term: int) -> str:
    return f"{project:x}z{term.to_bytes(4, 'little').hex()}"


def project_number(connection: sqlite3.Connection, project: str) -> int | None:
    row = connection.execute("SELECT number FROM projects WHERE name = ?", (project,)).fetchone()
    return None if row is None else int(row[0])


class Rarity:
    """How rare the terms of one project are, as the truth counts them; remembered until something changes.

    The truth counts, not the index: an index still counts what was deleted until its segments are rewritten, so two
    processes would score the same question differently.
    """

    def __init__(self, project: str) -> None:
        self._project = project
        self._known: tuple[int, dict[int, float]] = (-1, {})

    def weighted(self, connection: sqlite3.Connection, query: Mapping[int, float]) -> dict[int, float]:
        """The query with each weight times IDF; terms that no chunk of the project has are left out."""
        latest = connection.execute("SELECT coalesce(max(sequence), 0) FROM changes").fetchone()[0]
        sequence, known = self._known
        if latest != sequence or len(known) > _REMEMBERED:
            known = {}
            self._known = (latest, known)
        new = [term for term in query if term not in known]
        if new:
            known.update(self._rarities(connection, new, latest))
        return {term: weight * known[term] for term, weight in query.items() if known[term]}

    def _rarities(self, connection: sqlite3.Connection, terms: Iterable[int], _sequence: int) -> dict[int, float]:
        """IDF per term; 0 for those that no chunk has."""
        row = connection.execute("SELECT number, chunks FROM projects WHERE name = ?", (self._project,)).fetchone()
        if row is None:
            return dict.fromkeys(terms, 0.0)
        ask = "SELECT doc FROM word_counts WHERE term = ?"
        found = {term: connection.execute(ask, (word(row[0], term),)).fetchone() for term in terms}
        return {term: idf(row[1], count[0]) if count else 0.0 for term, count in found.items()}


def exact_scores(connection: sqlite3.Connection, chunks: Sequence[str], query: Mapping[int, float]) -> dict[str, float]:
    """What the query is worth in each of these chunks."""
    ask = "SELECT c.id, c.terms FROM json_each(?) AS wanted CROSS JOIN chunks AS c ON c.digest = id_key(wanted.value)"
    vectors = dict(connection.execute(ask, (json.dumps(list(chunks)),)).fetchall())
    return dict(zip(vectors, products(list(vectors.values()), query).tolist(), strict=True))
