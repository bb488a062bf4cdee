"""graph.expand: what is around some nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from wekadocs_corpus import graph_queries as queries
from wekadocs_kit import graph_errors, with_their_edges
from wekadocs_mcp import tool

from .answers import page, skipped

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .answers import GraphState


@tool("graph.expand")
async def expand(
    call: Call[GraphState],
    node_ids: list[str],
    rel_types: list[str] | None,
    direction: Literal["out", "in", "both"],
    max_hops: int,
    include_snippet: bool,
    cursor: str | None,
    page_size: int,
) -> dict[str, Any]:
    with graph_errors(call):
        skip = await skipped(call, cursor)
        found = await queries.expand(
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
