"""chunks.find_chunks and chunks.query_hybrid: passages of one project, ready to cite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from . import filters as asked
from .errors import hybrid_not_supported, index_unavailable, invalid
from .pages import Found, listed
from .rendering import shown
from .state import ChunksState, Doing, in_thread, told

if TYPE_CHECKING:
    from wekadocs_corpus import FoundChunk
    from wekadocs_mcp import Call

    from .projects import Project


@tool("chunks.find_chunks")
async def find_chunks(
    call: Call[ChunksState],
    project: str,
    query: str,
    top_k: int,
    filters: Mapping[str, Any] | None,
    include_full_text: bool,
    cursor: str | None,
    max_tokens: int | None,
) -> dict[str, Any]:
    known = call.state.project(project)

    async def find() -> Found:
        found = await _found(call, known, query, top_k, filters, hybrid=False)
        full = call.limits["full_text_bytes"] if include_full_text else 0
        return [shown(each, known.max_chars_per_chunk, full_bytes=full, debug=False) for each in found], {}

    return await listed(call, "items", find, cursor, max_tokens)


@tool("chunks.query_hybrid")
async def query_hybrid(
    call: Call[ChunksState],
    project: str,
    query: str,
    top_k: int,
    filters: Mapping[str, Any] | None,
    include_full_text: bool,
    debug: bool,
    cursor: str | None,
    max_tokens: int | None,
) -> dict[str, Any]:
    known = call.state.project(project)
    if not known.hybrid_enabled:
        raise hybrid_not_supported(project, call.served_name("chunks.find_chunks"))

    async def find() -> Found:
        found = await _found(call, known, query, top_k, filters, hybrid=True)
        full = call.limits["full_text_bytes"] if include_full_text else 0
        rows = [shown(each, known.max_chars_per_chunk, full_bytes=full, debug=debug) for each in found]
        if not include_full_text:
            rows = [{name: value for name, value in row.items() if name != "full_text"} for row in rows]
        return rows, {"hybrid_enabled": True}

    return await listed(call, "items", find, cursor, max_tokens)


async def _found(
    call: Call[ChunksState],
    project: Project,
    query: str,
    top_k: int,
    filters: Mapping[str, Any] | None,
    *,
    hybrid: bool,
) -> list[FoundChunk]:
    from wekadocs_corpus import Rebound

    if not query.strip():
        raise invalid("query is blank: ask in words.", path="/query")
    wanted = asked.conditions(filters, call.limits["filter_values"])
    with told(call, project.id, Doing("searching")):
        while True:
            try:
                return await _once(call, project, query, top_k, wanted, hybrid=hybrid)
            except Rebound:  # by a migration, between embedding the question and asking it
                call.deadline.check()


async def _once(
    call: Call[ChunksState], project: Project, query: str, top_k: int, wanted: list[tuple[str, str]], *, hybrid: bool
) -> list[FoundChunk]:
    from wekadocs_corpus import Query

    state = call.state
    bound = await state.binding(project, (await state.rows()).get(project.id))
    embedder = bound.embedder
    if embedder is None:
        reason = f"this server does not have its model {bound.model!r}, and vectors of two models cannot be compared"
        raise index_unavailable(project.id, reason)

    vector = await in_thread(call, lambda: embedder.embed_query(query))
    question = Query(query, bound.model, vector, wanted, top_k, hybrid, embedder.profile.fusion)
    return await state.collections.ask(project.id, question)
