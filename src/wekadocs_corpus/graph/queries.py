"""What tools ask of the graph, as rows: a corpus, a scope and plain arguments in, no word of contracts or calls.

Ids that do not exist, or are out of scope, are in `not_found`. Everything is bounded by the graph itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wekadocs_corpus.corpus import Corpus
    from wekadocs_corpus.graph.interface import Direction, EntityMention, Node, Path, SectionMention
    from wekadocs_corpus.model import Scope

Row = dict[str, Any]
FIELDS = ("id", "label", "title", "level", "tokens", "doc_tag", "anchor")


@dataclass(frozen=True)
class GraphRows:
    """Rows in order, and what else is worth knowing of them."""

    rows: list[Row]
    not_found: list[str]
    more: bool = False  # another page follows
    truncated: bool = False  # a hub or the walk was cut: not everything was looked at
    edges: list[Row] = field(default_factory=list)  # expand
    distances: list[int] = field(default_factory=list)  # expand: of each row
    nodes: list[Row] = field(default_factory=list)  # paths: what stands on them


def projection(node: Node, fields: Collection[str] = FIELDS) -> Row:
    """A node without its text."""
    row: Row = {
        "id": node.id,
        "label": node.label,
        "title": node.title,
        "level": node.level,
        "tokens": node.tokens,
        "doc_tag": node.doc_tag or None,
        "anchor": node.anchor or None,
    }
    return {name: value for name, value in row.items() if name in fields}


async def describe(
    corpus: Corpus,
    scope: Scope,
    node_ids: Sequence[str],
    *,
    fields: Collection[str] = FIELDS,
    include_snippet: bool = False,
) -> GraphRows:
    nodes = await corpus.graph.describe(node_ids, scope)
    rows = await _rows(corpus, scope, nodes, fields, include_snippet)
    return GraphRows(rows, _missing(node_ids, nodes))


async def expand(
    corpus: Corpus,
    scope: Scope,
    node_ids: Sequence[str],
    *,
    rel_types: Collection[str] | None = None,
    direction: Direction = "both",
    max_hops: int = 1,
    include_snippet: bool = False,
    page_size: int = 25,
    skip: int = 0,
) -> GraphRows:
    """One page of what is around the nodes, nearest first; an edge comes with its farther end."""
    seeds, around = await asyncio.gather(
        corpus.graph.describe(node_ids, scope),
        corpus.graph.neighbours(
            node_ids, scope, hops=max_hops, types=rel_types or (), direction=direction, limit=page_size, skip=skip
        ),
    )
    rows = await _rows(corpus, scope, around.nodes, FIELDS, include_snippet)
    edges = [{"src": edge.source, "dst": edge.target, "type": edge.type} for edge in around.edges]
    return GraphRows(rows, _missing(node_ids, seeds), around.more, around.truncated, edges, list(around.distances))


async def paths(
    corpus: Corpus,
    scope: Scope,
    a_ids: Sequence[str],
    b_ids: Sequence[str],
    *,
    rel_types: Collection[str] | None = None,
    max_hops: int = 2,
    max_paths: int = 10,
) -> GraphRows:
    """Shortest ways from each a to each b, shortest first; edges may be walked against their direction."""
    ends = list(dict.fromkeys([*a_ids, *b_ids]))
    found, known = await asyncio.gather(
        corpus.graph.paths(a_ids, b_ids, scope, max_hops=max_hops, max_paths=max_paths, types=rel_types or ()),
        corpus.graph.describe(ends, scope),
    )
    nodes = await _described(corpus, scope, dict.fromkeys(each for path in found.paths for each in path.nodes))
    rows = [_path(path) for path in found.paths]
    return GraphRows(rows, _missing(ends, known), truncated=found.truncated, nodes=[projection(node) for node in nodes])


async def parents(corpus: Corpus, scope: Scope, section_ids: Sequence[str]) -> GraphRows:
    """What stands above each node; a document stands under nothing."""
    known, above = await asyncio.gather(
        corpus.graph.describe(section_ids, scope), corpus.graph.parents(section_ids, scope)
    )
    return GraphRows([_parent(node, above.get(node.id)) for node in known], _missing(section_ids, known))


async def children(
    corpus: Corpus,
    scope: Scope,
    parent_id: str,
    *,
    page_size: int = 25,
    skip: int = 0,
    include_snippet: bool = False,
) -> GraphRows:
    """One page of what stands under a node, in the order of the document."""
    known, below = await asyncio.gather(
        corpus.graph.describe([parent_id], scope),
        corpus.graph.children(parent_id, scope, limit=page_size, skip=skip),
    )
    rows = await _rows(corpus, scope, below.nodes, FIELDS, include_snippet)
    return GraphRows(rows, _missing([parent_id], known), below.more)


async def entities_for_sections(
    corpus: Corpus,
    scope: Scope,
    section_ids: Sequence[str],
    *,
    labels: Collection[str] | None = None,
    max_per_section: int = 20,
) -> GraphRows:
    """What each section names or defines, most often first."""
    known, mentions = await asyncio.gather(
        corpus.graph.describe(section_ids, scope),
        corpus.graph.entities_for_sections(section_ids, scope, labels=labels or (), limit_each=max_per_section + 1),
    )
    rows: dict[str, list[Row]] = {node.id: [] for node in known}
    for mention in mentions:
        rows[mention.section_id].append(_entity(mention))
    return GraphRows(
        [{"section_id": each, "entities": found[:max_per_section]} for each, found in rows.items()],
        _missing(section_ids, known),
        truncated=any(len(found) > max_per_section for found in rows.values()),
    )


async def sections_for_entities(
    corpus: Corpus, scope: Scope, entity_ids: Sequence[str], *, max_per: int = 20, include_snippet: bool = False
) -> GraphRows:
    """Where each entity is defined or named; who defines it first, then who names it most often."""
    known, mentions = await asyncio.gather(
        corpus.graph.describe(entity_ids, scope),
        corpus.graph.sections_for_entities(entity_ids, scope, limit_each=max_per + 1),
    )
    from wekadocs_corpus.graph import snippets

    texts = await corpus.in_thread(snippets.of_mentions, corpus.truth, mentions, scope) if include_snippet else {}
    rows: dict[str, list[Row]] = {node.id: [] for node in known}
    for number, mention in enumerate(mentions):
        rows[mention.entity_id].append(_section(mention, texts.get(number)))
    return GraphRows(
        [{"entity_id": each, "sections": found[:max_per]} for each, found in rows.items()],
        _missing(entity_ids, known),
        truncated=any(len(found) > max_per for found in rows.values()),
    )


async def _described(corpus: Corpus, scope: Scope, ids: Iterable[str]) -> list[Node]:
    """More nodes than one question takes."""
    wanted, most = list(ids), 100
    parts = [wanted[start : start + most] for start in range(0, len(wanted), most)]
    return [node for part in parts for node in await corpus.graph.describe(part, scope)]


async def _rows(
    corpus: Corpus, scope: Scope, nodes: Sequence[Node], fields: Collection[str], include_snippet: bool
) -> list[Row]:
    rows = [projection(node, fields) for node in nodes]
    if include_snippet:
        from wekadocs_corpus.graph import snippets

        texts = await corpus.in_thread(snippets.of_nodes, corpus.truth, [node.id for node in nodes], scope)
        for node, row in zip(nodes, rows, strict=True):
            row["snippet"] = texts.get(node.id)
    return rows


def _missing(asked: Iterable[str], known: Iterable[Node]) -> list[str]:
    seen = {node.id for node in known}
    return [each for each in dict.fromkeys(asked) if each not in seen]


def _path(path: Path) -> Row:
    return {"nodes": list(path.nodes), "types": list(path.types), "length": path.length}


def _parent(node: Node, above: Node | None) -> Row:
    return {
        "section_id": node.id,
        "parent_id": above.id if above else None,
        "parent_title": above.title if above else None,
        "parent_label": above.label if above else None,
    }


def _entity(mention: EntityMention) -> Row:
    entity = mention.entity
    return {
        "id": entity.id,
        "label": entity.label,
        "name": entity.title,
        "type": mention.type,
        "count": int(mention.weight),
    }


def _section(mention: SectionMention, snippet: str | None) -> Row:
    node = mention.node
    row: Row = {
        "section_id": node.id,
        "title": node.title,
        "label": node.label,
        "doc_tag": node.doc_tag or None,
        "anchor": node.anchor or None,
        "type": mention.type,
        "count": int(mention.weight),
    }
    return row | {"snippet": snippet} if snippet else row
