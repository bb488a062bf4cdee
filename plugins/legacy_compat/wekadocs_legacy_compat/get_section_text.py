"""get_section_text: the text of some sections, each and all of them bounded."""

from __future__ import annotations

from typing import Any

from wekadocs_mcp import ToolError, tool

from .desk import Row, enveloped, with_missing
from .sessions import session_of
from .texts import row_of, text_of


@tool("get_section_text")
async def get_section_text(
    call: Any, section_ids: list[str], max_bytes_per: int, session_id: str | None, **_: Any
) -> Row:
    rows: list[Row] = []
    missing: list[str] = []
    reason = "page_size" if "section_ids" in call.lowered else "none"
    for each in dict.fromkeys(section_ids):
        found = await text_of(call, each)
        if found is None:
            missing.append(each)
            continue
        row = row_of(each, found, max_bytes_per)
        if not call.budget.fits(row):
            reason = "byte_cap"
            break
        rows.append(row)
    if reason == "byte_cap" and not rows:
        raise ToolError("BUDGET_EXCEEDED", "One text is larger than an answer may be: pass a smaller max_bytes_per.")
    if missing and not rows:
        await call.state.kb.refuse_when_empty(call)
    if reason == "none" and any(row["truncated"] for row in rows):
        reason = "byte_cap"
    hints = {"next_tools": [call.served_name(name) for name in ("expand_neighbors", "describe_nodes")]}
    payload = with_missing({"results": rows, "hints": hints}, missing)
    return enveloped(call, session_of(call, session_id), payload, reason)
