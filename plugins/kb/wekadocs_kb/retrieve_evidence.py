"""kb.retrieve_evidence: one call from a question to cited quotes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wekadocs_corpus import tokens
from wekadocs_corpus.evidence.confidence import ANSWERABLE, answer_confidence
from wekadocs_corpus.evidence.overlaps import without_overlaps
from wekadocs_kit import Kept, find, how_it_went, read_question, require_text
from wekadocs_mcp import tool

from .citations import sources_of
from .hints import misspelt, nothing_found
from .quote_budget import quotes_within

if TYPE_CHECKING:
    from wekadocs_corpus.evidence.quotes import Quote
    from wekadocs_corpus.store.truth.rows import Passage
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
    passages = [candidate.passage for candidate in found.candidates]
    sources = sources_of(passages)
    chosen, ranked = await choose.evidence(sources, max_quotes, max_quote_tokens, include_context_tokens)
    legs = [(each.hit.words_score or 0.0, each.hit.vectors_score or 0.0) for each in found.candidates]
    likely = answer_confidence(asked.as_written, chosen, ranked, legs)
    mode_used, degraded = how_it_went(found)
    answer: dict[str, Any] = {
        "quotes": [],
        "answerable": likely >= ANSWERABLE,
        "answer_confidence": likely,
        "session_id": session,
        "diagnostics": {"candidates": len(found.candidates), "mode_used": mode_used, "tokenizer": tokens.NAME},
        "partial": False,
        "limit_reason": "none",
    }
    if degraded or choose.degraded:
        answer["diagnostics"]["degraded"] = [*degraded, *choose.degraded]
    hints = [asked.note] if asked.note else []
    if not found.candidates:
        hints.append(await nothing_found(call, asked, filters))
    elif not answer["answerable"]:
        search = call.served_name("kb.search")
        hints += await misspelt(call, asked)
        hints.append(f"Ask with words the documentation would use, or look around with {search}.")
    if hints:
        answer["hint"] = " ".join(hints)
    quotes, total = without_overlaps(chosen, sources), max_quotes * max_quote_tokens

    def longer(kept: Sequence[Quote], more: int) -> list[Quote]:
        spent = sum(tokens.count(sources[quote.source].text[slice(*quote.core)]) for quote in kept)
        grown: list[Quote] = choose.read_on(kept, sources, max_quote_tokens, min(total, spent + max(0, more)))
        return grown

    return quotes_within(call, answer, quotes, _kept(call, session, passages, quotes), longer)


def _kept(call: Call[KbState], session: str, passages: Sequence[Passage], chosen: Sequence[Quote]) -> dict[int, Kept]:
    """The passages of the quotes, each by its number, kept for whoever reads on."""
    first = {quote.source: quote.core for quote in reversed(chosen)}
    kept = call.state.scratch.keep(call, session, [(passages[each], first[each]) for each in sorted(first)])
    return dict(zip(sorted(first), kept, strict=True))
