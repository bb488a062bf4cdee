"""A document as the rows that a transaction puts into the truth: made by workers, cheap to send."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from wekadocs_corpus.fields import Value
from wekadocs_corpus.model import Place, Prepared

from . import names
from .ids import checked, id_key, is_ours
from .nodes import TYPE, path_key, rank
from .packing import pack_hash, pack_spans, pack_terms, pack_text

Row = tuple[Any, ...]
_encoder = json.JSONEncoder(ensure_ascii=False, default=str)


class Rows(NamedTuple):
    """Plain tuples in the order of the tables' columns, without numbers, which the writer gives.

    A section is named by its place in the document, the document itself by -1.
    """

    place: Place
    document_id: str
    title: str
    document: Row  # without the moment it is taken in
    tags: tuple[str, ...]  # beside the first
    sections: list[Row]  # the last is the parent's place
    chunks: list[Row]  # the second is the section's place
    fields: list[tuple[int, str, Value]]  # the chunk's place, the field, a value
    model: str
    hashes: tuple[str, ...]  # of what the chunks have embedded
    vectors: dict[str, bytes]
    entities: list[Row]
    edges: list[Row]  # a source and a target are places or the ids of entities
    names: bytes  # see names.py
    links: list[Row]  # the first is the section's place


def rows(prepared: Prepared) -> Rows:
    document, parsed, graph = prepared.document, prepared.document.parsed, prepared.graph
    places = {section.id: place for place, section in enumerate(parsed.sections)}
    return Rows(
        place=document.place,
        document_id=document.id,
        title=parsed.title,
        document=_document(prepared),
        tags=tuple(dict.fromkeys(tag for tag in document.other_tags if tag != document.doc_tag)),
        sections=_sections(prepared, places),
        chunks=_chunks(prepared, places),
        fields=[
            (place, name, value)
            for place, chunk in enumerate(parsed.chunks)
            for name, value in (*document.fields, *chunk.fields)
        ],
        model=prepared.model,
        hashes=prepared.embedded_hashes,
        vectors=prepared.vectors,
        entities=[tuple(entity) for entity in graph.entities],
        edges=_edges(prepared, {document.id: -1, **places}),
        names=names.packed(graph.names, places),
        links=[(places[k.section_id], path_key(k.path), k.path, k.anchor, k.start, k.end) for k in graph.links],
    )


def spelled(spans: Iterable[tuple[int, int]]) -> str:
    """Evidence as a server that knows no spans keeps it."""
    return f"[{', '.join([f'[{start}, {end}]' for start, end in spans])}]"


def _edges(prepared: Prepared, places: Mapping[str, int]) -> list[Row]:
    return [
        (
            *(places.get(e.source, e.source), TYPE[e.type], places.get(e.target, e.target)),
            *(rank(e.source), e.weight, pack_spans(e.evidence)),
        )
        for e in prepared.graph.edges
    ]


def _document(prepared: Prepared) -> Row:
    document, place, parsed = prepared.document, prepared.document.place, prepared.document.parsed
    front_matter = _encoder.encode(parsed.front_matter) if parsed.front_matter else "{}"
    where = (document.id, place.project_id, place.environment, place.repository, place.path, prepared.root)
    what = (document.url, document.source_uri, parsed.title, document.doc_tag, parsed.language, document.updated_at)
    file = (document.content_hash, document.size_bytes, prepared.file_size, prepared.file_mtime_ns)
    reading = (prepared.parser_version, prepared.neighbours, prepared.tokens)
    return (*where, *what, *file, *reading, front_matter, parsed.source_lines, pack_text(parsed.text))


def _sections(prepared: Prepared, places: Mapping[str, int]) -> list[Row]:
    return [
        (
            *(bytes.fromhex(s.id), s.ordinal, s.level, s.title, s.anchor, _json(s.headings), s.start, s.end),
            None if s.parent_id is None else places[s.parent_id],
        )
        for s in prepared.document.parsed.sections
    ]


def _chunks(prepared: Prepared, places: Mapping[str, int]) -> list[Row]:
    parts = zip(prepared.document.parsed.chunks, prepared.embedded_hashes, prepared.terms, strict=True)
    return [
        (
            *(id_key(checked(c.id)), places[c.section_id], c.ordinal, c.start, c.end, c.tokens, c.kind, c.continues),
            *(pack_hash(embedded), None if is_ours(c.id) else c.id, None if c.text is None else pack_text(c.text)),
            pack_terms(terms),
        )
        for c, embedded, terms in parts
    ]


def _json(items: Sequence[object]) -> str:
    return _encoder.encode(items) if items else "[]"
