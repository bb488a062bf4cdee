"""kb.retrieve_evidence: one call from a question to cited quotes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wekadocs_corpus import tokens
from wekadocs_mcp import tool

from .apart import apart
from .confidence import ANSWERABLE, answer_confidence
from .desk import how, said
from .extract_evidence import quoted
from .hints import misspelt, nothing_found

if TYPE_CHECKING:
    from wekadocs_corpus.quotes import Quote


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
    asked = await desk.spelled_out(call, question)
    found = await desk.find(call, asked, filters, call.limits["candidates"], mode)
    choose = await desk.chooser(asked, call.scope.project_id)
    passages = [candidate.passage for candidate in found.candidates]
    from wekadocs_corpus.quotes import Source

    sources = [Source(passage.text, passage.heading, passage.opening) for passage in passages]
    chosen, ranked = await choose.evidence(sources, max_quotes, max_quote_tokens, include_context_tokens)
    legs = [(each.hit.words_score or 0.0, each.hit.vectors_score or 0.0) for each in found.candidates]
    likely = answer_confidence(question, chosen, ranked, legs)
    mode_used, degraded = how(found)
    answer: dict[str, Any] = {
        "quotes": _rows(call, session, passages, apart(chosen, passages)),
        "answerable": likely >= ANSWERABLE,
        "answer_confidence": likely,
        "session_id": session,
        "diagnostics": {"candidates": len(found.candidates), "mode_used": mode_used, "tokenizer": tokens.NAME},
        "partial": False,
        "limit_reason": "none",
    }
    if degraded or choose.degraded:
        answer["diagnostics"]["degraded"] = [*degraded, *choose.degraded]
    if not found.candidates:
        answer["hint"] = await nothing_found(call, choose, filters)
    elif not answer["answerable"]:
        search = call.served_name("kb.search")
        near = await misspelt(call, choose)
        answer["hint"] = " ".join([*near, f"Ask with words the documentation would use, or look around with {search}."])
    return _within(call, answer)


def _rows(call: Any, session: str, passages: Sequence[Any], chosen: Sequence[Quote]) -> list[dict[str, Any]]:
    """The quotes with the passages they come from, which are kept for whoever reads on."""
    first = {quote.source: quote.core for quote in reversed(chosen)}
    kept = call.state.scratch.keep(call, session, [(passages[each], first[each]) for each in sorted(first)])
    entries = dict(zip(sorted(first), kept, strict=True))
    return [quoted(entries[quote.source], quote) for quote in chosen]


def _within(call: Any, answer: dict[str, Any]) -> dict[str, Any]:
    """As many quotes as the answer has tokens and bytes for; the first is always there."""
    rows: Sequence[dict[str, Any]] = answer["quotes"]
    spent = _tokens({**answer, "quotes": []}) + 10  # what is said of a cut
    taken: list[dict[str, Any]] = []
    for row in _each_passage_first(rows):
        cost = _tokens(row) + 1
        within = spent + cost <= call.limits["answer_tokens"]
        if taken and not (within and call.budget.fits(row)):
            answer.update(partial=True, limit_reason="byte_cap" if within else "token_cap")
            continue  # a shorter one may still fit
        spent += cost
        taken.append(row)
    return {**answer, "quotes": [row for row in rows if row in taken]}


def _each_passage_first(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Where not all fit, another passage's first quote goes before a passage's second."""
    heard: set[str] = set()
    again = []
    for row in rows:
        again.append(row["passage_id"] in heard)
        heard.add(row["passage_id"])
    return [row for _, row in sorted(zip(again, rows, strict=True), key=lambda pair: pair[0])]


def _tokens(value: Any) -> int:
    """What a model is charged for it as JSON."""
    return tokens.count(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
