"""What every old answer carries: the envelope around it, cursors, and why it is not everything."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from wekadocs_corpus import tokens
from wekadocs_kit import limit_reason, unknown_handle
from wekadocs_mcp import to_json

if TYPE_CHECKING:
    from wekadocs_mcp import Call

Row = dict[str, Any]
_OFFSET_DIGITS = 9
_MUCH = 999_999  # as many digits as any count of an answer has
_COUNTED = {"max_bytes_per": "byte_cap", "token_budget": "token_cap"}  # what the others' limits count is rows


def offset_of(call: Call[object], cursor: str | None) -> int:
    """A cursor is the number of rows before its page, in base64."""
    if not cursor:  # some clients write "" for none
        return 0
    try:
        text = base64.b64decode(cursor.encode("ascii"), altchars=b"-_", validate=True).decode("ascii")
    except (UnicodeError, binascii.Error, ValueError):
        text = ""
    if not (text.isdecimal() and len(text) <= _OFFSET_DIGITS):
        raise unknown_handle(call, "cursor", call.tool)
    return int(text)


def cursor_at(offset: int) -> str:
    return base64.urlsafe_b64encode(str(offset).encode()).decode()


Show = Callable[[int], tuple[Row, str]]  # how many → the answer's own fields, and why they are not everything


def fitted(
    call: Call[object], session: str, count: int, show: Show, suppressed: int = 0, source: Row | None = None
) -> Row:
    """The enveloped answer with as many as there is room for."""
    usage = _usage(_MUCH, _MUCH, suppressed=suppressed, source=source)
    taken = call.budget.most(count, lambda taken: _wrapped(call, session, *show(taken), usage))
    return enveloped(call, session, *show(taken), suppressed=suppressed, source=source)


def enveloped(
    call: Call[object], session: str, payload: Row, reason: str = "none", suppressed: int = 0, source: Row | None = None
) -> Row:
    """The answer with what every old answer carries; `reason` says why something is left out."""
    raw = to_json(payload)
    return _wrapped(
        call,
        session,
        payload,
        reason,
        _usage(tokens.count(raw.decode()), len(raw), suppressed=suppressed, source=source),
    )


def _usage(estimate: int, size: int, *, suppressed: int = 0, source: Row | None = None) -> Row:
    usage: Row = {"tokens_estimate": estimate, "bytes_returned": size, "duplicates_suppressed": suppressed}
    return usage | ({"source": source} if source is not None else {})


def _wrapped(call: Call[object], session: str, payload: Row, reason: str, usage: Row) -> Row:
    meta: Row = {"usage": usage}
    if call.lowered:
        meta["lowered"] = list(call.lowered)
    return {
        **payload,
        "session_id": session,
        "partial": reason != "none",
        "limit_reason": lowered_reason(call) if reason == "none" else reason,
        "meta": meta,
    }


def lowered_reason(call: Call[object]) -> str:
    """Which limit an argument was above, in the four words there are for it."""
    reasons = [
        "byte_cap" if isinstance(call.arguments[name], str) else _COUNTED.get(name, "page_size")
        for name in call.lowered
    ]
    return "page_size" if "page_size" in reasons else next(iter(reasons), "none")


def paged(
    call: Call[object], name: str, rows: Sequence[Row], taken: Sequence[Row], skip: int, more: bool
) -> tuple[Row, str]:
    """One page under its name with both cursors, and why it is not everything."""
    cut = len(taken) < len(rows)
    following = cursor_at(skip + len(taken)) if more or cut else None
    payload = {name: list(taken), "cursor": call.arguments["cursor"], "next_cursor": following}
    return payload, limit_reason(cut=cut, more=more)


def with_missing(payload: Row, not_found: Sequence[str]) -> Row:
    return payload | {"not_found": list(not_found)} if not_found else payload
