"""What was read lately from a database that is far: whole documents, so that most of what follows is here already."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from sys import getsizeof

from wekadocs_corpus.model import Filters, Scope
from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.sql.reading import documents as reading
from wekadocs_corpus.store.sql.reading.recent import Outline, Place, Recent
from wekadocs_corpus.store.truth.rows import Coverage, Naming, Passage

from .pieces import Near, Piece, next_of_all, of_documents, pieces

_MOST_BYTES = 64 * 2**20  # of what questions bring
_LEARNED = 10_000  # chunks, of some 800 bytes each, and as many documents
_ALL_TERMS = """SELECT s.id, c.id, d.id, c.terms FROM chunks AS c JOIN sections AS s ON s.number = c.section
 JOIN documents AS d ON d.number = c.document
 WHERE (SELECT count(*) FROM (SELECT 1 FROM chunks LIMIT :most + 1) AS counted) <= :most
 AND (SELECT count(*) FROM (SELECT 1 FROM documents LIMIT :most + 1) AS counted) <= :most"""
_WHOLE_BYTES = 36 * 2**20  # of all words, and all documents with their outlines, which are learned then
_AT_ONCE, _BREATH = 50, 0.01  # documents, and seconds in which questions go on
Leading = tuple[list[tuple[str, str]], list[Naming], list[Coverage]]  # see hop.py
_NAMED = 1000  # documents that are not asked for again


class Held:
    """As of one change of the documents."""

    def __init__(self, sequence: int) -> None:
        self.sequence = sequence
        self.terms: dict[str, reading.Terms] = {}  # by chunk
        self.document_of: Mapping[str, str] = {}  # by chunk: of all there are, once they were learned
        self.documents: dict[str, Piece] = {}
        self.complete = False  # all documents are here that are not long
        self.hops: dict[tuple[object, ...], Leading] = {}
        self.allowed: dict[tuple[Scope, Filters], frozenset[str]] = {}  # documents that may be seen
        self.size = self.learned = 0  # bytes of all, and of what is kept whatever is asked
        self._of_chunk: dict[str, Piece] = {}
        self._passages: dict[str, Passage] = {}
        self._keeping = threading.Lock()

    def emptied(self) -> Held:
        """With what was learned, and without what questions brought."""
        new = Held(self.sequence)
        if self.document_of:
            new.take_terms(list(self.terms.values()))
            new.document_of = self.document_of
        whole = [each for each in list(self.documents.values()) if each.is_whole] if self.complete else []
        if self.complete and sum(each.size for each in whole) <= 2 * _WHOLE_BYTES:  # unpacked: more than was guessed
            new.take(whole)
            new.complete = True
        new.learned = new.size
        return new

    @property
    def brought(self) -> int:
        """Bytes of what questions brought."""
        return self.size - self.learned

    def missing(self, chunk_ids: Iterable[str]) -> list[str]:
        return [each for each in chunk_ids if each not in self._of_chunk]

    def take(self, new: Iterable[Piece]) -> None:
        for each in new:
            with self._keeping:
                self.documents[each.id] = each
                self._of_chunk.update(dict.fromkeys(each.place, each))
            self._grow(each.size)

    def take_allowed(self, scope: Scope, filters: Filters, rows: Iterable[tuple[str]]) -> frozenset[str]:
        found = self.allowed[scope, filters] = frozenset(document for (document,) in rows)
        self._grow(1000 + len(filters.path_prefix) + 150 * len(found))
        return found

    def take_hop(self, key: tuple[object, ...], found: Leading) -> Leading:
        self.hops[key] = found
        self._grow(1000 + 300 * sum(len(each) for each in found))
        return found

    def take_terms(self, rows: Iterable[reading.Terms]) -> None:
        new = {row[1]: row for row in rows if row[1] not in self.terms}
        self.terms.update(new)
        self._grow(_size(new.values()))

    def passage(self, chunk_id: str) -> Passage | None:
        found = self._passages.get(chunk_id)
        if found is None and (piece := self._of_chunk.get(chunk_id)) is not None:
            packed = piece.size
            found = self._passages[chunk_id] = piece.passage(piece.place[chunk_id])
            self._grow(piece.size - packed + 500 + getsizeof(found.text))
        return found

    def text(self, document_id: str) -> str:
        piece = self.documents[document_id]
        packed, text = piece.size, piece.text
        self._grow(piece.size - packed)
        return text

    def piece_of(self, chunk_id: str) -> Piece | None:
        return self._of_chunk.get(chunk_id)

    def _grow(self, size: int) -> None:
        with self._keeping:
            self.size += size

    @property
    def named(self) -> list[str]:
        """The latest documents that are here as a whole."""
        if self.complete:
            return []
        return [each.id for each in list(self.documents.values())[-_NAMED:] if each.is_whole]


class FarRecent(Recent):
    """See reading/recent.py."""

    def __init__(self) -> None:
        super().__init__()
        self._held = Held(-1)

    def held(self, connection: Connection) -> Held:
        """What is still true."""
        latest, held = reading.sequence(connection), self._held
        if held.sequence != latest:
            held = self._held = Held(latest)
        elif held.brought > _MOST_BYTES:
            held = self._held = held.emptied()
        return held

    def learn(self, connection: Connection) -> None:
        """Of few chunks all words and documents: a new question then has nothing to ask about those it finds."""
        held = self.held(connection)
        if not held.document_of:
            rows = connection.execute(_ALL_TERMS, {"most": _LEARNED}).fetchall()
            held.take_terms(rows)
            held.learned = _size(rows)
            held.document_of = {chunk: document for _, chunk, document, _ in rows}

    def learn_texts(self, connection: Connection) -> None:
        """Of such a corpus the documents themselves, too, where they are not much."""
        self.learn(connection)
        held, last = self.held(connection), -1
        words = held.learned
        while held.document_of and not held.complete and held is self._held:
            new = next_of_all(connection, last, _AT_ONCE)
            size = sum(each.size for each in new)
            if held.learned + size > _WHOLE_BYTES:
                held.learned = words
                break
            held.take(each for each in new if each.id not in held.documents)
            held.learned += size
            if len(new) < _AT_ONCE:
                held.complete = True
            else:
                last = new[-1].number
                time.sleep(_BREATH)

    def passages(self, connection: Connection, chunk_ids: Sequence[str]) -> list[Passage]:
        held = self.held(connection)
        if new := held.missing(chunk_ids):
            held.take(pieces(connection, new))
        found = (held.passage(each) for each in chunk_ids)
        return [each for each in found if each is not None]

    def terms(self, connection: Connection, chunk_ids: Sequence[str]) -> list[reading.Terms]:
        held = self.held(connection)
        if new := [each for each in chunk_ids if each not in held.terms]:
            held.take_terms(reading.terms(connection, new))
        return [held.terms[each] for each in chunk_ids if each in held.terms]

    def near(self, connection: Connection, places: Sequence[Place]) -> list[Outline]:
        known = self._whole(connection, [document for document, *_ in places])
        found = [known[document].between(low, high) if document in known else None for document, low, high in places]
        return _completed(found, places, lambda rest: super(FarRecent, self).near(connection, rest))

    def touching(self, connection: Connection, places: Sequence[Place]) -> list[Outline]:
        known = self._whole(connection, [document for document, *_ in places])
        found = [known[document].touching(low, high) if document in known else None for document, low, high in places]
        return _completed(found, places, lambda rest: super(FarRecent, self).touching(connection, rest))

    def first(self, connection: Connection, document_id: str, section_id: str) -> list[str]:
        known = self._whole(connection, [document_id])
        found = known[document_id].first(section_id) if document_id in known else None
        return super().first(connection, document_id, section_id) if found is None else found

    def of_document(self, connection: Connection, document_id: str) -> list[Passage]:
        known = self._whole(connection, [document_id]).get(document_id)
        if known is None or not known.is_whole:
            return super().of_document(connection, document_id)
        return self.passages(connection, list(known.place))

    def texts(self, connection: Connection, documents: Sequence[str]) -> dict[str, str]:
        held = self.held(connection)
        known = [each for each in documents if each in held.documents]
        rest = [each for each in documents if each not in held.documents]
        found = super().texts(connection, rest) if rest else {}
        return {each: held.text(each) for each in known} | found

    def _whole(self, connection: Connection, documents: Sequence[str]) -> dict[str, Piece]:
        """What is here of these, fetched where nothing is."""
        held = self.held(connection)
        if new := [each for each in dict.fromkeys(documents) if each not in held.documents]:
            held.take(of_documents(connection, new))
        return held.documents


def _size(terms: Iterable[reading.Terms]) -> int:
    return sum(400 + len(row[3]) for row in terms)


Asking = Callable[[list[Place]], list[Outline]]


def _completed(found: Sequence[list[Near] | None], places: Sequence[Place], ask: Asking) -> list[Outline]:
    """With what must be asked for: of documents that come in parts."""
    rest = [place for place, rows in zip(places, found, strict=True) if rows is None]
    asked = iter(ask(rest) if rest else ())
    return [next(asked) if rows is None else rows for rows in found]
