"""graph.describe: what some nodes are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_corpus import graph_queries as queries
from wekadocs_kit import first_rows, graph_errors
from wekadocs_mcp import tool

from .answers import answer

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .answers import GraphState


@tool("graph.describe")
async def describe(
    call: Call[GraphState], node_ids: list[str], fields: list[str], include_snippet: bool
) -> dict[str, Any]:
    with graph_errors(call):
        found = await queries.describe(
            call.state.corpus, call.scope, node_ids, fields=("id", *fields), include_snippet=include_snippet
        )
        return await answer(call, found, first_rows("results", found.rows), len(found.rows))
