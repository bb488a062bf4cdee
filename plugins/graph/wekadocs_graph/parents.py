"""graph.parents: what some nodes are part of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_corpus import graph_queries as queries
from wekadocs_kit import first_rows, graph_errors
from wekadocs_mcp import tool

from .answers import answer

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .answers import GraphState


@tool("graph.parents")
async def parents(call: Call[GraphState], section_ids: list[str]) -> dict[str, Any]:
    with graph_errors(call):
        found = await queries.parents(call.state.corpus, call.scope, section_ids)
        return await answer(call, found, first_rows("results", found.rows), len(found.rows))
