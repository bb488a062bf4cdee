"""graph.sections_for_entities: where some entities are defined and named."""

from __future__ import annotations

from typing import Any

from wekadocs_mcp import tool

from . import services
from .desk import answer, nested, told


@tool("graph.sections_for_entities")
async def sections_for_entities(
    call: Any, entity_ids: list[str], max_per: int, include_snippet: bool
) -> dict[str, Any]:
    with told(call):
        found = await services.sections_for_entities(
            call.state.corpus, call.scope, entity_ids, max_per=max_per, include_snippet=include_snippet
        )
        count, show = nested(found.rows, "sections")
        return await answer(call, found, show, count)
