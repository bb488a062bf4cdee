"""search_sections: ids and scores of sections, twenty by default, several of one document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wekadocs_kit import find, how_it_went, read_question, require_text
from wekadocs_mcp import tool

from .envelope import Row, fitted, offset_of, paged
from .filters import Narrowed, narrowed
from .sessions import session_of

if TYPE_CHECKING:
    from wekadocs_corpus import Candidate, Hits
    from wekadocs_mcp import Call

    from .state import LegacyState

_WIDE = 100  # candidates looked through where a filter is not the stores' own
_LEAN = ("section_id", "title", "tokens", "doc_tag", "score", "rank", "source")


@tool("search_sections")
async def search_sections(
    call: Call[LegacyState],
    query: str,
    top_k: int,
    filters: Mapping[str, object] | None,
    cursor: str | None,
    page_size: int,
    session_id: str | None,
    **others: Any,
) -> Row:
    require_text("query", query)
    skip = offset_of(call, cursor)
    narrow = await narrowed(call, filters)
    found = await _found(call, query, top_k, narrow)
    candidates = [each for each in found.candidates if narrow.has(each.passage)][:top_k]
    method = await _method(call, found)
    chunks = await call.state.corpus.passages([each.passage.id for each in candidates])  # without what is read on
    tokens = {chunk.id: chunk.tokens for chunk in chunks}
    rows = [_row(each, rank, method, found, tokens) for rank, each in enumerate(candidates, 1)]
    if others.get("include_debug") is False:
        rows = [{name: row[name] for name in _LEAN} for row in rows]
    page = rows[skip : skip + page_size]
    behind = "top_k" in call.lowered and len(rows) == top_k  # what was asked for goes on behind the limit

    def show(taken: int) -> tuple[Row, str]:
        payload, reason = paged(call, "results", page, page[:taken], skip, skip + page_size < len(rows))
        return payload, "page_size" if reason == "none" and behind else reason

    return fitted(call, session_of(call, session_id), len(page), show, source=_metrics(found))


async def _found(call: Call[LegacyState], query: str, top_k: int, narrow: Narrowed) -> Hits:
    k = max(top_k, _WIDE) if narrow.keeps else top_k
    question = await read_question(call, query, as_written=True)
    return await find(call, question, narrow.filters, k, "auto", per_document=k, every_hit=True)


async def _method(call: Call[LegacyState], found: Hits) -> str | None:
    """How two lists became one; None when there was only one."""
    if not {"words", "vectors"} <= found.timings_ms.keys():
        return None
    embedder, _ = await call.state.corpus.usable_embedder(call.scope.project_id)
    return "rrf" if embedder is not None and embedder.profile.fusion.by == "rank" else "weighted"


def _row(candidate: Candidate, rank: int, method: str | None, found: Hits, tokens: Mapping[str, int]) -> Row:
    """All 21 fields; null is what this retrieval does not have."""
    hit, passage = candidate.hit, candidate.passage
    reranked, followed = "rerank" in found.timings_ms, hit.source == "graph_expanded"
    score = round(hit.score, 6)
    return {
        "section_id": passage.id,
        "title": passage.section_title or passage.title,
        "tokens": tokens.get(passage.id, passage.tokens),
        "doc_tag": passage.doc_tag,
        "score": score,
        "rank": rank,
        "source": "reranked" if reranked else hit.source,
        "fusion_method": method,
        "fused_score": None if reranked or followed or method is None else score,
        "title_vec_score": None,
        "entity_vec_score": None,
        "doc_title_sparse_score": None,
        "lexical_vec_score": hit.words_score,
        "rerank_score": score if reranked else None,
        "graph_score": score if followed else None,
        "graph_distance": 1 if followed else None,
        "connection_count": None,
        "mention_count": None,
        "entity_boost_applied": False,
        "entity_metadata": None,
        "rrf_field_contributions": None,
    }


def _metrics(found: Hits) -> Row:
    mode, degraded = how_it_went(found)
    timings = {name: round(value, 3) for name, value in found.timings_ms.items()}
    return {"mode_used": mode, "candidates": len(found.candidates), "timings_ms": timings, "degraded": degraded}
