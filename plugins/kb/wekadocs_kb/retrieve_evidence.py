"""kb.retrieve_evidence: one call from a question to cited quotes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wekadocs_corpus import tokens
from wekadocs_mcp import tool

from .apart import apart
from .confidence import ANSWERABLE, answer_confidence
from .desk import how, said
from .extract_evidence import sources_of
from .fitting import within
from .hints import misspelt, nothing_found

if TYPE_CHECKING:
    from wekadocs_corpus.evidence.quotes import Quote


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
    choose, note = await desk.read(call, question)
    limits = call.limits
    found = await desk.find(call, choose.question, filters, limits["candidates"], mode, limits["of_one_document"])
    passages = [candidate.passage for candidate in found.candidates]
    sources = sources_of(passages)
    chosen, ranked = await choose.evidence(sources, max_quotes, max_quote_tokens, include_context_tokens)
    legs = [(each.hit.words_score or 0.0, each.hit.vectors_score or 0.0) for each in found.candidates]
    likely = answer_confidence(question, chosen, ranked, legs)
    mode_used, degraded = how(found)
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
    hints = [note] if note else []
    if not found.candidates:
        hints.append(await nothing_found(call, choose, filters))
    elif not answer["answerable"]:
        search = call.served_name("kb.search")
        hints += await misspelt(call, choose)
        hints.append(f"Ask with words the documentation would use, or look around with {search}.")
    if hints:
        answer["hint"] = " ".join(hints)
    quotes, total = apart(chosen, sources), max_quotes * max_quote_tokens

    def longer(kept: Sequence[Quote], more: int) -> list[Quote]:
        spent = sum(tokens.count(sources[quote.source].text[slice(*quote.core)]) for quote in kept)
        grown: list[Quote] = choose.read_on(kept, sources, max_quote_tokens, min(total, spent + max(0, more)))
        return grown

    return within(call, answer, quotes, _kept(call, session, passages, quotes), longer)


def _kept(call: Any, session: str, passages: Sequence[Any], chosen: Sequence[Quote]) -> dict[int, Any]:
    """The passages of the quotes, each by its number, kept for whoever reads on."""
    first = {quote.source: quote.core for quote in reversed(chosen)}
    kept = call.state.scratch.keep(call, session, [(passages[each], first[each]) for each in sorted(first)])
    return dict(zip(sorted(first), kept, strict=True))
