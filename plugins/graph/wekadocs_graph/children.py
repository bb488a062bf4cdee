"""graph.children: the parts of a node, in the order of its document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_corpus import graph_queries as queries
from wekadocs_kit import first_rows, graph_errors
from wekadocs_mcp import tool

from .answers import page, skipped

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .answers import GraphState


@tool("graph.children")
async def children(
    call: Call[GraphState], parent_id: str, include_snippet: bool, cursor: str | None, page_size: int
) -> dict[str, Any]:
    with graph_errors(call):
        skip = await skipped(call, cursor)
        found = await queries.children(
            call.state.corpus, call.scope, parent_id, page_size=page_size, skip=skip, include_snippet=include_snippet
        )
        return await page(call, found, first_rows("children", found.rows), len(found.rows), skip)
