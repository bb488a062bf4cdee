"""search_documentation: whole texts at once; off, and for known callers only where an operator switched it on."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from wekadocs_corpus import Unavailable, confidence, tokens
from wekadocs_corpus import graph_queries as queries
from wekadocs_kit import as_many_as_fit, find, how_it_went, invalid_argument, read_question, require_text
from wekadocs_mcp import ToolError, tool

from .envelope import Row, lowered_reason

if TYPE_CHECKING:
    from wekadocs_corpus import Hits, Passage, Question
    from wekadocs_mcp import Call

    from .state import LegacyState

_EVIDENCE, _ENTITIES = 5, 20
_SNIPPET = 200  # characters
_TEXT_BYTES = 4_096
_VERBOSITY = {"graph": "graph", "full": "full", "snippet": "graph", "snip": "graph", "short": "graph"}


@tool("search_documentation")
async def search_documentation(call: Call[LegacyState], query: str, top_k: int, verbosity: str, **_: Any) -> Row:
    _refuse_strangers(call)
    require_text("query", query)
    if verbosity not in _VERBOSITY:
        raise invalid_argument("verbosity", f"Invalid verbosity {verbosity!r}. Must be one of: full, graph.")
    question = await read_question(call, query, as_written=True)
    found = await find(call, question, None, top_k, "auto")
    mode, degraded = how_it_went(found)
    evidence = await _evidence(question, found)
    if _VERBOSITY[verbosity] == "graph" and not await _add_entities(call, evidence):
        degraded.append("graph_not_asked")
    return _answer(call, found, evidence, {"mode_used": mode, "degraded": degraded})


def _refuse_strangers(call: Call[LegacyState]) -> None:
    """Over HTTP without a token nobody knows who asks."""
    if call.principal == "anonymous":
        message = f"{call.tool} is disabled: over HTTP it needs an authenticated caller (MCP_AUTH_TOKEN)."
        raise ToolError("INVALID_ARGUMENT", message, {"reason": "disabled", "switch": "MCP_AUTH_TOKEN"})


async def _evidence(question: Question, found: Hits) -> list[Row]:
    passages = [candidate.passage for candidate in found.candidates[:_EVIDENCE]]
    from wekadocs_corpus import QuoteSource, weighted

    sources = [QuoteSource(each.text, each.heading, each.opening) for each in passages]
    quotes = weighted(question, sources, 2 * _EVIDENCE, 80)
    best = {quote.source: confidence(quote) for quote in reversed(quotes)}
    return [_row(passage, best.get(number, 0.0)) for number, passage in enumerate(passages)]


def _row(passage: Passage, sure: float) -> Row:
    raw = passage.text.encode("utf-8", "replace")
    whole = len(raw) <= _TEXT_BYTES
    return {
        "section_id": passage.id,
        "node_id": passage.id,
        "node_label": "Chunk",
        "snippet": passage.text[:_SNIPPET] + ("..." if len(passage.text) > _SNIPPET else ""),
        "path": passage.path,
        "confidence": sure,
        "title": passage.section_title or passage.title,
        "full_text": raw[:_TEXT_BYTES].decode("utf-8", "ignore") + ("" if whole else "...[truncated]"),
        "metadata": {
            "document_id": passage.document_id,
            "level": passage.level,
            "anchor": passage.anchor,
            "tokens": passage.tokens,
        },
        "related_entities": [],
        "related_sections": [],
    }


async def _add_entities(call: Call[LegacyState], evidence: list[Row]) -> bool:
    """Whether the graph could be asked."""
    ids = [row["section_id"] for row in evidence]
    try:
        found = await queries.entities_for_sections(call.state.corpus, call.scope, ids, max_per_section=_ENTITIES)
    except Unavailable:
        return False
    by_section = {row["section_id"]: row["entities"] for row in found.rows}
    for row in evidence:
        row["related_entities"] = [
            {"entity_id": each["id"], "label": each["label"], "name": each["name"], "relationship": each["type"]}
            for each in by_section.get(row["section_id"], [])
        ]
    return True


def _answer(call: Call[LegacyState], found: Hits, evidence: list[Row], diagnostics: Row) -> Row:
    """As many texts as there is room for; where not even one fits, as much of it."""
    whole = partial(_shown, call, found, diagnostics)
    cut = {"partial": True, "limit_reason": "byte_cap"}

    def fewer(taken: int) -> Row:
        return whole(evidence[:taken]) | (cut if taken < len(evidence) else {})

    def shorter(size: int) -> Row:
        text = f"{evidence[0]['full_text'][:size]}...[truncated]"
        return whole([{**evidence[0], "full_text": text, "related_entities": []}]) | cut

    if not evidence or call.budget.holds(fewer(1)):
        return as_many_as_fit(call, len(evidence), fewer)
    return as_many_as_fit(call, len(evidence[0]["full_text"]), shorter, least=0)


def _shown(call: Call[LegacyState], found: Hits, diagnostics: Row, shown: list[Row]) -> Row:
    best = max((row["confidence"] for row in shown), default=0.0)
    answer = f"GraphRows {len(found.candidates)} relevant sections; the first {len(shown)} are in evidence."
    warning = call.failure["warning"]
    lowered = [f"Lowered to the limit: {', '.join(call.lowered)}."] if call.lowered else []
    lines = [f"> Warning: {warning}", "", answer, *lowered, ""]
    lines += [f"{number}. **{row['title']}** ({row['path']}): {row['snippet']}" for number, row in enumerate(shown, 1)]
    timing = {name: round(value, 3) for name, value in found.timings_ms.items()}
    return {
        "answer_markdown": "\n".join(lines),
        "answer_json": {
            "answer": answer,
            "evidence": shown,
            "confidence": best,
            "diagnostics": {
                "ranking_features": {},
                "timing": timing,
                "total_candidates": len(found.candidates),
                "filters_applied": {},
                "tokenizer": tokens.NAME,
                **diagnostics,
            },
        },
        "warning": warning,
        "limit_reason": lowered_reason(call),
        "lowered": list(call.lowered),
    }
