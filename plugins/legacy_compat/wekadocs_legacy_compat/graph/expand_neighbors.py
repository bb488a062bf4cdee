"""expand_neighbors: what is around some nodes and was not sent in this session before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from wekadocs_corpus import GraphRows
from wekadocs_corpus import graph_queries as queries
from wekadocs_kit import with_their_edges
from wekadocs_mcp import tool

from ..envelope import Row, enveloped, fitted, offset_of, paged, with_missing
from ..sessions import new_to, session_of
from ..state import graph_rows
from . import relations

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from ..state import LegacyState

_DIRECTIONS: dict[str, Literal["out", "in"]] = {"out": "out", "in": "in"}


@tool("expand_neighbors")
async def expand_neighbors(
    call: Call[LegacyState],
    node_ids: list[str],
    rel_types: list[str] | None,
    direction: str,
    max_hops: int,
    include_snippet: bool,
    cursor: str | None,
    page_size: int,
    session_id: str | None,
    **_: Any,
) -> Row:
    skip = offset_of(call, cursor)
    types = relations.read(rel_types, direction if direction in _DIRECTIONS else "both")
    session = session_of(call, session_id)
    found = GraphRows([], [])
    if node_ids and not types.nothing:
        asking = queries.expand(
            call.state.corpus,
            call.scope,
            node_ids,
            rel_types=types.follow,
            direction=_DIRECTIONS.get(direction, "both"),
            max_hops=max_hops,
            include_snippet=include_snippet,
            page_size=page_size,
            skip=skip,
        )
        found = await graph_rows(call, asking)
    around = with_their_edges(call, found)
    found = around.found

    def show(taken: int) -> tuple[Row, str]:
        shown = around.show(taken)
        payload, reason = paged(call, "nodes", found.rows, shown["nodes"], skip, found.more)
        return _said(call, payload | {"edges": shown["edges"]}, reason, found, types)

    whole = fitted(call, session, len(found.rows), show)
    return await _new_to(call, session, *show(len(whole["nodes"])))


def _said(
    call: Call[LegacyState], payload: Row, reason: str, found: GraphRows, types: relations.Types
) -> tuple[Row, str]:
    if call.arguments["node_ids"]:
        payload["dedupe_applied"] = True
    if types.unsupported:
        payload["unsupported_rel_types"] = list(types.unsupported)
    return with_missing(payload, found.not_found), "page_size" if reason == "none" and found.truncated else reason


async def _new_to(call: Call[LegacyState], session: str, payload: Row, reason: str) -> Row:
    """Without what this session was sent before."""
    new = await new_to(call, session, [*map(_node, payload["nodes"]), *map(_edge, payload["edges"])])
    nodes = [row for row in payload["nodes"] if _node(row) in new]
    edges = [row for row in payload["edges"] if _edge(row) in new]
    suppressed = len(payload["nodes"]) + len(payload["edges"]) - len(nodes) - len(edges)
    return enveloped(call, session, {**payload, "nodes": nodes, "edges": edges}, reason, suppressed=suppressed)


def _node(row: Row) -> str:
    return str(row["id"])


def _edge(row: Row) -> str:
    return "\0".join((row["src"], row["type"], row["dst"]))
