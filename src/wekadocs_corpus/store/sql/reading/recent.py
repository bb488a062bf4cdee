"""What was read lately, remembered until anything changes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence

from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.truth.rows import Passage

from . import documents as reading

_PASSAGES = 4096
_TEXTS = 32 * 2**20  # bytes


class Recent:
    """Any number of threads may ask."""

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
            self._keep(new)
        return {**found, **new}

    def _keep(self, texts: dict[str, str]) -> None:
        size = sum(map(sys.getsizeof, texts.values()))
        with self._keeping:
            if self._size + size > _TEXTS:
                self._kept, self._size = {}, 0
            if size <= _TEXTS:
                self._kept.update(texts)
                self._size += size
