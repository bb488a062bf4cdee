"""describe_nodes: what some nodes are, in a choice of fields."""

from __future__ import annotations

from typing import Any

from wekadocs_graph import services
from wekadocs_mcp import tool

from .desk import Row, argument, asked, fitted, with_missing
from .sessions import session_of

_DEFAULT = ("id", "label", "title", "tokens", "doc_tag")


@tool("describe_nodes")
async def describe_nodes(
    call: Any, node_ids: list[str], fields: list[str] | None, session_id: str | None, **_: Any
) -> Row:
    wanted = tuple(fields or _DEFAULT)
    odd = [each[:80] for each in wanted if each not in services.FIELDS][:5]
    if odd:
        raise argument("fields", f"Disallowed projection fields: {odd}. Allowed: {', '.join(services.FIELDS)}.")
    found = await asked(call, services.describe(call.state.corpus, call.scope, node_ids, fields=wanted))

    def show(taken: int) -> tuple[Row, str]:
        cut = taken < len(found.rows)
        payload = {"results": found.rows[:taken], "cursor": None, "next_cursor": None}
        reason = "byte_cap" if cut else "page_size" if "node_ids" in call.lowered else "none"
        return with_missing(payload, found.not_found), reason

    return fitted(call, session_of(call, session_id), len(found.rows), show)
