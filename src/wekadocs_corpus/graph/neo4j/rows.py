"""What documents of the truth are in Neo4j: their nodes and edges as rows, short, since a million of them are sent."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from wekadocs_corpus.graph.interface import LINKS
from wekadocs_corpus.store.truth.rows import GraphRows
from wekadocs_corpus.store.writing.rows import spelled

Row = dict[str, Any]
Edge = list[Any]
_OWN = ("CONTAINS_STEP", "HAS_PARAMETER")  # between entities: they say whose they are
_PLACE = 15  # hexadecimal digits of an id: as many as a signed number of 64 bits can hold


@dataclass
class Rows:
    """Ready for UNWIND. Scopes are sent once; rows name theirs by its place."""

    scopes: list[Row] = field(default_factory=list)  # of nodes
    limits: list[Row] = field(default_factory=list)  # of relationships: what a scope asks inside a project
    entities: list[Row] = field(default_factory=list)
    nodes: defaultdict[str, list[list[Any]]] = field(default_factory=lambda: defaultdict(list))
    placed: defaultdict[str, list[Edge]] = field(default_factory=lambda: defaultdict(list))
    stated: defaultdict[str, list[Edge]] = field(default_factory=lambda: defaultdict(list))


def place(id: str) -> int:
    """Orders as ids do. Nodes have it, and relationships that of both ends, by which an index keeps them in order."""
    return int(id[:_PLACE], 16)


def rows(found: GraphRows) -> Rows:
    """All that the documents, as far as they still exist, put into the graph."""
    made = Rows()
    numbers = {row[0]: _document(made, row) for row in found.documents}
    _sections(made, numbers, found.sections)
    _chunks(made, numbers, found.chunks)
    _stated(made, numbers, found)
    return made


def _document(made: Rows, row: tuple[Any, ...]) -> int:
    number = _scope(made, row)
    node = {"id": row[0], "place": place(row[0]), "label": "Document", "title": row[6], "tokens": row[7], "level": 0}
    made.nodes["Document"].append([number, node])
    return number


def _scope(made: Rows, row: tuple[Any, ...]) -> int:
    """An absent property is an empty one."""
    limits: Row = {"repository": row[3], "doc_tag": row[4], "other_tags": json.loads(str(row[8]))}
    limits = {key: value for key, value in limits.items() if value}
    made.limits.append(limits)
    made.scopes.append({"document_id": row[0], "project": row[1], "environment": row[2], "path": row[5], **limits})
    return len(made.scopes) - 1


def _sections(made: Rows, numbers: dict[str, int], found: Iterable[tuple[Any, ...]]) -> None:
    last: dict[tuple[str, str | None], str] = {}
    for each, document, ordinal, level, title, anchor, parent, tokens in found:
        node = {"id": each, "label": "Section", "level": level, "title": title, "anchor": anchor, "tokens": tokens}
        made.nodes["Section"].append([numbers[document], {**node, "place": place(each)}])
        made.placed["PARENT_OF" if parent else "HAS_SECTION"].append([parent or document, each, ordinal])
        if (document, parent) in last:
            made.placed["NEXT"].append([last[document, parent], each, None])
        last[document, parent] = each


def _chunks(made: Rows, numbers: dict[str, int], found: Iterable[tuple[Any, ...]]) -> None:
    last: dict[str, str] = {}
    begun: set[str] = set()  # sections, and documents front matter aside
    for each, document, ordinal, section, tokens, level, title, anchor, start, end, kind in found:
        node = {"id": each, "label": "Chunk", "level": level, "title": title, "anchor": anchor, "tokens": tokens}
        opens = {"first": section not in begun, "body": kind != "front_matter" and document not in begun}
        begun.update((section, document) if kind != "front_matter" else (section,))
        made.nodes["Chunk"].append([numbers[document], {**node, **opens, "start": start, "end": end}])
        made.placed["HAS_CHUNK"].append([section, each, ordinal])
        if document in last:
            made.placed["NEXT_CHUNK"].append([last[document], each, None])
        last[document] = each


def _stated(made: Rows, numbers: dict[str, int], found: GraphRows) -> None:
    known = numbers | {row[0]: _scope(made, row) for row in found.others}
    ends: dict[str, Row] = {}
    ways: defaultdict[tuple[str, str, str], list[Edge]] = defaultdict(list)
    for source, kind, target, document, weight, evidence in found.edges:
        ways[kind, source, document].append(_end(target, weight, evidence))
        if kind not in LINKS:
            scope = made.scopes[known[document]]
            area = {"project": scope["project"], "environment": scope["environment"]}
            ends[target] = {"id": target, "place": place(target), **area}
    for (kind, source, document), edges in ways.items():
        said = [source, place(source), known[document], edges, document if kind in _OWN else None]
        made.stated[kind].append(said)
    made.entities = list(_entities(ends, found.entities))


def _end(target: str, weight: float, evidence: tuple[tuple[int, int], ...]) -> Edge:
    spans = (spelled(evidence), [start for start, _ in evidence]) if evidence else (None, None)
    return [target, place(target), weight, *spans]


def _entities(ends: dict[str, Row], found: Iterable[tuple[Any, ...]]) -> Iterator[Row]:
    """A target without a row is a name that nobody defines yet; its node waits without a label and is never shown."""
    for each, label, key, name in found:
        if each in ends:
            ends[each] |= {"label": label, "key": key, "title": name}
    yield from (ends[each] for each in sorted(ends))
