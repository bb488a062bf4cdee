"""chunks.find_quote: a snippet → which item says it, on which page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from .. import filters as asked
from ..errors import invalid
from ..pages import Found, listed
from ..rendering import cited
from ..state import ChunksState, Doing, in_thread, told
from .finding import Place, places
from .on_pages import labels_of

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from ..projects import Project

_CANDIDATES = 200
_DOCUMENTS = 3  # of the best candidates, read whole: a quotation may go on in the next chunk


@tool("chunks.find_quote")
async def find_quote(
    call: Call[ChunksState],
    project: str,
    quote: str,
    top_k: int,
    filters: Mapping[str, Any] | None,
    cursor: str | None,
    max_tokens: int | None,
) -> dict[str, Any]:
    known = call.state.project(project)

    async def find() -> Found:
        if not quote.strip():
            raise invalid("quote is blank: pass the words to look for.", path="/quote")
        wanted = asked.conditions(filters, call.limits["filter_values"])
        with told(call, project, Doing("looking for a quotation")):
            found = await in_thread(call, lambda: stands(call.state, known, quote, wanted))
        return [shown(each, known) for each in found[:top_k]], {"verbatim": bool(found) and found[0].verbatim}

    return await listed(call, "items", find, cursor, max_tokens)


def stands(state: ChunksState, project: Project, quote: str, wanted: list[tuple[str, str]]) -> list[Place]:
    """In a thread: chunks that share its rarest words, looked through."""
    candidates = state.collections.by_words(project.id, quote, wanted, _CANDIDATES)
    docs = list(dict.fromkeys(each.doc for each in candidates))[:_DOCUMENTS]
    return places(candidates, state.collections.of_documents(project.id, docs), quote)


def shown(place: Place, project: Project) -> dict[str, Any]:
    first = place.chunks[0]
    row = cited(first, project.max_chars_per_chunk, place.similarity)
    row["page_span"] = list(place.pages) if place.pages else None
    row.pop("page_labels", None)
    labels = labels_of(place.chunks, place.pages)
    row |= {"page_labels": list(labels)} if labels else {}
    title = (first.payload.get("source") or {}).get("title")
    more = {"similarity": row.pop("score"), "verbatim": place.verbatim, "found": place.found, "title": title}
    return {**{name: value for name, value in row.items() if name not in ("full_text", "render_text")}, **more}
