"""graph.expand: what is around some nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from wekadocs_mcp import tool

from . import services
from .desk import page, skipped, told
from .services import Found, Row

_EDGE_BYTES = 400  # of an answer, for each edge of a single node: an edge has about 100


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
        around = with_their_edges(call, found)
        return await page(call, around.found, around.show, len(found.rows), skip)


@dataclass(frozen=True)
class Around:
    """Nodes, each with the edges that lead to it, and as large a share of the edges among the nodes asked for."""

    found: Found
    edges: dict[str, list[Row]]
    among: list[Row]

    def show(self, taken: int) -> Row:
        rows, count = self.found.rows[:taken], len(self.found.rows)
        shared = self.among[: len(self.among) * taken // count] if count else self.among
        return {"nodes": rows, "edges": [*shared, *(edge for row in rows for edge in self.edges.get(row["id"], ()))]}


def with_their_edges(call: Any, found: Found) -> Around:
    """One node's edges do not fill an answer: where there are so many, some are left out and it is said."""
    most = max(1, call.budget.limit // _EDGE_BYTES)
    edges = _by_node(found)
    cut = any(len(own) > most for own in edges.values())
    kept = {node: own[:most] for node, own in edges.items()}
    return Around(replace(found, truncated=found.truncated or cut), kept, kept.pop("", []))


def _by_node(found: Found) -> dict[str, list[Row]]:
    """Edges by their farther end; "" where neither end is on this page."""
    distance = {row["id"]: away for row, away in zip(found.rows, found.distances, strict=True)}
    edges: dict[str, list[Row]] = {}
    for edge in found.edges:
        ends: Sequence[str] = [end for end in (edge["src"], edge["dst"]) if end in distance]
        edges.setdefault(max(ends, key=lambda end: distance[end], default=""), []).append(edge)
    return edges
