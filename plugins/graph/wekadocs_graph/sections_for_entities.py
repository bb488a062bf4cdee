"""graph.sections_for_entities: where some entities are defined and named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_corpus import graph_queries as queries
from wekadocs_kit import graph_errors, nested_rows
from wekadocs_mcp import tool

from .answers import answer

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .answers import GraphState


@tool("graph.sections_for_entities")
async def sections_for_entities(
    call: Call[GraphState], entity_ids: list[str], max_per: int, include_snippet: bool
) -> dict[str, Any]:
    with graph_errors(call):
        found = await queries.sections_for_entities(
            call.state.corpus, call.scope, entity_ids, max_per=max_per, include_snippet=include_snippet
        )
        count, show = nested_rows(found.rows, "sections")
        return await answer(call, found, show, count)
