"""What documents of the truth are in Neo4j: their nodes and edges as rows."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from wekadocs_corpus.graph.interface import RELATIONSHIPS
from wekadocs_corpus.store.truth.rows import GraphRows
from wekadocs_corpus.store.writing.rows import spelled

Row = dict[str, Any]


@dataclass
class Rows:
    """Nodes by kind and edges by type, ready for UNWIND."""

    nodes: defaultdict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    edges: defaultdict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))


def rows(found: GraphRows) -> Rows:
    """All that the documents, as far as they still exist, put into the graph."""
    made = Rows()
    scopes = {row[0]: _document(made, row) for row in found.documents}
    _sections(made, scopes, found.sections)
    _chunks(made, scopes, found.chunks)
    _stated(made, scopes, found)
    return made


def _document(made: Rows, row: tuple[object, ...]) -> Row:
    scope = dict(zip(("document_id", "project", "environment", "repository", "doc_tag"), row[:5], strict=True))
    if others := json.loads(str(row[8])):
        scope["other_tags"] = others
    made.nodes["Document"].append(
        {**scope, "id": row[0], "label": "Document", "path": row[5], "title": row[6], "tokens": row[7], "level": 0}
    )
    return {**scope, "path": row[5]}


def _edge(made: Rows, scope: Row, source: str, kind: str, target: str, **properties: Any) -> None:
    stated = {key: value for key, value in scope.items() if key != "path"}
    row = {"source": source, "target": target, "properties": {"rank": 0, **stated, **properties}}
    made.edges[kind].append(row)


def _sections(made: Rows, scopes: dict[str, Row], found: Iterable[tuple[Any, ...]]) -> None:
    last: dict[tuple[str, str | None], str] = {}
    for each, document, ordinal, level, title, anchor, parent, tokens in found:
        scope = scopes[document]
        node = {"id": each, "label": "Section", "level": level, "title": title, "anchor": anchor, "tokens": tokens}
        made.nodes["Section"].append({**scope, **node})
        _edge(made, scope, parent or document, "PARENT_OF" if parent else "HAS_SECTION", each, rank=ordinal)
        if (document, parent) in last:
            _edge(made, scope, last[document, parent], "NEXT", each)
        last[document, parent] = each


def _chunks(made: Rows, scopes: dict[str, Row], found: Iterable[tuple[Any, ...]]) -> None:
    last: dict[str, str] = {}
    begun: set[str] = set()  # sections, and documents front matter aside
    for each, document, ordinal, section, tokens, level, title, anchor, start, end, kind in found:
        scope = scopes[document]
        node = {"id": each, "label": "Chunk", "level": level, "title": title, "anchor": anchor, "tokens": tokens}
        opens = {"first": section not in begun, "body": kind != "front_matter" and document not in begun}
        begun.update((section, document) if kind != "front_matter" else (section,))
        made.nodes["Chunk"].append({**scope, **node, **opens, "start": start, "end": end})
        _edge(made, scope, section, "HAS_CHUNK", each, rank=ordinal)
        if document in last:
            _edge(made, scope, last[document], "NEXT_CHUNK", each)
        last[document] = each


def _stated(made: Rows, scopes: dict[str, Row], found: GraphRows) -> None:
    known = scopes | {row[0]: _document(Rows(), row) for row in found.others}
    ends: dict[str, Row] = {}
    for source, kind, target, document, weight, evidence in found.edges:
        if kind in RELATIONSHIPS:
            said = {"weight": weight, "evidence": spelled(evidence), "places": [start for start, _ in evidence]}
            _edge(made, known[document], source, kind, target, **said)
            if kind != "REFERENCES":
                ends[target] = {key: known[document][key] for key in ("project", "environment")} | {"id": target}
    # A target without a row is a name that nobody defines yet; its node waits without a label and is never shown.
    for each, label, key, name in found.entities:
        if each in ends:
            ends[each] |= {"label": label, "key": key, "title": name}
    made.nodes["Entity"] = list(ends.values())
