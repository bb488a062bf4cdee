"""Documents as they are stored, without the numbers that are this database's own: what another truth can take in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from wekadocs_corpus.model import Place
from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.writing.names import unpacked
from wekadocs_corpus.store.writing.nodes import DOCUMENT, ENTITY, TYPE, node
from wekadocs_corpus.store.writing.rows import Row, Rows

from . import fields

_DOCUMENT = (
    "number, id, project, environment, repository, path, root, url, source_uri, title, doc_tag, language, updated_at, "
    "content_hash, size_bytes, file_size, file_mtime_ns, parser_version, neighbours, tokens, front_matter, "
    "source_lines, text"
)
_SECTIONS = (
    'SELECT number, digest, ordinal, level, title, anchor, headings, "start", "end", parent FROM sections '
    "WHERE document = ? ORDER BY number"
)
_CHUNKS = (
    'SELECT id, digest, section, ordinal, "start", "end", tokens, kind, continues, embedded_hash, name, own_text, '
    "terms FROM chunks WHERE document = ? ORDER BY number"
)
_VECTORS = (
    "SELECT DISTINCT e.embedded_hash, e.vector FROM chunks AS c "
    "JOIN embeddings AS e ON e.embedded_hash = c.embedded_hash "
    "WHERE c.document = ? AND e.model = (SELECT number FROM models WHERE name = ?)"
)
_EDGES = "SELECT source, type, target, rank, weight, evidence FROM edges WHERE document = ? AND type <> ?"
_LINKS = (
    'SELECT section, target_key, target_path, target_anchor, "start", "end" FROM links WHERE document = ? '
    "ORDER BY ordinal"
)
_AT_ONCE = 500  # entities that are asked for together
_MODEL = "SELECT model FROM bindings WHERE project = ?"


def whole(connection: Connection, document_ids: Sequence[str]) -> list[Rows]:
    """Those of them that are there."""
    found = (_document(connection, each) for each in document_ids)
    return [each for each in found if each is not None]


def _document(connection: Connection, document_id: str) -> Rows | None:
    row = connection.execute(f"SELECT {_DOCUMENT} FROM documents WHERE id = ?", (document_id,)).fetchone()
    if row is None:
        return None
    number, *document = row
    place, title = Place(*document[1:5]), document[8]
    sections = connection.execute(_SECTIONS, (number,)).fetchall()
    first = sections[0][0] if sections else 0
    chunks = connection.execute(_CHUNKS, (number,)).fetchall()
    model = connection.execute(_MODEL, (place.project_id,)).fetchone()
    vectors = _vectors(connection, number, model[0] if model else "")
    named = _packed(connection, number)
    entities, edges = _graph(connection, number, first, named)
    return Rows(
        place=place,
        document_id=document_id,
        title=title,
        document=_plain(document),
        tags=_tags(connection, number),
        sections=[(*_plain(row[1:-1]), None if row[-1] is None else row[-1] - first) for row in sections],
        chunks=[_plain((row[1], row[2] - first, *row[3:])) for row in chunks],
        fields=_fields(connection, document_id, [row[0] for row in chunks]),
        model=model[0] if model else "",
        hashes=tuple(vectors),
        vectors=vectors,
        entities=entities,
        edges=edges,
        names=named,
        links=[(row[0] - first, *row[1:]) for row in connection.execute(_LINKS, (number,)).fetchall()],
    )


def _tags(connection: Connection, number: int) -> tuple[str, ...]:
    rows = connection.execute("SELECT tag FROM other_tags WHERE document = ? ORDER BY tag", (number,)).fetchall()
    return tuple(tag for (tag,) in rows)


def _vectors(connection: Connection, number: int, model: str) -> dict[str, bytes]:
    rows = connection.execute(_VECTORS, (number, model)).fetchall()
    return {bytes(name).hex(): bytes(vector) for name, vector in sorted(rows)}


def _packed(connection: Connection, number: int) -> bytes:
    row = connection.execute("SELECT packed FROM names WHERE document = ?", (number,)).fetchone()
    return bytes(row[0]) if row else b""


def _fields(connection: Connection, document_id: str, chunks: Sequence[str]) -> list[tuple[int, str, Any]]:
    found = fields.of_documents(connection, [document_id])
    return [(place, *value) for place, chunk in enumerate(chunks) for value in found.get(chunk, ())]


def _graph(connection: Connection, number: int, first: int, named: bytes) -> tuple[list[Row], list[Row]]:
    """What the document states itself: links, and names of concepts, become edges where both ends are."""
    stated = connection.execute(_EDGES, (number, TYPE["REFERENCES"])).fetchall()
    entities = _entities(connection, {end >> 2 for row in stated for end in (row[0], row[2]) if end & 3 == ENTITY})
    waiting = {(name.section, name.concept) for name in unpacked(named)}

    def end(of: int) -> int | str:
        if of & 3 == ENTITY:
            return str(entities[of >> 2][0])
        return -1 if of == node(DOCUMENT, number) else (of >> 2) - first

    edges = [(end(row[0]), row[1], end(row[2]), *_plain(row[3:])) for row in stated]
    own = [row for row in edges if row[1] != TYPE["MENTIONS"] or (row[0], row[2]) not in waiting]
    used = {each for row in own for each in (row[0], row[2])}
    return sorted(row for row in entities.values() if row[0] in used), sorted(own, key=_by_ends)


def _by_ends(edge: Row) -> tuple[str, int, str]:
    return str(edge[0]), edge[1], str(edge[2])


def _entities(connection: Connection, numbers: Collection[int]) -> dict[int, Row]:
    asked, found = sorted(numbers), dict[int, Row]()
    for start in range(0, len(asked), _AT_ONCE):
        some = asked[start : start + _AT_ONCE]
        marks = ", ".join("?" * len(some))
        rows = connection.execute(f"SELECT number, id, label, key, name FROM entities WHERE number IN ({marks})", some)
        found |= {row[0]: tuple(row[1:]) for row in rows.fetchall()}
    return found


def _plain(row: Sequence[object]) -> Row:
    """As every engine gives it."""
    return tuple(bytes(value) if isinstance(value, memoryview) else value for value in row)
