"""kb.extract_evidence: the sentences in known passages that answer a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wekadocs_corpus import tokens
from wekadocs_kit import as_many_as_fit, read_question, require_text
from wekadocs_mcp import tool

from .citations import quoted, widened

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .state import KbState


@tool("kb.extract_evidence")
async def extract_evidence(
    call: Call[KbState],
    question: str,
    passage_ids: Sequence[str],
    max_quotes: int,
    max_quote_tokens: int,
    include_context_tokens: int,
    session_id: str | None,
) -> dict[str, Any]:
    state = call.state
    require_text("question", question)
    session = await state.session(call, session_id) if session_id is not None else None
    found = await state.passages(call, passage_ids)
    entries = list({entry.section_id: entry for entry in reversed(found)}.values())[::-1]  # found twice, quoted once
    choose = state.chooser(await read_question(call, question))
    wide, sources = widened(call, entries, plain=choose.plain)
    evidence = await choose.evidence(sources, await state.corpus.likeness())
    quotes = choose.quoting(evidence, max_quotes, max_quote_tokens, include_context_tokens)(None)
    rows = [quoted(wide[quote.source], quote) for quote in quotes]
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

    return as_many_as_fit(call, len(rows), shown, least=0)
