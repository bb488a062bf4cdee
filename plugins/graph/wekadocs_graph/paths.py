"""graph.paths: how some nodes are connected with others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wekadocs_mcp import tool

from . import services
from .desk import page, skipped, told
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
        rows, nodes = _fitting(call, rest)
        return await page(call, rest, "paths", rows, skip, nodes=nodes)


def _fitting(call: Any, found: Found) -> tuple[list[Row], list[Row]]:
    """Paths while they fit, and what stands on them, each node once."""
    named = {node["id"]: node for node in found.nodes}
    taken: list[Row] = []
    shown: dict[str, Row] = {}
    for path in found.rows:
        new = {each: named[each] for each in path["nodes"] if each not in shown and each in named}
        if not call.budget.fits([path, *new.values()]):
            break
        taken.append(path)
        shown |= new
    return taken, list(shown.values())
