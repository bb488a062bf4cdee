"""Sparse vectors as the truth keeps them: term ids as words of its full text index, and how rare each term is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.writing.term_vectors import idf, products

_REMEMBERED = 100_000  # terms


def project_number(connection: Connection, project: str) -> int | None:
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

    def weighted(self, connection: Connection, query: Mapping[int, float]) -> dict[int, float]:
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

    def _rarities(self, connection: Connection, terms: Iterable[int], _sequence: int) -> dict[int, float]:
        """IDF per term; 0 for those that no chunk has."""
        row = connection.execute("SELECT number, chunks FROM projects WHERE name = ?", (self._project,)).fetchone()
        if row is None:
            return dict.fromkeys(terms, 0.0)
        wanted = list(terms)
        found = connection.words.counts(connection, row[0], wanted)
        return {term: idf(row[1], found[term]) if term in found else 0.0 for term in wanted}


def exact_scores(connection: Connection, chunks: Sequence[str], query: Mapping[int, float]) -> dict[str, float]:
    """What the query is worth in each of these chunks."""
    ask = "SELECT c.id, c.terms FROM json_each(?) AS wanted CROSS JOIN chunks AS c ON c.digest = id_key(wanted.value)"
    vectors = dict(connection.execute(ask, (json.dumps(list(chunks)),)).fetchall())
    return dict(zip(vectors, products(list(vectors.values()), query).tolist(), strict=True))
