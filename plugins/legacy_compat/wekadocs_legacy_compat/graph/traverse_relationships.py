"""traverse_relationships: nodes, relationships and paths around some nodes; without the envelope, as it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wekadocs_corpus import GraphRows
from wekadocs_corpus import graph_queries as queries
from wekadocs_kit import as_many_as_fit
from wekadocs_mcp import ToolError, tool

from ..envelope import Row, lowered_reason, with_missing
from ..state import graph_rows
from ..texts import text_of
from . import relations

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from ..state import LegacyState

_ALLOWED = ("MENTIONS", "HAS_CHUNK", "CONTAINS_STEP")
_MAX_NODES = 100
_TEXT, _STRING = 1000, 500  # characters


@tool("traverse_relationships")
async def traverse_relationships(
    call: Call[LegacyState],
    start_ids: list[str],
    rel_types: list[str] | None,
    max_depth: int,
    include_text: bool,
    **_: Any,
) -> Row:
    if not start_ids:
        message = "Validation error: start_ids is required and cannot be empty."
        raise ToolError("INVALID_ARGUMENT", message, {"path": "/start_ids"})
    types = relations.read(rel_types or _ALLOWED, allowed=_ALLOWED)
    corpus, scope = call.state.corpus, call.scope
    seeds = await graph_rows(call, queries.describe(corpus, scope, start_ids))
    room = max(1, _MAX_NODES - len(seeds.rows))
    around = queries.expand(corpus, scope, start_ids, rel_types=types.follow, max_hops=max_depth, page_size=room)
    found = await graph_rows(call, around)
    ends = [*zip(seeds.rows, [0] * len(seeds.rows), strict=True), *zip(found.rows, found.distances, strict=True)]
    nodes = [await _node(call, row, distance, include_text) for row, distance in ends[:_MAX_NODES]]
    return _answer(call, nodes, found, left_out=len(ends) > _MAX_NODES or found.more or found.truncated)


async def _node(call: Call[LegacyState], row: Row, distance: int, include_text: bool) -> Row:
    properties = {
        "title": row["title"],
        "heading": row["title"],
        "name": row["title"],
        "doc_tag": row["doc_tag"],
        "level": row["level"],
        "tokens": row["tokens"],
        "anchor": row["anchor"],
    }
    shown = {name: _cut(value, _STRING) for name, value in properties.items() if value is not None}
    text = await text_of(call, row["id"]) if include_text else None
    if text is not None:
        shown["text"] = _cut(text.text, _TEXT)
    return {"id": row["id"], "label": row["label"], "properties": shown, "distance": distance}


def _cut(value: object, most: int) -> Any:
    return value[:most] + "..." if isinstance(value, str) and len(value) > most else value


def _answer(call: Call[LegacyState], nodes: Sequence[Row], found: GraphRows, *, left_out: bool) -> Row:
    """As many nodes as there is room for, with what is between them; what was asked for comes first."""

    def show(taken: int) -> Row:
        shown = {row["id"]: row["distance"] for row in nodes[:taken]}
        edges = [edge for edge in found.edges if edge["src"] in shown and edge["dst"] in shown]
        cut = taken < len(nodes)
        reason = "byte_cap" if cut else "page_size" if left_out else lowered_reason(call)
        told_so = {} if reason == "none" else {"partial": cut or left_out, "limit_reason": reason}
        answer = {
            "nodes": list(nodes[:taken]),
            "relationships": [_relationship(edge) for edge in edges],
            "paths": _paths(edges, shown),
        }
        return with_missing(answer | told_so, found.not_found)

    return as_many_as_fit(call, len(nodes), show)


def _relationship(edge: Row) -> Row:
    return {"from_id": edge["src"], "to_id": edge["dst"], "type": edge["type"], "properties": {}}


def _paths(edges: Sequence[Row], distances: Mapping[str, int]) -> list[Row]:
    """One shortest path to each node that was reached."""
    before: dict[str, str] = {}
    for edge in edges:
        for near, far in ((edge["src"], edge["dst"]), (edge["dst"], edge["src"])):
            if distances.get(far) == distances.get(near, -2) + 1:
                before.setdefault(far, near)
    found = []
    for node in distances:
        path = [node]
        while path[-1] in before:
            path.append(before[path[-1]])
        if len(path) > 1 and not distances[path[-1]]:
            found.append({"nodes": path[::-1], "length": len(path) - 1})
    return found
