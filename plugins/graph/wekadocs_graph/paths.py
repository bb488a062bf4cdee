"""graph.paths: how some nodes are connected with others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wekadocs_mcp import tool

from . import services
from .desk import Show, page, skipped, told
from .services import Found, Row


@tool("graph.paths")
async def paths(
    call: Any,
    a_ids: list[str],
    b_ids: list[str],
    rel_types: list[str] | None,
    max_hops: int,
    max_paths: int,
    cursor: str | None,
) -> dict[str, Any]:
    with told(call):
        skip = skipped(call, cursor)
        found = await services.paths(
            call.state.corpus, call.scope, a_ids, b_ids, rel_types=rel_types, max_hops=max_hops, max_paths=max_paths
        )
        rest = replace(found, rows=found.rows[skip:])
        return await page(call, rest, on_paths(rest), len(rest.rows), skip)


def on_paths(found: Found) -> Show:
    """Paths, and what stands on them, each node once."""
    named = {node["id"]: node for node in found.nodes}

    def show(taken: int) -> Row:
        paths = found.rows[:taken]
        nodes = dict.fromkeys(each for path in paths for each in path["nodes"] if each in named)
        return {"paths": paths, "nodes": [named[each] for each in nodes]}

    return show
