"""What documents of the truth are in Neo4j: their nodes and edges as rows."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from wekadocs_corpus.graph.embedded.sql import ID
from wekadocs_corpus.graph.interface import RELATIONSHIPS
from wekadocs_corpus.store.sqlite.writing import names
from wekadocs_corpus.store.writing.nodes import DOCUMENT, SECTION, TYPE, TYPES
from wekadocs_corpus.store.writing.packing import unpack_spans
from wekadocs_corpus.store.writing.rows import spelled

Row = dict[str, Any]
_ANY = "IN (SELECT value FROM json_each(:ids))"
_DOCUMENTS = f"""SELECT id, project, environment, repository, doc_tag, path, title, tokens FROM documents
 WHERE id {_ANY}"""  # noqa: S608 (constants)
_SECTIONS = f"""SELECT s.id, d.id, s.ordinal, s.level, s.title, s.anchor, p.id,
 (SELECT COALESCE(SUM(c.tokens), 0) FROM chunks c WHERE c.section = s.number)
 FROM documents d JOIN sections s ON s.document = d.number LEFT JOIN sections p ON p.number = s.parent
 WHERE d.id {_ANY} ORDER BY d.id, s.ordinal"""  # noqa: S608
_CHUNKS = f"""SELECT c.id, d.id, c.ordinal, s.id, c.tokens, s.level, s.title, s.anchor
 FROM documents d JOIN chunks c ON c.document = d.number JOIN sections s ON s.number = c.section
 WHERE d.id {_ANY} ORDER BY d.id, c.ordinal"""  # noqa: S608
# Also what other documents' links point at in these: taking a node out took those edges along.
_NUMBERS = f"SELECT number FROM documents WHERE id {_ANY}"  # noqa: S608
_EDGES = f"""SELECT {ID.format("e.source")}, e.type, {ID.format("e.target")}, d.id, e.weight, e.evidence
 FROM edges e JOIN documents d ON d.number = e.document WHERE e.document IN ({_NUMBERS})
 OR e.type = {TYPE["REFERENCES"]} AND e.target IN
 (SELECT number << 2 | {DOCUMENT} FROM documents WHERE id {_ANY} UNION ALL
 SELECT number << 2 | {SECTION} FROM sections WHERE document IN ({_NUMBERS}))"""  # noqa: S608
_ENTITIES = "SELECT id, label, key, name FROM entities WHERE digest IN (SELECT unhex(value) FROM json_each(:ids))"


@dataclass
class Rows:
    """Nodes by kind and edges by type, ready for UNWIND."""

    nodes: defaultdict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    edges: defaultdict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))


def rows(connection: sqlite3.Connection, document_ids: Sequence[str]) -> Rows:
    """All that the documents, as far as they still exist, put into the graph."""
    made = Rows()
    ids = {"ids": json.dumps(document_ids)}
    scopes = {row[0]: _document(made, row) for row in connection.execute(_DOCUMENTS, ids)}
    _sections(made, scopes, connection.execute(_SECTIONS, ids))
    _chunks(made, scopes, connection.execute(_CHUNKS, ids))
    edges = [
        (source, TYPES[kind], target, document, weight, spelled(unpack_spans(evidence)))
        for source, kind, target, document, weight, evidence in connection.execute(_EDGES, ids)
    ]
    _stated(made, connection, scopes, list(dict.fromkeys([*edges, *_named(connection, scopes)])))
    return made


def _named(connection: sqlite3.Connection, documents: Iterable[str]) -> Iterator[tuple[Any, ...]]:
    """Names of concepts, also of those that nobody defines yet: here they wait as edges."""
    for document, section, name in names.waiting(connection, documents):
        yield section, "MENTIONS", name.concept, document, name.weight, spelled(name.evidence)


def _document(made: Rows, row: tuple[object, ...]) -> Row:
    scope = dict(zip(("document_id", "project", "environment", "repository", "doc_tag"), row[:5], strict=True))
    made.nodes["Document"].append(
        {**scope, "id": row[0], "label": "Document", "path": row[5], "title": row[6], "tokens": row[7], "level": 0}
    )
    return {**scope, "path": row[5]}


def _edge(made: Rows, scope: Row, source: str, kind: str, target: str, **properties: Any) -> None:
    stated = {key: value for key, value in scope.items() if key != "path"}
    row = {"source": source, "target": target, "properties": {"rank": 0, **stated, **properties}}
    made.edges[kind].append(row)


def _sections(made: Rows, scopes: dict[str, Row], found: Iterator[tuple[Any, ...]]) -> None:
    last: dict[tuple[str, str | None], str] = {}
    for each, document, ordinal, level, title, anchor, parent, tokens in found:
        scope = scopes[document]
        node = {"id": each, "label": "Section", "level": level, "title": title, "anchor": anchor, "tokens": tokens}
        made.nodes["Section"].append({**scope, **node})
        _edge(made, scope, parent or document, "PARENT_OF" if parent else "HAS_SECTION", each, rank=ordinal)
        if (document, parent) in last:
            _edge(made, scope, last[document, parent], "NEXT", each)
        last[document, parent] = each


def _chunks(made: Rows, scopes: dict[str, Row], found: Iterator[tuple[Any, ...]]) -> None:
    last: dict[str, str] = {}
    for each, document, ordinal, section, tokens, level, title, anchor in found:
        scope = scopes[document]
        node = {"id": each, "label": "Chunk", "level": level, "title": title, "anchor": anchor, "tokens": tokens}
        made.nodes["Chunk"].append({**scope, **node})
        _edge(made, scope, section, "HAS_CHUNK", each, rank=ordinal)
        if document in last:
            _edge(made, scope, last[document], "NEXT_CHUNK", each)
        last[document] = each


def _stated(made: Rows, connection: sqlite3.Connection, scopes: dict[str, Row], found: list[tuple[Any, ...]]) -> None:
    stated = [row for row in found if row[1] in RELATIONSHIPS]
    foreign = {row[3] for row in stated} - scopes.keys()
    documents = connection.execute(_DOCUMENTS, {"ids": json.dumps(sorted(foreign))})
    known = scopes | {row[0]: _document(Rows(), row) for row in documents}
    ends: dict[str, Row] = {}
    for source, kind, target, document, weight, evidence in stated:
        _edge(made, known[document], source, kind, target, weight=weight, evidence=evidence)
        if kind != "REFERENCES":
            ends[target] = {key: known[document][key] for key in ("project", "environment")} | {"id": target}
    # A target without a row is a name that nobody defines yet; its node waits without a label and is never shown.
    for each, label, key, name in connection.execute(_ENTITIES, {"ids": json.dumps(list(ends))}):
        ends[each] |= {"label": label, "key": key, "title": name}
    made.nodes["Entity"] = list(ends.values())
