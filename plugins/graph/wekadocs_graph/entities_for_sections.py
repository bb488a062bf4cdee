"""graph.entities_for_sections: what some sections name and define."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_corpus import graph_queries as queries
from wekadocs_kit import graph_errors, nested_rows
from wekadocs_mcp import tool

from .answers import answer

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .answers import GraphState


@tool("graph.entities_for_sections")
async def entities_for_sections(
    call: Call[GraphState], section_ids: list[str], labels: list[str] | None, max_per_section: int
) -> dict[str, Any]:
    with graph_errors(call):
        found = await queries.entities_for_sections(
            call.state.corpus, call.scope, section_ids, labels=labels, max_per_section=max_per_section
        )
        count, show = nested_rows(found.rows, "entities")
        return await answer(call, found, show, count)
