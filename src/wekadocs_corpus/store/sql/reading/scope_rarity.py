"""How rare terms are within one scope: a term that only others may read is one that no document has."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from wekadocs_corpus.model import Filters, Scope
from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.writing.term_vectors import idf

from .documents import sequence
from .filtering import allowed, chunk_flags
from .words import Rarity, project_number

if TYPE_CHECKING:
    import numpy as np

Known = dict["str | Scope", Rarity]
# Looked up at their places in the index: to read all of it takes seconds where a large file comes from a slow disk.
_ELSEWHERE = """SELECT 1 FROM documents WHERE project = :project AND environment < :environment
 UNION ALL SELECT 1 FROM documents WHERE project = :project AND environment > :environment LIMIT 1"""
_OF_SCOPE = "FROM documents AS d WHERE project = :project AND environment = :environment"
_FIRST_TAG = f"SELECT min(doc_tag) {_OF_SCOPE}"
_AMONG = "IN (SELECT value FROM json_each(:tags))"
# A tag that is not among them, of a document that has no other one that is.
_OTHER_TAG = f"""WITH RECURSIVE tags (tag) AS ({_FIRST_TAG}
 UNION ALL SELECT ({_FIRST_TAG} AND doc_tag > tag) FROM tags WHERE tag IS NOT NULL)
 SELECT 1 FROM tags WHERE tag IS NOT NULL AND tag NOT {_AMONG} AND EXISTS (SELECT 1 {_OF_SCOPE} AND doc_tag = tag
 AND NOT EXISTS (SELECT 1 FROM other_tags AS o WHERE o.document = d.number AND o.tag {_AMONG})) LIMIT 1"""
_MOST = 32  # projects and scopes that are remembered: each narrow scope has a flag for every chunk


class ScopeRarity(Rarity):
    """Where the scope holds all of its project, the project's counts are taken: they are there already."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope.project_id)
        self._scope = scope
        self._whole: tuple[int, bool] = (-1, True)
        self._flags: tuple[int, np.ndarray | None] = (-1, None)

    def is_whole(self, connection: Connection) -> bool:
        """Whether nothing of the project is outside of the scope."""
        now = sequence(connection)
        if self._whole[0] != now:
            scope = self._scope
            values = {"project": scope.project_id, "environment": scope.environment, "tags": json.dumps(scope.doc_tags)}
            elsewhere = connection.execute(_ELSEWHERE, values).fetchone() is not None
            tagged = bool(scope.doc_tags) and connection.execute(_OTHER_TAG, values).fetchone() is not None
            self._whole = now, not (elsewhere or tagged or self._other_repository(connection))
        return self._whole[1]

    def _other_repository(self, connection: Connection) -> bool:
        if not self._scope.repositories:
            return False
        condition, values = allowed(self._scope, Filters())
        ask = f"SELECT 1 FROM documents AS d WHERE d.project = ? AND NOT ({condition}) LIMIT 1"
        return connection.execute(ask, (self._scope.project_id, *values)).fetchone() is not None

    def _rarities(self, connection: Connection, terms: Iterable[int], now: int) -> dict[int, float]:
        number = project_number(connection, self._scope.project_id)
        if number is None or self.is_whole(connection):
            return super()._rarities(connection, terms, now)
        flags = self._flags[1] if self._flags[0] == now else None
        if flags is None:
            flags = chunk_flags(connection, self._scope, Filters())
            self._flags = now, flags
        counted = {term: _having(connection, number, term, flags) for term in terms}
        whole = int(flags.sum())
        return {term: idf(whole, count) if count else 0.0 for term, count in counted.items()}


def _having(connection: Connection, project: int, term: int, flags: np.ndarray) -> int:
    numbers = connection.words.having(connection, project, term)
    return int(flags[numbers[numbers < len(flags)]].sum())


def of_project(known: Known, project: str) -> Rarity:
    return _remembered(known, project, Rarity(project))


def of_scope(known: Known, scope: Scope) -> ScopeRarity:
    found = _remembered(known, scope, ScopeRarity(scope))
    assert isinstance(found, ScopeRarity)
    return found


def _remembered(known: Known, key: str | Scope, new: Rarity) -> Rarity:
    """What it was counted with before; of many the oldest is forgotten."""
    if key not in known and len(known) >= _MOST:
        known.pop(next(iter(known)), None)
    return known.setdefault(key, new)
