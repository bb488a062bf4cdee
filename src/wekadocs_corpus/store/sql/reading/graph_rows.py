"""What documents put into the graph, for graphs that are kept elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from wekadocs_corpus.graph.embedded.sql import ID
from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.sql.writing import names
from wekadocs_corpus.store.truth.rows import GraphRows
from wekadocs_corpus.store.writing.nodes import DOCUMENT, SECTION, TYPE, TYPES
from wekadocs_corpus.store.writing.packing import unpack_spans

_ANY = "IN (SELECT value FROM json_each(:ids))"
_DOCUMENTS = f"""SELECT id, project, environment, repository, doc_tag, path, title, tokens,
 (SELECT json_group_array(tag) FROM other_tags WHERE document = number) FROM documents WHERE id {_ANY}"""
_SECTIONS = f"""SELECT s.id, d.id, s.ordinal, s.level, s.title, s.anchor, p.id,
 (SELECT COALESCE(SUM(c.tokens), 0) FROM chunks c WHERE c.section = s.number)
 FROM documents d JOIN sections s ON s.document = d.number LEFT JOIN sections p ON p.number = s.parent
 WHERE d.id {_ANY} ORDER BY d.id, s.ordinal"""
_CHUNKS = f"""SELECT c.id, d.id, c.ordinal, s.id, c.tokens, s.level, s.title, s.anchor, c."start", c."end", c.kind
 FROM documents d JOIN chunks c ON c.document = d.number JOIN sections s ON s.number = c.section
 WHERE d.id {_ANY} ORDER BY d.id, c.ordinal"""
# Also what other documents' links point at in these: taking a node out took those edges along.
_NUMBERS = f"SELECT number FROM documents WHERE id {_ANY}"
_EDGES = f"""SELECT {ID.format("e.source")}, e.type, {ID.format("e.target")}, d.id, e.weight, e.evidence
 FROM edges e JOIN documents d ON d.number = e.document WHERE e.document IN ({_NUMBERS})
 OR e.type = {TYPE["REFERENCES"]} AND e.target IN
 (SELECT number << 2 | {DOCUMENT} FROM documents WHERE id {_ANY} UNION ALL
 SELECT number << 2 | {SECTION} FROM sections WHERE document IN ({_NUMBERS}))"""
_ENTITIES = "SELECT id, label, key, name FROM entities WHERE digest IN (SELECT id_key(value) FROM json_each(:ids))"


def of_documents(connection: Connection, document_ids: Sequence[str]) -> GraphRows:
    """All that the documents, as far as they still exist, put into the graph."""
    ids = {"ids": json.dumps(list(document_ids))}
    documents = connection.execute(_DOCUMENTS, ids).fetchall()
    there = {row[0] for row in documents}
    edges = [*_stated(connection, ids), *_named(connection, there)]
    foreign = sorted({row[3] for row in edges} - there)
    targets = list(dict.fromkeys(row[2] for row in edges))
    return GraphRows(
        documents,
        connection.execute(_SECTIONS, ids).fetchall(),
        connection.execute(_CHUNKS, ids).fetchall(),
        list(dict.fromkeys(edges)),
        connection.execute(_DOCUMENTS, {"ids": json.dumps(foreign)}).fetchall(),
        connection.execute(_ENTITIES, {"ids": json.dumps(targets)}).fetchall(),
    )


def _stated(connection: Connection, ids: dict[str, str]) -> Iterator[tuple[Any, ...]]:
    for source, kind, target, document, weight, evidence in connection.execute(_EDGES, ids):
        yield source, TYPES[kind], target, document, weight, unpack_spans(evidence)


def _named(connection: Connection, documents: Iterable[str]) -> Iterator[tuple[Any, ...]]:
    """Names of concepts, also of those that nobody defines yet: elsewhere they wait as edges."""
    for document, section, name in names.waiting(connection, documents):
        yield section, "MENTIONS", name.concept, document, name.weight, tuple(name.evidence)
