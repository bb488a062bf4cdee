"""graph.parents: what some nodes are part of."""

from __future__ import annotations

from typing import Any

from wekadocs_mcp import tool

from . import services
from .desk import answer, first_of, told


@tool("graph.parents")
async def parents(call: Any, section_ids: list[str]) -> dict[str, Any]:
    with told(call):
        found = await services.parents(call.state.corpus, call.scope, section_ids)
        return await answer(call, found, first_of("results", found.rows), len(found.rows))
