"""graph.expand: what is around some nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from wekadocs_mcp import tool

from . import services
from .desk import page, skipped, told
from .services import Found, Row


@tool("graph.expand")
async def expand(
    call: Any,
    node_ids: list[str],
    rel_types: list[str] | None,
    direction: Literal["out", "in", "both"],
    max_hops: int,
    include_snippet: bool,
    cursor: str | None,
    page_size: int,
) -> dict[str, Any]:
    with told(call):
        skip = skipped(call, cursor)
        found = await services.expand(
            call.state.corpus,
            call.scope,
            node_ids,
            rel_types=rel_types,
            direction=direction,
            max_hops=max_hops,
            include_snippet=include_snippet,
            page_size=page_size,
            skip=skip,
        )
        nodes, edges = with_their_edges(call, found)
        return await page(call, found, "nodes", nodes, skip, edges=edges)


def with_their_edges(call: Any, found: Found) -> tuple[list[Row], list[Row]]:
    """Nodes while they fit, each with the edges that lead to it; edges among the nodes asked for come first."""
    edges = _by_node(found)
    taken: list[Row] = []
    shown = [edge for edge in edges.pop("", ()) if call.budget.fits(edge)]
    for row in found.rows:
        own = edges.get(row["id"], [])
        if not call.budget.fits([row, *own]):
            break
        taken.append(row)
        shown += own
    return taken, shown


def _by_node(found: Found) -> dict[str, list[Row]]:
    """Edges by their farther end; "" where neither end is on this page."""
    distance = {row["id"]: away for row, away in zip(found.rows, found.distances, strict=True)}
    edges: dict[str, list[Row]] = {}
    for edge in found.edges:
        ends: Sequence[str] = [end for end in (edge["src"], edge["dst"]) if end in distance]
        edges.setdefault(max(ends, key=lambda end: distance[end], default=""), []).append(edge)
    return edges
