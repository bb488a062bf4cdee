"""What entities are called: by the spelling that is shown of all that documents have, in whatever order these came."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable

from wekadocs_corpus.graph.extraction.names import CONCEPT, concept_key
from wekadocs_corpus.graph.extraction.spellings import normal, shown
from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.writing.nodes import DOCUMENT, ENTITY, SECTION, TYPE
from wekadocs_corpus.store.writing.rows import Row

from .changes import record_numbers

_LISTED = "IN (SELECT CAST(value AS INTEGER) FROM json_each(?))"
_CALL = "UPDATE entities SET name = ? WHERE number = ?"
_HAVING = f"SELECT min(document) FROM edges WHERE target {_LISTED} GROUP BY target"


def _titled(kind: int, table: str) -> str:
    """Entities with the titles that define them."""
    return (
        f"entities AS e CROSS JOIN edges AS g ON g.target = e.number << 2 | {ENTITY} AND g.type = {TYPE['DEFINES']} "
        f"AND g.source & 3 = {kind} CROSS JOIN {table} AS t ON t.number = g.source >> 2 "
    )


_TITLED = (_titled(SECTION, "sections"), _titled(DOCUMENT, "documents"))
_SAID = " OR ".join(f"EXISTS (SELECT 1 FROM {each} WHERE e.number = c.number AND t.title = c.name)" for each in _TITLED)
_UNSAID = f"SELECT number, key, name FROM entities AS c WHERE label = ? AND number {_LISTED} AND NOT ({_SAID})"
_TITLES = " UNION ".join(f"SELECT e.number, t.title FROM {each} WHERE e.number {_LISTED}" for each in _TITLED)


class Spellings:
    """Of what documents bring along: those that are better than what is stored."""

    def __init__(self, stored: Iterable[tuple[int, str]]) -> None:
        self._called = dict(stored)
        self._better = set[int]()

    def add(self, number: int, row: Row) -> None:
        label, name = row[1], row[3]
        known = self._called.setdefault(number, name)
        if name != known and (best := shown(label, (known, name))) != known:
            self._called[number] = best
            self._better.add(number)

    def put(self, connection: Connection) -> None:
        connection.executemany(_CALL, [(self._called[each], each) for each in sorted(self._better)])


def respell(connection: Connection, entities: Collection[int]) -> None:
    """Of entities that documents, now gone, had: concepts that nobody spells any more as they are called."""
    if not entities:
        return
    unsaid = connection.execute(_UNSAID, (CONCEPT, json.dumps(sorted(entities)))).fetchall()
    if not unsaid:
        return
    numbers = json.dumps([row[0] for row in unsaid])
    titles: defaultdict[int, set[str]] = defaultdict(set)
    for number, title in connection.execute(_TITLES, (numbers, numbers)).fetchall():
        titles[number].add(normal(title))
    spelled = {
        number: shown(CONCEPT, own)
        for number, key, _ in unsaid
        if (own := [title for title in titles[number] if concept_key(title) == key])
    }
    changed = [(spelled[number], number) for number, _, name in unsaid if spelled.get(number, name) != name]
    connection.executemany(_CALL, changed)
    nodes = json.dumps([number << 2 | ENTITY for _, number in changed])
    if changed:  # one document of each, so that servers with a graph of their own are told
        record_numbers(connection, [row[0] for row in connection.execute(_HAVING, (nodes,)).fetchall()])
