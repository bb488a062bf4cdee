"""kb.search: which passages touch a topic; previews, never text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from wekadocs_corpus import best_spans, preview
from wekadocs_kit import (
    find,
    how_it_went,
    limit_reason,
    link_to,
    page_that_fits,
    question_digest,
    read_filters,
    read_question,
    refuse_when_empty,
    require_text,
    rest_behind,
    uri_of,
)
from wekadocs_mcp import Answer, ToolError, tool

from .hints import nothing_found

if TYPE_CHECKING:
    from wekadocs_corpus import Candidate, Chooser, Hits
    from wekadocs_kit import FilterArguments
    from wekadocs_mcp import Call

    from .state import KbState


class SearchOptions(TypedDict):
    max_snippet_chars: int
    max_per_doc: int
    include_scores: bool
    include_debug: bool
    mode: str
    rewrite: bool


@tool("kb.search")
async def search(
    call: Call[KbState],
    query: str,
    top_k: int,
    cursor: str | None,
    page_size: int,
    filters: FilterArguments | None,
    session_id: str | None,
    options: SearchOptions,
) -> Answer:
    state = call.state
    require_text("query", query)
    read_filters(filters)
    question = _question(call, query, top_k, filters, options)
    if cursor is None:
        session = await state.session(call, session_id)
        return _page(call, question, await _found(call, session, query, top_k, filters, options), page_size)
    if session_id is not None:
        await state.session(call, session_id)
    try:
        rest = await rest_behind(call, question, cursor)
    except ToolError:
        await refuse_when_empty(state.corpus, call.scope)
        raise
    return _page(call, question, rest, page_size)


def _question(
    call: Call[KbState], query: str, top_k: int, filters: FilterArguments | None, options: SearchOptions
) -> str:
    """What a cursor belongs to: everything that makes the list, whatever was left out or written as null."""
    given = {name: value for name, value in (filters or {}).items() if value}
    return question_digest(call, {"query": query, "top_k": top_k, "filters": given, "options": dict(options)})


async def _found(
    call: Call[KbState],
    session: str,
    query: str,
    top_k: int,
    filters: FilterArguments | None,
    options: SearchOptions,
) -> dict[str, Any]:
    """The whole list; a page is a part of it."""
    mode = options["mode"]
    question = await read_question(call, query, rewrite=options["rewrite"])
    found = await find(call, question, filters, top_k, mode, options["max_per_doc"])
    mode_used, degraded = how_it_went(found)
    rows = _rows(call, session, call.state.chooser(question), found, options)
    note = question.note
    hint = note if rows else " ".join(filter(None, [note, await nothing_found(call, question, filters)]))
    return {"rows": rows, "session_id": session, "mode_used": mode_used, "degraded": degraded, "hint": hint}


def _page(call: Call[KbState], question: str, whole: Mapping[str, Any], page_size: int) -> Answer:
    rows: Sequence[tuple[dict[str, Any], dict[str, Any]]] = whole["rows"]
    count = min(page_size, len(rows))

    def shown(taken: int, cursor: str | None) -> dict[str, Any]:
        return {
            "results": [row for row, _ in rows[:taken]],
            "next_cursor": cursor,
            "partial": cursor is not None,
            "limit_reason": limit_reason(cut=taken < count, more=cursor is not None),
            "session_id": whole["session_id"],
            "mode_used": whole["mode_used"],
            **{name: whole[name] for name in ("degraded", "hint") if whole[name]},
        }

    def rest(taken: int) -> dict[str, Any] | None:
        return {**whole, "rows": rows[taken:]} if taken < len(rows) else None

    page = page_that_fits(call, question, count, shown, rest)
    return Answer(page, links=[link for _, link in rows[: len(page["results"])]])


def _rows(call: Call[KbState], session: str, choose: Chooser, found: Hits, options: SearchOptions) -> list[Any]:
    spans = [best_spans(choose, candidate.passage) for candidate in found.candidates]
    passages = [candidate.passage for candidate in found.candidates]
    kept = call.state.scratch.keep(
        call, session, [(passage, best[0]) for passage, best in zip(passages, spans, strict=True)]
    )
    rows = []
    for rank, (candidate, entry, best) in enumerate(zip(found.candidates, kept, spans, strict=True), 1):
        anchor = entry.anchor_at(entry.span[0])
        row: dict[str, Any] = {
            "passage_id": entry.passage_id,
            "section_id": entry.section_id,
            "doc_tag": entry.doc_tag,
            "title": entry.title,
            "rank": rank,
            "source": "reranked" if "rerank" in found.timings_ms else candidate.hit.source,
            "preview": preview(candidate.passage.text, best, options["max_snippet_chars"]),
            "scratch_uri": uri_of(entry),
            "size_bytes": entry.size_bytes,
            "anchor": anchor,
            "path": entry.path,
            **entry.place_on_site(anchor),
        }
        if options["include_scores"]:
            row["score"] = round(candidate.hit.score, 6)
        if options["include_debug"]:
            row["debug"] = _debug(candidate, found)
        rows.append((row, link_to(entry)))
    return rows


def _debug(candidate: Candidate, found: Hits) -> dict[str, Any]:
    hit, passage = candidate.hit, candidate.passage
    return {
        "words_rank": hit.words_rank,
        "vectors_rank": hit.vectors_rank,
        "words_score": hit.words_score,
        "vectors_score": hit.vectors_score,
        "document_id": hit.document_id,
        "headings": list(passage.headings),
        "timings_ms": {name: round(value, 3) for name, value in found.timings_ms.items()},
    }
