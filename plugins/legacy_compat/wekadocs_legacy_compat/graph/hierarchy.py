"""list_children and list_parents: down and up in a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_corpus import graph_queries as queries
from wekadocs_kit import limit_reason
from wekadocs_mcp import tool

from ..envelope import Row, fitted, offset_of, paged, with_missing
from ..sessions import session_of
from ..state import graph_rows

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from ..state import LegacyState

_CHILD = ("id", "label", "title", "level")
_PARENT = ("section_id", "parent_id", "parent_title")


@tool("list_children")
async def list_children(
    call: Call[LegacyState], parent_id: str, cursor: str | None, page_size: int, session_id: str | None, **_: Any
) -> Row:
    skip = offset_of(call, cursor)
    children = queries.children(call.state.corpus, call.scope, parent_id, page_size=page_size, skip=skip)
    found = await graph_rows(call, children)
    rows = [{name: row[name] for name in _CHILD} for row in found.rows]

    def show(taken: int) -> tuple[Row, str]:
        payload, reason = paged(call, "children", rows, rows[:taken], skip, found.more)
        return with_missing(payload, found.not_found), reason

    return fitted(call, session_of(call, session_id), len(rows), show)


@tool("list_parents")
async def list_parents(call: Call[LegacyState], section_ids: list[str], session_id: str | None, **_: Any) -> Row:
    found = await graph_rows(call, queries.parents(call.state.corpus, call.scope, section_ids))
    rows = [{name: row[name] for name in _PARENT} for row in found.rows]

    def show(taken: int) -> tuple[Row, str]:
        reason = limit_reason(cut=taken < len(rows), more="section_ids" in call.lowered)
        return with_missing({"results": rows[:taken]}, found.not_found), reason

    return fitted(call, session_of(call, session_id), len(rows), show)
