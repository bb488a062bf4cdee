"""web.read: an indexed page from any place on, as much as there is room for, without cutting anything off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_kit import corpus_errors
from wekadocs_mcp import ToolError, json_size, tool
from wekadocs_text import one_line

from .events import told_of
from .resources import page_uri

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .book.pages import PageRow
    from .state import WebState

_MOST_BYTES = 1 << 20


@tool("web.read")
async def read(call: Call[WebState], url: str, start_char: int, max_tokens: int) -> dict[str, Any]:
    with told_of(call, [url], start_char=start_char, max_tokens=max_tokens) as told:
        with corpus_errors():
            page = await call.state.corpus.in_thread(call.state.book.find, url) or await _taken_in(call, url)
            document = await call.state.corpus.document(page.document_id)
        if document is None:
            again = f"its text is gone; call {call.served_name('web.ingest')} for it"
            raise ToolError("FETCH_FAILED", f"{page.url}: {again}.")
        answer = _part(call, page, document.text, start_char, max_tokens)
        told.ends(answer, chars=answer["end"] - answer["start"], total_chars=answer["total_chars"])
    return answer


def _part(call: Call[WebState], page: PageRow, text: str, start: int, max_tokens: int) -> dict[str, Any]:
    from wekadocs_corpus import ExcerptRoom, end_of_excerpt

    if start > len(text):
        message = f"start_char: the page has {len(text)} characters."
        raise ToolError("INVALID_ARGUMENT", message, {"total_chars": len(text)})
    room = ExcerptRoom(max_tokens, _MOST_BYTES, str, call.budget.left - 2048, json_size)
    end = end_of_excerpt(text, start, room) if start < len(text) else len(text)
    return {
        "url": page.url,
        "title": one_line(page.title) or "Untitled",
        "resource": page_uri(page.url),
        "start": start,
        "end": end,
        "total_chars": len(text),
        "next_start": end if end < len(text) else None,
        "text": text[start:end],
    }


async def _taken_in(call: Call[WebState], url: str) -> PageRow:
    from wekadocs_fetch import FetchFailed, shown_url

    from .library import Refused

    state = call.state
    await call.progress(1, 2, f"Scraping {shown_url(url)}...")
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
