"""Documents, sections, passages and changes, read from the file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from wekadocs_corpus.model import Filters, Scope
from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.truth.rows import Change, DocumentRow, KnownFile, Passage, SectionRow
from wekadocs_corpus.store.writing.packing import unpack_text

from .filtering import allowed

Texts = Callable[[Connection, set[str]], Mapping[str, str]]  # ids of documents → their texts


# In one line each: documents give them no line ends, see labels.py.
OTHER_TAGS = "(SELECT group_concat(tag, char(10)) FROM other_tags WHERE document = d.number)"
_DOCUMENT = (
    "id, project, environment, repository, path, root, title, doc_tag, language, updated_at, ingested_at, "
    "content_hash, size_bytes, tokens, front_matter, "
    """coalesce((SELECT max("end") FROM chunks WHERE document = d.number AND kind = 'front_matter'), 0), """
    f"text, source_lines, url, {OTHER_TAGS}"
)
_SECTION = (
    'SELECT s.id, d.id, s.ordinal, s.level, s.title, s.anchor, s.headings, s."start", s."end", p.id '
    "FROM sections AS s JOIN documents AS d ON d.number = s.document LEFT JOIN sections AS p ON p.number = s.parent"
)
HAS_EDGES = (
    "SELECT 1 FROM documents AS d WHERE project = ? AND environment = ? "
    "AND EXISTS (SELECT 1 FROM edges WHERE document = d.number) LIMIT 1"
)
_AMONG = "IN (SELECT value FROM json_each(?))"
_DIGESTS = "IN (SELECT id_key(value) FROM json_each(?))"
_OF_DOCUMENT = "chunks AS c WHERE c.document = (SELECT number FROM documents WHERE id = ?1)"


def document(connection: Connection, document_id: str) -> DocumentRow | None:
    row = connection.execute(f"SELECT {_DOCUMENT} FROM documents AS d WHERE id = ?", (document_id,)).fetchone()
    if row is None:
        return None
    text, tags = unpack_text(row[16]), split_tags(row[-1])
    return DocumentRow(*(*row[:14], json.loads(row[14]), row[15], text, *row[17:-1], tags))


def split_tags(spelled: str | None) -> tuple[str, ...]:
    """Of OTHER_TAGS; nearly always there are none."""
    return tuple(spelled.split("\n")) if spelled else ()


def first_chunk(connection: Connection, document_id: str, section_id: str = "") -> list[str]:
    """The first that is not front matter, of the section if one is named, if there is one."""
    ask = (
        f"SELECT c.id FROM {_OF_DOCUMENT} AND kind <> 'front_matter' "
        "AND (?2 = '' OR c.section = (SELECT number FROM sections WHERE digest = id_key(?2))) ORDER BY ordinal LIMIT 1"
    )
    return [row[0] for row in connection.execute(ask, (document_id, section_id))]


def has_documents(connection: Connection, project: str, environment: str) -> bool:
    ask = "SELECT 1 FROM documents WHERE project = ? AND environment = ? LIMIT 1"
    return connection.execute(ask, (project, environment)).fetchone() is not None


def has_edges(connection: Connection, project: str, environment: str) -> bool:
    """Whether any document states anything for the graph."""
    return connection.execute(HAS_EDGES, (project, environment)).fetchone() is not None


def doc_tags(connection: Connection, scope: Scope) -> list[str]:
    """The tags that this scope may see, in order."""
    of = "WHERE project = ?1 AND environment = ?2"
    ask = (
        f"SELECT doc_tag, repository FROM documents {of} UNION SELECT tag, repository FROM other_tags "
        f"JOIN documents ON number = document {of} ORDER BY 1"
    )
    rows = connection.execute(ask, (scope.project_id, scope.environment)).fetchall()
    seen = (tag for tag, repository in rows if not scope.repositories or repository in scope.repositories)
    return [tag for tag in dict.fromkeys(seen) if not scope.doc_tags or tag in scope.doc_tags]


def section(connection: Connection, section_id: str) -> SectionRow | None:
    row = connection.execute(f"{_SECTION} WHERE s.digest = id_key(?)", (section_id,)).fetchone()
    return None if row is None else _section(row)


def sections_of(connection: Connection, document_id: str) -> list[SectionRow]:
    rows = connection.execute(f"{_SECTION} WHERE d.id = ? ORDER BY s.ordinal", (document_id,))
    return [_section(row) for row in rows]


def _section(row: tuple[Any, ...]) -> SectionRow:
    return SectionRow(*(*row[:6], tuple(json.loads(row[6])), *row[7:]))


def owners(connection: Connection, chunk_ids: Sequence[str]) -> dict[str, str]:
    """The documents of these chunks, by chunk."""
    ask = f"SELECT c.id, d.id FROM chunks AS c JOIN documents AS d ON d.number = c.document WHERE c.digest {_DIGESTS}"
    return dict(connection.execute(ask, (json.dumps(list(chunk_ids)),)).fetchall())


_PASSAGE = (
    'SELECT c.id, d.id, s.id, c.ordinal, c."start", c."end", c.tokens, kind, continues, '
    "s.title, anchor, headings, level, d.title, path, doc_tag, project, environment, repository, "
    f"language, updated_at, content_hash, url, {OTHER_TAGS}, source_lines, own_text "
    "FROM chunks AS c JOIN documents AS d ON d.number = c.document JOIN sections AS s ON s.number = c.section"
)
_PASSAGES = f"{_PASSAGE} WHERE c.digest {_DIGESTS}"
SEQUENCE = "SELECT coalesce(max(sequence), 0) FROM changes"
Terms = tuple[str, str, str, bytes]  # section, chunk, document, and the terms, packed
TERMS = (
    "SELECT s.id, c.id, d.id, c.terms FROM json_each(?) AS wanted "
    "CROSS JOIN chunks AS c ON c.digest = id_key(wanted.value) "
    "JOIN sections AS s ON s.number = c.section JOIN documents AS d ON d.number = c.document"
)


def terms(connection: Connection, chunk_ids: Sequence[str]) -> list[Terms]:
    return connection.execute(TERMS, (json.dumps(list(chunk_ids)),)).fetchall()


def passages(connection: Connection, chunk_ids: Sequence[str], texts: Texts | None = None) -> list[Passage]:
    """The chunks of these ids, in their order; ids that are gone are left out."""
    rows = {row[0]: row for row in connection.execute(_PASSAGES, (json.dumps(list(chunk_ids)),))}
    whole = (texts or document_texts)(connection, {row[1] for row in rows.values()})
    lines = _lines_before([(row[1], row[4]) for row in rows.values()], whole)
    wanted = [rows[each] for each in chunk_ids if each in rows]
    return [passage_of(row, whole[row[1]], lines[row[1], row[4]]) for row in wanted]


def _lines_before(places: Iterable[tuple[str, int]], whole: Mapping[str, str]) -> dict[tuple[str, int], int]:
    """Line ends before each place of a document: a long one is gone through once, not again for every chunk."""
    found: dict[tuple[str, int], int] = {}
    last, lines, at = "", 0, 0
    for document, start in sorted(set(places)):
        lines, at = (lines, at) if document == last else (0, 0)
        lines += whole[document].count("\n", at, start)
        last, at = document, start
        found[document, start] = lines
    return found


def passages_of(connection: Connection, document_id: str) -> list[Passage]:
    """All chunks of a document, in order."""
    ids = connection.execute(f"SELECT c.id FROM {_OF_DOCUMENT} ORDER BY ordinal", (document_id,))
    return passages(connection, [row[0] for row in ids])


def document_texts(connection: Connection, documents: Iterable[str]) -> dict[str, str]:
    rows = connection.execute(f"SELECT id, text FROM documents WHERE id {_AMONG}", (json.dumps(sorted(documents)),))
    return {document: unpack_text(packed) for document, packed in rows}


def passage_of(row: tuple[Any, ...], text: str, line: int) -> Passage:
    """Of a row of `_PASSAGE`, the text of its document, and the line ends before it there."""
    head, (title, anchor, headings, level), tail, (lines, own) = row[:9], row[9:13], row[13:-2], row[-2:]
    where = (title, anchor, tuple(json.loads(headings)), level)
    said = text[row[4] : row[5]] if own is None else unpack_text(own)
    # Made once: to replace a field of a passage costs as much as to make it, and every answer reads many.
    more = (split_tags(tail[-1]), False, (), line, lines if own is None else None)
    return Passage(*(*head[:8], bool(head[8]), said, *where, *tail[:-1], *more))


def document_ids(connection: Connection, project: str) -> list[str]:
    return [row[0] for row in connection.execute("SELECT id FROM documents WHERE project = ? ORDER BY id", (project,))]


def headings(connection: Connection, scope: Scope, most: int) -> list[str]:
    """Titles of sections in the scope, as many as that."""
    condition, values = allowed(scope, Filters())
    ask = "SELECT s.title FROM documents AS d JOIN sections AS s ON s.document = d.number"
    return [row[0] for row in connection.execute(f"{ask} WHERE {condition} LIMIT ?", (*values, most))]


def roots(connection: Connection, project: str, environment: str) -> dict[str, str]:
    """What was ingested: folder or file → its repository."""
    ask = "SELECT DISTINCT root, repository FROM documents WHERE project = ? AND environment = ?"
    return dict(connection.execute(ask, (project, environment)).fetchall())


def known_files(connection: Connection, project: str, environment: str, uri: str) -> dict[str, KnownFile]:
    """Document id → its file, for the file of this address or all in the folder, whatever root they came with."""
    rows = connection.execute(
        "SELECT id, root, path, content_hash, file_size, file_mtime_ns, parser_version, ingested_at, neighbours "
        "FROM documents "
        "WHERE project = ? AND environment = ? AND (source_uri = ? OR substr(source_uri, 1, ?) = ?)",
        (project, environment, uri, len(uri) + 1, f"{uri}/"),
    )
    return {row[0]: KnownFile(*row) for row in rows}


def changes_after(connection: Connection, sequence: int, limit: int, project: str | None) -> list[Change]:
    ask = "SELECT sequence, document_id, deleted FROM changes WHERE sequence > ? AND (? IS NULL OR project = ?)"
    rows = connection.execute(f"{ask} ORDER BY sequence LIMIT ?", (sequence, project, project, limit))
    return [Change(number, document_id, bool(deleted)) for number, document_id, deleted in rows]


def sequence(connection: Connection) -> int:
    return int(connection.execute(SEQUENCE).fetchone()[0])


def behind(connection: Connection, sequence: int, project: str) -> int:
    ask = "SELECT count(*) FROM changes WHERE sequence > ? AND project = ?"
    return int(connection.execute(ask, (sequence, project)).fetchone()[0])
