"""Documents with the outline of their chunks, fetched together: what is read on into is here before it is asked for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from sys import getsizeof
from typing import Any

from wekadocs_corpus.store.sql.connection import Connection, Question
from wekadocs_corpus.store.sql.reading.documents import OTHER_TAGS, passage_of
from wekadocs_corpus.store.truth.rows import Passage
from wekadocs_corpus.store.writing.packing import unpack_text

WHOLE = 300  # chunks: a longer document comes in parts
_WINDOW = 40  # chunks on either side of those that are wanted, of a longer one
_OUTLINE = (
    'json_build_array(c.id, c.section, c.ordinal, c."start", c."end", c.tokens, c.kind, c.continues, s.id, s.title, '
    "s.anchor, s.headings, s.level, encode(c.own_text, 'hex'))"
)
_HEAD = (
    "json_build_array(d.title, d.path, d.doc_tag, d.project, d.environment, d.repository, d.language, d.updated_at, "
    f"d.content_hash, d.url, {OTHER_TAGS}, d.source_lines)"
)
LAST = "(SELECT max(ordinal) FROM chunks WHERE document = d.number)"
# What a piece is made of, from `documents AS d`; `{0}` says which of its chunks.
COLUMNS = (
    f"d.id, d.number, {LAST}, CAST({_HEAD} AS text), (SELECT CAST(json_agg({_OUTLINE} ORDER BY c.ordinal) AS text) "
    "FROM chunks AS c JOIN sections AS s ON s.number = c.section WHERE c.document = d.number AND {0}), d.text"
)
_PIECES = (
    "WITH wanted AS (SELECT c.document, min(c.ordinal) AS low, max(c.ordinal) AS high FROM json_each(?) AS named "
    "JOIN chunks AS c ON c.digest = id_key(named.value) GROUP BY c.document) SELECT "
    + COLUMNS.format(f"({LAST} < {WHOLE} OR c.ordinal BETWEEN low - {_WINDOW} AND high + {_WINDOW})")
    + " FROM wanted JOIN documents AS d ON d.number = wanted.document"
)
_OF_DOCUMENTS = (
    f"SELECT {COLUMNS.format('true')} FROM json_each(?) AS named JOIN documents AS d ON d.id = named.value "
    f"WHERE {LAST} < {WHOLE}"
)
_NEXT = (
    f"SELECT {COLUMNS.format('true')} FROM documents AS d WHERE d.number > ? AND {LAST} < {WHOLE} "
    "ORDER BY d.number LIMIT ?"
)
Row = list[Any]  # see _OUTLINE
Near = tuple[str, int, str, int, int, bool]  # id, tokens, kind, start, end, whether it has a text of its own


@dataclass
class Piece:
    """A document, or the part of it from one chunk to another."""

    id: str
    number: int
    last: int
    head: Row
    rows: list[Row]
    packed: bytes
    place: dict[str, int] = field(init=False)
    _text: str | None = None

    def __post_init__(self) -> None:
        self.place = {row[0]: place for place, row in enumerate(self.rows)}

    @property
    def text(self) -> str:
        packed, text = self.packed, self._text  # in this order: another thread may be unpacking it
        if text is None:
            text = self._text = unpack_text(packed)
            self.packed = b""
        return text

    @property
    def begins(self) -> bool:
        return bool(self.rows) and self.rows[0][2] == 0

    @property
    def ends(self) -> bool:
        return bool(self.rows) and self.rows[-1][2] == self.last

    @property
    def is_whole(self) -> bool:
        return self.begins and self.ends

    @property
    def size(self) -> int:
        """In bytes, with the text as it is or will be once it is unpacked: what is not known of it is guessed."""
        return 600 * len(self.rows) + (self._likely if self._text is None else getsizeof(self._text))

    @property
    def _likely(self) -> int:
        """A chunk's end says how many characters there are before it."""
        *_, latest = self.rows or [[0] * 5]
        return max(4 * len(self.packed), int(latest[4] * (self.last + 1) / (latest[2] + 1)))

    def passage(self, place: int) -> Passage:
        row = self.rows[place]
        chunk, _, ordinal, start, end, tokens, kind, continues, section, title, anchor, headings, level, own = row
        *head, tags, lines = self.head
        own_text = None if own is None else bytes.fromhex(own)
        where = (chunk, self.id, section, ordinal, start, end, tokens, kind, continues, title, anchor, headings, level)
        return passage_of((*where, *head, tags, lines, own_text), self.text, self.text.count("\n", 0, start))

    def between(self, low: int, high: int) -> list[Near] | None:
        """The chunks with these ordinals; None where some of them are not here."""
        if not self.rows or (low < self.rows[0][2] and not self.begins) or (high > self.rows[-1][2] and not self.ends):
            return None
        return [_near(row) for row in self.rows if low <= row[2] <= high]

    def touching(self, start: int, end: int) -> list[Near] | None:
        """Those that stand from one character to another, front matter aside; None as above."""
        rows = self.rows
        if not rows or (rows[0][4] > start and not self.begins) or (rows[-1][3] < end and not self.ends):
            return None
        return [_near(row) for row in rows if row[4] > start and row[3] < end and row[6] != "front_matter"]

    def first(self, section: str) -> list[str] | None:
        """The first chunk that is not front matter, of the section if one is named; None: it is not known."""
        if not self.is_whole:
            return None
        found = (row[0] for row in self.rows if row[6] != "front_matter" and section in ("", row[8]))
        return [*found][:1]


def _near(row: Row) -> Near:
    return (row[0], row[5], row[6], row[3], row[4], row[13] is not None)


def question_of(chunk_ids: Iterable[str]) -> Question:
    """Finds the documents that have these chunks, as `piece` takes them."""
    return _PIECES, (json.dumps(list(chunk_ids)),)


def piece(row: Sequence[Any]) -> Piece:
    document, number, last, head, rows, packed = row
    return Piece(document, number, -1 if last is None else last, json.loads(head), json.loads(rows or "[]"), packed)


def pieces(connection: Connection, chunk_ids: Iterable[str]) -> list[Piece]:
    statement, values = question_of(chunk_ids)
    return [piece(row) for row in connection.execute(statement, values)]


def of_documents(connection: Connection, documents: Iterable[str]) -> list[Piece]:
    """Those of them that are not long."""
    return [piece(row) for row in connection.execute(_OF_DOCUMENTS, (json.dumps(list(documents)),))]


def next_of_all(connection: Connection, after: int, most: int) -> list[Piece]:
    """Those that are not long, by number."""
    return [piece(row) for row in connection.execute(_NEXT, (after, most))]
