"""describe_nodes: what some nodes are, in a choice of fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_corpus import graph_queries as queries
from wekadocs_kit import invalid_argument, limit_reason
from wekadocs_mcp import tool

from ..envelope import Row, fitted, with_missing
from ..sessions import session_of
from ..state import graph_rows

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from ..state import LegacyState

_DEFAULT = ("id", "label", "title", "tokens", "doc_tag")


@tool("describe_nodes")
async def describe_nodes(
    call: Call[LegacyState], node_ids: list[str], fields: list[str] | None, session_id: str | None, **_: Any
) -> Row:
    wanted = tuple(fields or _DEFAULT)
    odd = [each[:80] for each in wanted if each not in queries.FIELDS][:5]
    if odd:
        raise invalid_argument("fields", f"Disallowed projection fields: {odd}. Allowed: {', '.join(queries.FIELDS)}.")
    found = await graph_rows(call, queries.describe(call.state.corpus, call.scope, node_ids, fields=wanted))

    def show(taken: int) -> tuple[Row, str]:
        cut = taken < len(found.rows)
        payload = {"results": found.rows[:taken], "cursor": None, "next_cursor": None}
        reason = limit_reason(cut=cut, more="node_ids" in call.lowered)
        return with_missing(payload, found.not_found), reason

    return fitted(call, session_of(call, session_id), len(found.rows), show)
