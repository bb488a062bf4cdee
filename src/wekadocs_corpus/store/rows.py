"""A document as the rows that a transaction puts into the truth: made by workers, cheap to send."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from wekadocs_corpus.model import Edge, Place, Prepared

Row = tuple[Any, ...]
_encoder = json.JSONEncoder(ensure_ascii=False, default=str)


class Rows(NamedTuple):
    """Plain tuples in the order of the tables' columns."""

    place: Place
    document_id: str
    document: Row  # without the moment it is taken in
    sections: list[Row]
    chunks: list[Row]  # without their numbers
    model: str
    hashes: tuple[str, ...]  # of what the chunks have embedded
    vectors: dict[str, bytes]
    entities: list[Row]
    edges: list[Row]
    names: str  # JSON: source, concept, weight, evidence of each
    links: list[Row]


def rows(prepared: Prepared) -> Rows:
    document, parsed, graph = prepared.document, prepared.document.parsed, prepared.graph
    place, document_id = document.place, document.id
    where = (place.project_id, place.environment)
    return Rows(
        place=place,
        document_id=document_id,
        document=_document(prepared, document_id),
        sections=[
            (s.id, document_id, s.ordinal, s.level, s.title, s.anchor, _json(s.headings), s.start, s.end, s.parent_id)
            for s in parsed.sections
        ],
        chunks=_chunks(prepared, document_id),
        model=prepared.model,
        hashes=prepared.embedded_hashes,
        vectors=prepared.vectors,
        entities=[(e.id, *where, e.label, e.key, e.name) for e in graph.entities],
        edges=[(e.source, e.type, e.target, document_id, *where, e.weight, spelled(e.evidence)) for e in graph.edges],
        names=_names(graph.names),
        links=[
            (document_id, ordinal, link.section_id, link.path, link.anchor, link.text, link.start, link.end)
            for ordinal, link in enumerate(graph.links)
        ],
    )


def spelled(spans: Iterable[tuple[int, int]]) -> str:
    """Evidence as the truth keeps it; by hand, because this is done for every edge."""
    return f"[{', '.join([f'[{start}, {end}]' for start, end in spans])}]"


def _names(edges: Sequence[Edge]) -> str:
    """By hand too: ids and numbers need no escapes."""
    stated = [f'["{e.source}", "{e.target}", {e.weight!r}, "{spelled(e.evidence)}"]' for e in edges]
    return f"[{', '.join(stated)}]" if edges else ""


def _document(prepared: Prepared, document_id: str) -> Row:
    document, place, parsed = prepared.document, prepared.document.place, prepared.document.parsed
    front_matter = _encoder.encode(parsed.front_matter) if parsed.front_matter else "{}"
    where = (document_id, place.project_id, place.environment, place.repository, place.path, prepared.root)
    what = (document.source_uri, parsed.title, document.doc_tag, parsed.language, document.updated_at)
    file = (document.content_hash, document.size_bytes, prepared.file_size, prepared.file_mtime_ns)
    return (*where, *what, *file, prepared.parser_version, prepared.tokens, front_matter, parsed.text)


def _chunks(prepared: Prepared, document_id: str) -> list[Row]:
    parts = zip(prepared.document.parsed.chunks, prepared.embedded_hashes, prepared.terms, strict=True)
    return [
        (c.id, document_id, c.section_id, c.ordinal, c.start, c.end, c.tokens, c.kind, c.continues, embedded, terms)
        for c, embedded, terms in parts
    ]


def _json(items: Sequence[object]) -> str:
    return _encoder.encode(items) if items else "[]"
