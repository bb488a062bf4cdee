"""graph.children: the parts of a node, in the order of its document."""

from __future__ import annotations

from typing import Any

from wekadocs_mcp import tool

from . import services
from .desk import first_of, page, skipped, told


@tool("graph.children")
async def children(
    call: Any, parent_id: str, include_snippet: bool, cursor: str | None, page_size: int
) -> dict[str, Any]:
    with told(call):
        skip = skipped(call, cursor)
        found = await services.children(
            call.state.corpus, call.scope, parent_id, page_size=page_size, skip=skip, include_snippet=include_snippet
        )
        return await page(call, found, first_of("children", found.rows), len(found.rows), skip)
