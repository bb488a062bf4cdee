"""kb.retrieve_evidence: one call from a question to cited quotes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from wekadocs_corpus import tokens
from wekadocs_corpus.quotes import Source
from wekadocs_mcp import tool

from .confidence import ANSWERABLE
from .desk import how, said
from .extract_evidence import quoted
from .hints import nothing_found


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
    said("question", question)
    session = await desk.session(call, session_id)
    found = await desk.find(call, question, filters, call.limits["candidates"], mode)
    choose = await desk.chooser(question, call.scope.project_id)
    rows = _quotes(call, session, found, choose, (max_quotes, max_quote_tokens, include_context_tokens))
    mode_used, degraded = how(found)
    best = max((row["confidence"] for row in rows), default=0.0)
    answer: dict[str, Any] = {
        "quotes": rows,
        "answerable": best >= ANSWERABLE,
        "answer_confidence": best,
        "session_id": session,
        "diagnostics": {"candidates": len(found.candidates), "mode_used": mode_used, "tokenizer": tokens.NAME},
        "partial": False,
        "limit_reason": "none",
    }
    if degraded:
        answer["diagnostics"]["degraded"] = degraded
    if not found.candidates:
        answer["hint"] = await nothing_found(call, question, filters)
    elif not answer["answerable"]:
        search = call.served_name("kb.search")
        answer["hint"] = f"Ask with words the documentation would use, or look around with {search}."
    return _within(call, answer)


def _quotes(call: Any, session: str, found: Any, choose: Any, limits: tuple[int, int, int]) -> list[dict[str, Any]]:
    passages = [candidate.passage for candidate in found.candidates]
    chosen = choose([Source(passage.text, passage.heading) for passage in passages], *limits)
    first = {quote.source: quote.core for quote in reversed(chosen)}
    kept = call.state.scratch.keep(call, session, [(passages[each], first[each]) for each in sorted(first)])
    entries = dict(zip(sorted(first), kept, strict=True))
    return [quoted(entries[quote.source], quote) for quote in chosen]


def _within(call: Any, answer: dict[str, Any]) -> dict[str, Any]:
    """As many quotes as the answer has tokens and bytes for; the first is always there."""
    rows: Sequence[dict[str, Any]] = answer["quotes"]
    spent = _tokens({**answer, "quotes": []}) + 10  # what is said of a cut
    taken: list[dict[str, Any]] = []
    for row in rows:
        cost = _tokens(row) + 1
        reason = (
            "token_cap"
            if spent + cost > call.limits["answer_tokens"]
            else "none"
            if call.budget.fits(row)
            else "byte_cap"
        )
        if taken and reason != "none":
            answer.update(partial=True, limit_reason=reason)
            continue  # a shorter one may still fit
        spent += cost
        taken.append(row)
    return {**answer, "quotes": taken}


def _tokens(value: Any) -> int:
    """What a model is charged for it as JSON."""
    return tokens.count(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
