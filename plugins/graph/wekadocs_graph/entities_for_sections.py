"""graph.entities_for_sections: what some sections name and define."""

from __future__ import annotations

from typing import Any

from wekadocs_mcp import tool

from . import services
from .desk import answer, nested, told


@tool("graph.entities_for_sections")
async def entities_for_sections(
    call: Any, section_ids: list[str], labels: list[str] | None, max_per_section: int
) -> dict[str, Any]:
    with told(call):
        found = await services.entities_for_sections(
            call.state.corpus, call.scope, section_ids, labels=labels, max_per_section=max_per_section
        )
        count, show = nested(found.rows, "entities")
        return await answer(call, found, show, count)
