"""What was read lately, remembered until anything changes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence

from wekadocs_corpus.store.sql.connection import Connection, Question
from wekadocs_corpus.store.truth.rows import Passage

from . import documents as reading

_PASSAGES = 4096
_TEXTS = 32 * 2**20  # bytes
_NAMED = 1000  # documents whose texts are not asked for again


class Recent:
    """Any number of threads may ask."""

    def __init__(self) -> None:
        self._known: tuple[int, dict[str, Passage], _Texts] = (-1, {}, _Texts())
        self._terms: tuple[int, dict[str, reading.Terms]] = (-1, {})

    def passages(self, connection: Connection, chunk_ids: Sequence[str]) -> list[Passage]:
        latest = reading.sequence(connection)
        at, known, texts = self._known
        if at != latest or len(known) > _PASSAGES:
            known, texts = {}, texts if at == latest else _Texts()
            self._known = (latest, known, texts)
        new = [each for each in chunk_ids if each not in known]
        if new and connection.far:
            self._fetch(connection, new, texts, latest)
        if new:
            known.update((each.id, each) for each in reading.passages(connection, new, texts))
        return [known[each] for each in chunk_ids if each in known]

    def terms(self, connection: Connection, chunk_ids: Sequence[str]) -> list[reading.Terms] | None:
        """Of chunks that were all read lately from a database that is far; None: they must be asked for."""
        at, known = self._terms
        if not connection.far or any(each not in known for each in chunk_ids) or at != reading.sequence(connection):
            return None
        return [known[each] for each in chunk_ids]

    def expect_near(
        self, connection: Connection, places: Sequence[tuple[str, int, int]], along: Sequence[Question]
    ) -> None:
        """What is read on into next: document, first and last ordinal of each."""
        _, known, texts = self._known
        known.update((each.id, each) for each in reading.passages_near(connection, places, texts, along))

    def _fetch(self, connection: Connection, chunk_ids: Sequence[str], texts: _Texts, latest: int) -> None:
        found, terms = reading.passages_far(connection, chunk_ids, texts.known())
        texts.keep(found)
        at, known = self._terms
        self._terms = (latest, {**known, **terms} if at == latest and len(known) < _PASSAGES else terms)


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

    def known(self) -> list[str]:
        return list(self._kept)[-_NAMED:]

    def keep(self, texts: dict[str, str]) -> None:
        size = sum(map(sys.getsizeof, texts.values()))
        with self._keeping:
            if self._size + size > _TEXTS:
                self._kept, self._size = {}, 0
            if size <= _TEXTS:
                self._kept.update(texts)
                self._size += size
