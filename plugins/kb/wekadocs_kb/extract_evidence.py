"""kb.extract_evidence: the sentences in known passages that answer a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from wekadocs_corpus import tokens
from wekadocs_mcp import tool
from wekadocs_scratch.scratch import fingerprint, uri_of

from .apart import apart
from .confidence import confidence
from .desk import said

if TYPE_CHECKING:
    from wekadocs_corpus.quotes import Quote


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
    from wekadocs_corpus.quotes import Source

    sources = [Source(entry.text, entry.heading, entry.opening) for entry in entries]
    chosen, _ = await choose.evidence(sources, max_quotes, max_quote_tokens, include_context_tokens)
    chosen = _all_longer(apart(chosen, entries, max_quote_tokens), choose.reading_on(sources, max_quote_tokens))
    rows = []
    for quote in chosen:
        row = quoted(entries[quote.source], quote)
        if not call.budget.fits(row):
            break
        rows.append(row)
    cut = len(rows) < len(chosen)
    degraded = {"degraded": choose.degraded} if choose.degraded else {}
    return {
        "quotes": rows,
        "partial": cut,
        "limit_reason": "byte_cap" if cut else "none",
        "session_id": session or entries[0].session_id,
        "tokenizer": tokens.NAME,
        **degraded,
    }


def _all_longer(chosen: Sequence[Quote], longer: Callable[[Quote, Sequence[Quote]], Quote]) -> list[Quote]:
    """Best first: where two could read the same, the better one does."""
    quotes = list(chosen)
    for place, quote in enumerate(chosen):
        quotes[place] = longer(quote, [*quotes[:place], *quotes[place + 1 :]])
    return quotes


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
