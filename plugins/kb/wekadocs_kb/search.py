"""kb.search: which passages touch a topic; previews, never text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wekadocs_corpus.model import digest
from wekadocs_corpus.quotes import Source
from wekadocs_mcp import Answer, ToolError, tool
from wekadocs_scratch.scratch import gone, link_to, owner_of, uri_of

from .desk import heading

_PREVIEW_SENTENCES = 3


@tool("kb.search")
async def search(
    call: Any,
    query: str,
    top_k: int,
    cursor: str | None,
    page_size: int,
    filters: Mapping[str, Any] | None,
    session_id: str | None,
    options: Mapping[str, Any],
) -> Answer:
    desk = call.state
    if not query.strip():
        raise ToolError("INVALID_ARGUMENT", "query: say what to look for.", {"path": "/query"})
    binding = digest(query, repr(sorted((filters or {}).items())), repr(sorted(options.items())), str(top_k), repr(call.scope))
    if cursor is not None:
        page = desk.scratch.store.page(cursor, owner_of(call), binding)
        if page is None:
            raise gone("cursor")
        return _page(call, binding, page.rows, page.offset, page_size)
    session = desk.scratch.session(call, session_id)
    found = await desk.find(call, query, filters, top_k, options["mode"], options["max_per_doc"])
    rows = await _rows(call, session, query, found, options)
    answer = {
        "rows": rows,
        "session_id": session,
        "mode_used": "vector_only",
        "degraded": list(found.degraded),
        "stale": found.partial,
        "hint": "" if rows else await _hint(desk, call, query, filters),
    }
    return _page(call, binding, answer, 0, page_size)


def _page(call: Any, binding: str, answer: Mapping[str, Any], offset: int, page_size: int) -> Answer:
    rows: Sequence[tuple[dict[str, Any], dict[str, Any]]] = answer["rows"]
    taken = [pair for pair in rows[offset : offset + page_size] if call.budget.fits(pair[0])]
    cut = len(taken) < len(rows[offset : offset + page_size])
    end = offset + len(taken)
    more = call.state.scratch.store.add_page(owner_of(call), binding, answer, end) if end < len(rows) and taken else None
    data: dict[str, Any] = {
        "results": [row for row, _ in taken],
        "next_cursor": more,
        "partial": more is not None or cut or answer["stale"],
        "limit_reason": "byte_cap" if cut else "page_size" if more else "none",
        "session_id": answer["session_id"],
        "mode_used": answer["mode_used"],
    }
    for name in ("degraded", "hint"):
        if answer[name]:
            data[name] = answer[name]
    return Answer(data, links=[link for _, link in taken])


async def _rows(call: Any, session: str, query: str, found: Any, options: Mapping[str, Any]) -> list[Any]:
    desk = call.state
    spans = [await _best_spans(call, query, candidate.passage) for candidate in found.candidates]
    kept = desk.scratch.keep(
        call, session, [(candidate.passage, _around(best)) for candidate, best in zip(found.candidates, spans, strict=True)]
    )
    rows = []
    for rank, (candidate, entry, best) in enumerate(zip(found.candidates, kept, spans, strict=True), 1):
        passage = candidate.passage
        row: dict[str, Any] = {
            "passage_id": entry.passage_id,
            "section_id": entry.section_id,
            "doc_tag": entry.doc_tag,
            "title": entry.title,
            "rank": rank,
            "source": candidate.hit.source,
            "preview": _preview(passage.text, best, options["max_snippet_chars"]),
            "scratch_uri": uri_of(entry),
            "size_bytes": entry.size_bytes,
            "anchor": entry.anchor,
        }
        if options["include_scores"]:
            row["score"] = round(candidate.hit.score, 6)
        if options["include_debug"]:
            row["debug"] = _debug(candidate, found)
        rows.append((row, link_to(entry)))
    return rows


async def _best_spans(call: Any, query: str, passage: Any) -> list[tuple[int, int]]:
    chosen = await call.state.quotes(
        query, call.scope.project_id, [Source(passage.text, heading(passage))], _PREVIEW_SENTENCES, 200, 0
    )
    return [quote.core for quote in chosen] or [(0, len(passage.text))]


def _around(spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return spans[0]


def _preview(text: str, spans: Sequence[tuple[int, int]], most: int) -> str:
    """The best sentence, then others while they fit, in the order of the text."""
    chosen = [spans[0]]
    for span in spans[1:]:
        if sum(end - start + 3 for start, end in (*chosen, span)) <= most:
            chosen.append(span)
    parts = [" ".join(text[start:end].split()) for start, end in sorted(chosen)]
    joined = " … ".join(parts)
    return joined if len(joined) <= most else joined[: most - 1].rstrip() + "…"


def _debug(candidate: Any, found: Any) -> dict[str, Any]:
    hit, passage = candidate.hit, candidate.passage
    return {
        "words_rank": hit.words_rank,
        "vectors_rank": hit.vectors_rank,
        "words_score": hit.words_score,
        "vectors_score": hit.vectors_score,
        "document_id": hit.document_id,
        "path": passage.path,
        "headings": list(passage.headings),
        "timings_ms": {name: round(value, 3) for name, value in found.retrieval.timings_ms.items()},
    }


async def _hint(desk: Any, call: Any, query: str, filters: Mapping[str, Any] | None) -> str:
    """What would help: fewer filters, tags that exist, other words."""
    if filters and any(filters.values()):
        without = await desk.find(call, query, None, 1, "vector_only", 1)
        if without.candidates:
            tag = without.candidates[0].passage.doc_tag
            return f"The filters exclude everything that fits; without them the best is under doc_tag {tag!r}."
    counts = await desk.corpus.in_thread(desk.corpus.truth.counts, call.scope.project_id)
    tags = ", ".join(list(counts.doc_tags)[:8])
    return f"No document has these words; try others. Tags that exist: {tags}." if tags else "Try other words."


