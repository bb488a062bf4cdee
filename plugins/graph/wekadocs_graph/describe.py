"""graph.describe: what some nodes are."""

from __future__ import annotations

from typing import Any

from wekadocs_mcp import tool

from . import services
from .desk import answer, first_of, told


@tool("graph.describe")
async def describe(call: Any, node_ids: list[str], fields: list[str], include_snippet: bool) -> dict[str, Any]:
    with told(call):
        found = await services.describe(
            call.state.corpus, call.scope, node_ids, fields=("id", *fields), include_snippet=include_snippet
        )
        return await answer(call, found, first_of("results", found.rows), len(found.rows))
