"""What the old tools share: the services under the new ones, cursors, and the envelope around every answer."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wekadocs_corpus import tokens
from wekadocs_corpus_plugin.telling import refuse_when_empty
from wekadocs_graph import desk as graph_desk
from wekadocs_graph.services import Found
from wekadocs_kb.desk import Desk as KbDesk
from wekadocs_mcp import ToolError
from wekadocs_mcp.calls.budgets import to_json
from wekadocs_scratch.scratch import Scratch, gone

from .sessions import Sent

if TYPE_CHECKING:
    from wekadocs_corpus.corpus import Corpus

Row = dict[str, Any]
_OFFSET_DIGITS = 9
_MUCH = 999_999  # as many digits as any count of an answer has
_COUNTED = {"max_bytes_per": "byte_cap", "token_budget": "token_cap"}  # what the others' limits count is rows


@dataclass(frozen=True)
class Desk:
    """One per process."""

    corpus: Corpus
    scratch: Scratch
    kb: KbDesk
    sent: Sent


async def asked(call: Any, question: Coroutine[Any, Any, Found]) -> Found:
    """What the graph says; what it refuses, with the field by which old clients knew that it is off."""
    with graph_desk.told(call, ("search_sections",), {"neo4j_disabled": True}):
        found = await question
        if found.not_found and not found.rows:
            await refuse_when_empty(call.state.corpus, call.scope)
        return found


def offset_of(call: Any, cursor: str | None) -> int:
    """A cursor is the number of rows before its page, in base64."""
    if not cursor:  # some clients write "" for none
        return 0
    try:
        text = base64.b64decode(cursor.encode("ascii"), altchars=b"-_", validate=True).decode("ascii")
    except (UnicodeError, binascii.Error, ValueError):
        text = ""
    if not (text.isdecimal() and len(text) <= _OFFSET_DIGITS):
        raise gone(call, "cursor", call.tool)
    return int(text)


def cursor_at(offset: int) -> str:
    return base64.urlsafe_b64encode(str(offset).encode()).decode()


Show = Callable[[int], tuple[Row, str]]  # how many → the answer's own fields, and why they are not everything


def fitted(call: Any, session: str, count: int, show: Show, **beside: Any) -> Row:
    """The enveloped answer with as many as there is room for."""
    usage = _usage(_MUCH, _MUCH, **beside)
    taken = call.budget.most(count, lambda taken: _wrapped(call, session, *show(taken), usage))
    return enveloped(call, session, *show(taken), **beside)


def enveloped(call: Any, session: str, payload: Row, reason: str = "none", **beside: Any) -> Row:
    """The answer with what every old answer carries; `reason` says why something is left out."""
    raw = to_json(payload)
    return _wrapped(call, session, payload, reason, _usage(tokens.count(raw.decode()), len(raw), **beside))


def _usage(estimate: int, size: int, *, suppressed: int = 0, source: Row | None = None) -> Row:
    usage: Row = {"tokens_estimate": estimate, "bytes_returned": size, "duplicates_suppressed": suppressed}
    return usage | ({"source": source} if source is not None else {})


def _wrapped(call: Any, session: str, payload: Row, reason: str, usage: Row) -> Row:
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


def lowered_reason(call: Any) -> str:
    """Which limit an argument was above, in the four words there are for it."""
    reasons = [
        "byte_cap" if isinstance(call.arguments[name], str) else _COUNTED.get(name, "page_size")
        for name in call.lowered
    ]
    return "page_size" if "page_size" in reasons else next(iter(reasons), "none")


def paged(call: Any, name: str, rows: Sequence[Row], taken: Sequence[Row], skip: int, more: bool) -> tuple[Row, str]:
    """One page under its name with both cursors, and why it is not everything."""
    cut = len(taken) < len(rows)
    following = cursor_at(skip + len(taken)) if more or cut else None
    payload = {name: list(taken), "cursor": call.arguments["cursor"], "next_cursor": following}
    return payload, "byte_cap" if cut else "page_size" if more else "none"


def with_missing(payload: Row, not_found: Sequence[str]) -> Row:
    return payload | {"not_found": list(not_found)} if not_found else payload


def argument(name: str, message: str, details: Mapping[str, Any] | None = None) -> ToolError:
    return ToolError("INVALID_ARGUMENT", f"{name}: {message}", {"path": f"/{name}", **(details or {})})
