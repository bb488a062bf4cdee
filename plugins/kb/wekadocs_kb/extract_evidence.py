"""kb.extract_evidence: the sentences in known passages that answer a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wekadocs_corpus import tokens
from wekadocs_mcp import tool
from wekadocs_scratch.scratch import fingerprint, uri_of

from .apart import apart
from .confidence import confidence
from .desk import said

if TYPE_CHECKING:
    from wekadocs_corpus.evidence.quotes import Quote, Source


@tool("kb.extract_evidence")
async def extract_evidence(
    call: Any,
    question: str,
    passage_ids: Sequence[str],
    max_quotes: int,
    max_quote_tokens: int,
    include_context_tokens: int,
    session_id: str | None,
) -> dict[str, Any]:
    desk = call.state
    said("question", question)
    session = await desk.session(call, session_id) if session_id is not None else None
    found = [await desk.passage(call, each, f"passage_ids/{number}") for number, each in enumerate(passage_ids)]
    entries = list({entry.section_id: entry for entry in reversed(found)}.values())[::-1]  # found twice, quoted once
    choose, _ = await desk.read(call, question)
    sources = sources_of(entries)
    chosen, _ = await choose.evidence(sources, max_quotes, max_quote_tokens, include_context_tokens)
    quotes = choose.read_on(apart(chosen, sources), sources, max_quote_tokens, max_quotes * max_quote_tokens)
    rows = [quoted(entries[quote.source], quote) for quote in quotes]
    cut = any(quote.cut for quote in quotes)
    degraded = {"degraded": choose.degraded} if choose.degraded else {}

    def shown(taken: int) -> dict[str, Any]:
        left_out = taken < len(rows)
        return {
            "quotes": rows[:taken],
            "partial": left_out or cut,
            "limit_reason": "byte_cap" if left_out else "token_cap" if cut else "none",
            "session_id": session or entries[0].session_id,
            "tokenizer": tokens.NAME,
            **degraded,
        }

    return shown(call.budget.most(len(rows), shown, least=0))


def sources_of(passages: Sequence[Any]) -> list[Source]:
    """Passages of the corpus, or those kept of an earlier answer, as something to quote from."""
    from wekadocs_corpus.evidence.quotes import Source

    return [Source(each.text, each.heading, each.opening, each.document_id, each.start) for each in passages]


def quoted(entry: Any, quote: Quote) -> dict[str, Any]:
    """A quote as answers carry it: verbatim, with all that is needed to check it."""
    start, end = quote.span
    text = entry.text[start:end]
    return {
        "quote": text,
        "passage_id": entry.passage_id,
        "section_id": entry.section_id,
        "title": entry.title,
        "uri": uri_of(entry),
        "confidence": confidence(quote),
        "path": entry.path,
        "anchor": entry.anchor_at(quote.core[0]),
        "start": entry.start + start,
        "end": entry.start + end,
        "hash": fingerprint(text),
    }
