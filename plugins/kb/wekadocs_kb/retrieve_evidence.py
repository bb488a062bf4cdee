"""kb.retrieve_evidence: one call from a question to cited quotes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wekadocs_corpus import tokens
from wekadocs_corpus.quotes import Source
from wekadocs_mcp import ToolError, tool

from .confidence import ANSWERABLE
from .desk import heading
from .extract_evidence import quoted

CANDIDATES = 5  # as many as kb.search returns by default, one per document
_ANSWER_TOKENS = 1200
_AROUND_TOKENS = 120  # everything but the quotes


@tool("kb.retrieve_evidence")
async def retrieve_evidence(
    call: Any,
    question: str,
    max_quotes: int,
    max_quote_tokens: int,
    include_context_tokens: int,
    mode: str,
    filters: Mapping[str, Any] | None,
    session_id: str | None,
) -> dict[str, Any]:
    desk = call.state
    if not question.strip():
        raise ToolError("INVALID_ARGUMENT", "question: ask something.", {"path": "/question"})
    session = desk.scratch.session(call, session_id)
    found = await desk.find(call, question, filters, CANDIDATES, mode, 1)
    passages = [candidate.passage for candidate in found.candidates]
    chosen = await desk.quotes(
        question,
        call.scope.project_id,
        [Source(passage.text, heading(passage)) for passage in passages],
        max_quotes,
        max_quote_tokens,
        include_context_tokens,
    )
    first = {quote.source: quote.core for quote in reversed(chosen)}
    kept = desk.scratch.keep(call, session, [(passages[each], first[each]) for each in sorted(first)])
    entries = dict(zip(sorted(first), kept, strict=True))
    rows, cut = _within(call, [quoted(entries[quote.source], quote) for quote in chosen])
    best = max((row["confidence"] for row in rows), default=0.0)
    answer: dict[str, Any] = {
        "quotes": rows,
        "answerable": best >= ANSWERABLE,
        "answer_confidence": best,
        "session_id": session,
        "diagnostics": {
            "candidates": len(passages),
            "mode_used": "vector_only",
            "tokens": sum(tokens.count(row["quote"]) for row in rows),
            "tokenizer": tokens.NAME,
        },
        "partial": cut or found.partial,
        "limit_reason": "token_cap" if cut else "none",
    }
    if found.degraded:
        answer["diagnostics"]["degraded"] = list(found.degraded)
    if not answer["answerable"]:
        answer["hint"] = "Ask with the words the documentation would use, or look around with kb.search."
    return answer


def _within(call: Any, rows: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], bool]:
    """Quotes until the answer has its tokens; the first is always there."""
    taken: list[dict[str, Any]] = []
    spent = _AROUND_TOKENS
    for row in rows:
        cost = tokens.count(row["quote"]) + tokens.count(row["uri"]) + 90
        if taken and (spent + cost > _ANSWER_TOKENS or not call.budget.fits(row)):
            return taken, True
        taken.append(row)
        spent += cost
    return taken, False
