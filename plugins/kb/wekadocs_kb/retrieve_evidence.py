"""kb.retrieve_evidence: one call from a question to cited quotes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wekadocs_corpus import covers, left_unsaid, tokens, verdict
from wekadocs_kit import Kept, find, how_it_went, read_question, require_text
from wekadocs_mcp import tool

from .citations import widened
from .hints import misspelt, nothing_found
from .quote_budget import quotes_within

if TYPE_CHECKING:
    from wekadocs_corpus import Hits, Passage, Question, Quote
    from wekadocs_kit import FilterArguments
    from wekadocs_mcp import Call

    from .state import KbState


@tool("kb.retrieve_evidence")
async def retrieve_evidence(
    call: Call[KbState],
    question: str,
    max_quotes: int,
    max_quote_tokens: int,
    include_context_tokens: int,
    mode: str,
    filters: FilterArguments | None,
    session_id: str | None,
) -> dict[str, Any]:
    require_text("question", question)
    session = await call.state.session(call, session_id)
    asked = await read_question(call, question)
    choose = call.state.chooser(asked)
    limits = call.limits
    found = await find(call, asked, filters, limits["candidates"], mode, limits["of_one_document"])
    passages, sources = widened(call, [each.passage for each in found.candidates], plain=choose.plain)
    evidence = await choose.evidence(sources, await call.state.corpus.likeness())
    legs = [(each.hit.words_score or 0.0, each.hit.vectors_score or 0.0) for each in found.candidates]
    said = verdict(evidence, legs)
    room = limits["first_tokens"] + max_quotes * limits["tokens_of_each"]
    quoting = choose.quoting(evidence, max_quotes, max_quote_tokens, include_context_tokens, room)
    answerable = said.answerable or covers(evidence, quoting(None))
    answer = _answer(session, found, answerable, said.confidence, choose.degraded)
    if hints := await _hints(call, asked, found, filters, answerable, left_unsaid(evidence)):
        answer["hint"] = " ".join(hints)
    return quotes_within(call, answer, quoting, lambda quotes: _kept(call, session, passages, quotes))


def _answer(session: str, found: Hits, answerable: bool, likely: float, failed: Sequence[str]) -> dict[str, Any]:
    mode_used, degraded = how_it_went(found)
    diagnostics = {"candidates": len(found.candidates), "mode_used": mode_used, "tokenizer": tokens.NAME}
    return {
        "quotes": [],
        "answerable": answerable,
        "answer_confidence": likely,
        "session_id": session,
        "diagnostics": {**diagnostics, "degraded": [*degraded, *failed]} if degraded or failed else diagnostics,
        "partial": False,
        "limit_reason": "none",
    }


async def _hints(
    call: Call[KbState], asked: Question, found: Hits, filters: FilterArguments | None, answerable: bool, unsaid: str
) -> list[str]:
    hints = [asked.note] if asked.note else []
    if unsaid:
        hints.append(f"What stands around the first quote does not mention {unsaid!r}.")
    if not found.candidates:
        hints.append(await nothing_found(call, asked, filters))
    elif not answerable:
        search = call.served_name("kb.search")
        hints += await misspelt(call, asked)
        hints.append(f"Ask with words the documentation would use, or look around with {search}.")
    return hints


def _kept(call: Call[KbState], session: str, passages: Sequence[Passage], quotes: Sequence[Quote]) -> dict[int, Kept]:
    """The passages of the quotes, each by its number, kept for whoever reads on."""
    first = {quote.source: quote.core for quote in reversed(quotes)}
    kept = call.state.scratch.keep(call, session, [(passages[each], first[each]) for each in sorted(first)])
    return dict(zip(sorted(first), kept, strict=True))
