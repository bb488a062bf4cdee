"""get_paths_between: how two sets of nodes are connected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_corpus import GraphRows
from wekadocs_corpus import graph_queries as queries
from wekadocs_mcp import tool

from ..envelope import Row, fitted, offset_of, paged, with_missing
from ..sessions import session_of
from ..state import graph_rows
from . import relations

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from ..state import LegacyState


@tool("get_paths_between")
async def get_paths_between(
    call: Call[LegacyState],
    a_ids: list[str],
    b_ids: list[str],
    rel_types: list[str] | None,
    max_hops: int,
    max_paths: int,
    cursor: str | None,
    session_id: str | None,
    **_: Any,
) -> Row:
    skip = offset_of(call, cursor)
    types = relations.read(rel_types)
    found = GraphRows([], [])
    if a_ids and b_ids and not types.nothing:
        between = queries.paths(
            call.state.corpus,
            call.scope,
            a_ids,
            b_ids,
            rel_types=types.follow,
            max_hops=max_hops,
            max_paths=max_paths,
        )
        found = await graph_rows(call, between)
    rest = found.rows[skip:]

    def show(taken: int) -> tuple[Row, str]:
        payload, reason = paged(call, "paths", rest, rest[:taken], skip, more=False)
        if types.unsupported:
            payload["unsupported_rel_types"] = list(types.unsupported)
        why = "page_size" if reason == "none" and found.truncated else reason
        return with_missing(payload, found.not_found), why

    return fitted(call, session_of(call, session_id), len(rest), show)
