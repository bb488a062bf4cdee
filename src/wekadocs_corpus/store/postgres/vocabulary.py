"""How many chunks have each word of a project, all of them at once: so that a new question need not ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import psycopg

_MOST = 4_000_000  # words: twelve bytes each
_COUNTED = f"SELECT count(*) FROM (SELECT 1 FROM word_counts LIMIT {_MOST + 1}) AS counted"
_ALL = "SELECT project, string_agg(int4send(term) || int8send(chunks), '') FROM word_counts GROUP BY project"


class Vocabulary:
    """Of every project; as of one moment."""

    def __init__(self, packed: Mapping[int, bytes]) -> None:
        self._known = {project: _sorted(words) for project, words in packed.items()}

    def counts(self, project: int, terms: Sequence[int]) -> dict[int, int]:
        """Of those terms that any chunk has, signed as the database has them."""
        if project not in self._known:
            return {}
        import numpy as np

        words, chunks = self._known[project]
        wanted = np.array(terms, np.int32)
        places = np.minimum(np.searchsorted(words, wanted), len(words) - 1)
        there = words[places] == wanted
        return dict(zip(wanted[there].tolist(), chunks[places[there]].tolist(), strict=True))


def _sorted(packed: bytes) -> tuple[np.ndarray, np.ndarray]:
    import numpy as np

    rows = np.frombuffer(packed, np.dtype([("term", ">i4"), ("chunks", ">i8")]))
    order = np.argsort(rows["term"])
    return rows["term"][order].astype(np.int32), rows["chunks"][order].astype(np.int64)


def learned(connection: psycopg.Connection[Any]) -> Vocabulary | None:
    """None where there are too many words."""
    row = connection.execute(_COUNTED).fetchone()
    if row is None or row[0] > _MOST:
        return None
    rows = connection.cursor(binary=True).execute(_ALL).fetchall()
    return Vocabulary({project: bytes(words) for project, words in rows})
