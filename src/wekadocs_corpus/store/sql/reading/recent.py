"""What was read lately, remembered until anything changes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from typing import Any

from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.truth.rows import Passage

from . import documents as reading

_PASSAGES = 4096
_TEXTS = 32 * 2**20  # bytes
_OUTLINE = (
    'SELECT c.id, c.tokens, kind, c."start", c."end", own_text IS NOT NULL FROM documents AS d '
    "CROSS JOIN chunks AS c ON c.document = d.number WHERE d.id = ? AND "
)
_NEAR = f"{_OUTLINE}ordinal BETWEEN ? AND ? ORDER BY ordinal"
_TOUCHING = f"""{_OUTLINE}c."end" > ? AND c."start" < ? AND kind <> 'front_matter' ORDER BY ordinal"""
Outline = Sequence[tuple[Any, ...]]  # chunks: id, tokens, kind, start, end, whether it has a text of its own
Place = tuple[str, int, int]  # a document, and from where to where


class Recent:
    """Any number of threads may ask. See far/recent.py for what is different where the database is far."""

    def __init__(self) -> None:
        self._known: tuple[int, dict[str, Passage], _Texts] = (-1, {}, _Texts())

    def passages(self, connection: Connection, chunk_ids: Sequence[str]) -> list[Passage]:
        latest = reading.sequence(connection)
        at, known, texts = self._known
        if at != latest or len(known) > _PASSAGES:
            known, texts = {}, texts if at == latest else _Texts()
            self._known = (latest, known, texts)
        new = [each for each in chunk_ids if each not in known]
        if new:
            known.update((each.id, each) for each in reading.passages(connection, new, texts))
        return [known[each] for each in chunk_ids if each in known]

    def terms(self, connection: Connection, chunk_ids: Sequence[str]) -> list[reading.Terms]:
        return reading.terms(connection, chunk_ids)

    def near(self, connection: Connection, places: Sequence[Place]) -> list[Outline]:
        """The chunks of documents from one ordinal to another."""
        return [rows.fetchall() for rows in connection.ask_all([(_NEAR, place) for place in places])]

    def touching(self, connection: Connection, places: Sequence[Place]) -> list[Outline]:
        """Those that stand from one character to another, front matter aside."""
        return [rows.fetchall() for rows in connection.ask_all([(_TOUCHING, place) for place in places])]

    def first(self, connection: Connection, document_id: str, section_id: str) -> list[str]:
        """The first chunk that is not front matter, of the section if one is named, if there is one."""
        return reading.first_chunk(connection, document_id, section_id)

    def of_document(self, connection: Connection, document_id: str) -> list[Passage]:
        """All chunks of a document, in order."""
        return reading.passages_of(connection, document_id)

    def texts(self, connection: Connection, documents: Sequence[str]) -> dict[str, str]:
        return reading.document_texts(connection, documents)


class _Texts:
    """Of documents: a book is not read whole again for every passage of it."""

    def __init__(self) -> None:
        self._kept: dict[str, str] = {}
        self._size = 0
        self._keeping = threading.Lock()

    def __call__(self, connection: Connection, documents: set[str]) -> dict[str, str]:
        kept = self._kept
        found = {each: text for each in documents if (text := kept.get(each)) is not None}
        new = reading.document_texts(connection, documents - found.keys()) if len(found) < len(documents) else {}
        if new:
            self.keep(new)
        return {**found, **new}

    def keep(self, texts: dict[str, str]) -> None:
        size = sum(map(sys.getsizeof, texts.values()))
        with self._keeping:
            if self._size + size > _TEXTS:
                self._kept, self._size = {}, 0
            if size <= _TEXTS:
                self._kept.update(texts)
                self._size += size
