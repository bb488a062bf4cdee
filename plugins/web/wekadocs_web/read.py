"""web.read: an indexed page from any place on, as much as there is room for, without cutting anything off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_fetch import FetchFailed
from wekadocs_kit import corpus_errors
from wekadocs_mcp import ToolError, json_size, tool
from wekadocs_text import one_line

from .library import Refused
from .resources import page_uri
from .state import WebState

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .book.pages import PageRow

_MOST_BYTES = 1 << 20


@tool("web.read")
async def read(call: Call[WebState], url: str, start_char: int, max_tokens: int) -> dict[str, Any]:
    from wekadocs_corpus import ExcerptRoom, end_of_excerpt

    state = call.state
    with corpus_errors():
        page = await state.corpus.in_thread(state.book.find, url) or await _taken_in(call, url)
        document = await state.corpus.document(page.document_id)
    if document is None:
        raise ToolError("FETCH_FAILED", f"{page.url}: its text is gone; call {call.served_name('web.ingest')} for it.")
    text = document.text
    if start_char > len(text):
        message = f"start_char: the page has {len(text)} characters."
        raise ToolError("INVALID_ARGUMENT", message, {"total_chars": len(text)})
    room = ExcerptRoom(max_tokens, _MOST_BYTES, str, call.budget.left - 2048, json_size)
    end = end_of_excerpt(text, start_char, room) if start_char < len(text) else len(text)
    return {
        "url": page.url,
        "title": one_line(page.title) or "Untitled",
        "resource": page_uri(page.url),
        "start": start_char,
        "end": end,
        "total_chars": len(text),
        "next_start": end if end < len(text) else None,
        "text": text[start_char:end],
    }


async def _taken_in(call: Call[WebState], url: str) -> PageRow:
    state = call.state
    await call.progress(1, 2, f"Scraping {url}...")
    try:
        fetched = await state.fetcher.fetch(url, deadline=call.deadline)
    except FetchFailed as error:
        message = f"The page could not be read: {error.url}: {error.reason}."
        code = "FETCH_TIMEOUT" if error.code == "TIMEOUT" else error.code
        raise ToolError(code, message, {"url": error.url}, retryable=error.passing) from None
    (row,) = await state.library.take_in([fetched])
    if isinstance(row, Refused):
        raise ToolError("FETCH_FAILED", f"The page could not be read: {row.url}: {row.reason}.", {"url": row.url})
    return row
