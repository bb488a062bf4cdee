"""get_section_text: the text of some sections, each and all of them bounded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wekadocs_kit import refuse_when_empty
from wekadocs_mcp import tool

from .envelope import Row, enveloped, fitted, with_missing
from .sessions import session_of
from .texts import Text, row_of, text_of

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .state import LegacyState


@tool("get_section_text")
async def get_section_text(
    call: Call[LegacyState], section_ids: list[str], max_bytes_per: int, session_id: str | None, **_: Any
) -> Row:
    found: dict[str, Text] = {}
    missing: list[str] = []
    size = 0
    for each in dict.fromkeys(section_ids):
        text = await text_of(call, each)
        if text is None:
            missing.append(each)
            continue
        found[each] = text
        size += min(max_bytes_per, len(text.text))
        if size > call.budget.limit:  # there is no room for more: they need not be read
            break
    if missing and not found:
        await refuse_when_empty(call.state.corpus, call.scope)
    return _fitted(call, session_of(call, session_id), found, missing, max_bytes_per)


def _fitted(call: Call[LegacyState], session: str, found: Mapping[str, Text], missing: Sequence[str], most: int) -> Row:
    """Whole texts while they fit; where not even one does, as much of it as there is room for."""
    asked = len(set(call.arguments["section_ids"]))
    hints = {"next_tools": [call.served_name(name) for name in ("expand_neighbors", "describe_nodes")]}

    def shown(rows: list[Row]) -> tuple[Row, str]:
        fewer, shorter = len(rows) + len(missing) < asked, any(row["truncated"] for row in rows)
        limited = "page_size" if "section_ids" in call.lowered else "byte_cap" if shorter else "none"
        reason = "byte_cap" if fewer else limited
        return with_missing({"results": rows, "hints": hints}, missing), reason

    rows = [row_of(each, text, most) for each, text in found.items()]
    if rows and not call.budget.holds(enveloped(call, session, *shown(rows[:1]))):
        first = rows[0]["section_id"]
        return fitted(call, session, most, lambda size: shown([row_of(first, found[first], size)]))
    return fitted(call, session, len(rows), lambda taken: shown(rows[:taken]))
