"""list_children and list_parents: down and up in a document."""

from __future__ import annotations

from typing import Any

from wekadocs_graph import services
from wekadocs_mcp import tool

from .desk import Row, asked, fitted, offset_of, paged, with_missing
from .sessions import session_of

_CHILD = ("id", "label", "title", "level")
_PARENT = ("section_id", "parent_id", "parent_title")


@tool("list_children")
async def list_children(
    call: Any, parent_id: str, cursor: str | None, page_size: int, session_id: str | None, **_: Any
) -> Row:
    skip = offset_of(call, cursor)
    children = services.children(call.state.corpus, call.scope, parent_id, page_size=page_size, skip=skip)
    found = await asked(call, children)
    rows = [{name: row[name] for name in _CHILD} for row in found.rows]

    def show(taken: int) -> tuple[Row, str]:
        payload, reason = paged(call, "children", rows, rows[:taken], skip, found.more)
        return with_missing(payload, found.not_found), reason

    return fitted(call, session_of(call, session_id), len(rows), show)


@tool("list_parents")
async def list_parents(call: Any, section_ids: list[str], session_id: str | None, **_: Any) -> Row:
    found = await asked(call, services.parents(call.state.corpus, call.scope, section_ids))
    rows = [{name: row[name] for name in _PARENT} for row in found.rows]

    def show(taken: int) -> tuple[Row, str]:
        reason = "byte_cap" if taken < len(rows) else "page_size" if "section_ids" in call.lowered else "none"
        return with_missing({"results": rows[:taken]}, found.not_found), reason

    return fitted(call, session_of(call, session_id), len(rows), show)
