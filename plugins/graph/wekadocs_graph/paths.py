"""graph.paths: how some nodes are connected with others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wekadocs_corpus import GraphRows, Row
from wekadocs_corpus import graph_queries as queries
from wekadocs_kit import Show, graph_errors
from wekadocs_mcp import tool

from .answers import page, skipped

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .answers import GraphState


@tool("graph.paths")
async def paths(
    call: Call[GraphState],
    a_ids: list[str],
    b_ids: list[str],
    rel_types: list[str] | None,
    max_hops: int,
    max_paths: int,
    cursor: str | None,
) -> dict[str, Any]:
    with graph_errors(call):
        skip = await skipped(call, cursor)
        found = await queries.paths(
            call.state.corpus, call.scope, a_ids, b_ids, rel_types=rel_types, max_hops=max_hops, max_paths=max_paths
        )
        rest = replace(found, rows=found.rows[skip:])
        return await page(call, rest, on_paths(rest), len(rest.rows), skip)


def on_paths(found: GraphRows) -> Show:
    """Paths, and what stands on them, each node once."""
    named = {node["id"]: node for node in found.nodes}

    def show(taken: int) -> Row:
        paths = found.rows[:taken]
        nodes = dict.fromkeys(each for path in paths for each in path["nodes"] if each in named)
        return {"paths": paths, "nodes": [named[each] for each in nodes]}

    return show
