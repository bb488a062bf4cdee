"""web.refresh: pages that were taken in, asked whether they changed; what is gone is forgotten."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from wekadocs_kit import corpus_errors
from wekadocs_mcp import ToolError, tool

from .events import told_of

if TYPE_CHECKING:
    from wekadocs_fetch import Fetched, FetchFailed
    from wekadocs_mcp import Call

    from .book.pages import PageRow
    from .state import WebState

_AT_ONCE = 8
_GONE = frozenset({"HTTP_404", "HTTP_410"})


@tool("web.refresh")
async def refresh(call: Call[WebState], url: str | None, corpus: str | None, max_pages: int) -> dict[str, Any]:
    with told_of(call, [url] if url else [], max_pages=max_pages) as told, corpus_errors():
        pages = await _chosen(call, url, corpus, max_pages + 1)
        done = await _checked(call, pages, max_pages)
        answer = {**done, "complete": done["checked"] >= len(pages)}
        counts = {name: len(done[name]) for name in ("changed", "gone", "failed")}
        told.ends(answer, checked=done["checked"], **counts)
    return answer


async def _checked(call: Call[WebState], pages: list[PageRow], most: int) -> dict[str, Any]:
    from .crawling.crawl import time_to_stop

    deadline = time_to_stop(call.deadline, call.deadline.seconds)
    done: dict[str, Any] = {"checked": 0, "unchanged": 0, "changed": [], "gone": [], "failed": []}
    for start in range(0, min(len(pages), most), _AT_ONCE):
        if time.monotonic() >= deadline:
            break
        batch = pages[start : min(start + _AT_ONCE, most)]
        await _batch(call.state, batch, deadline, done)
        await call.progress(done["checked"], min(len(pages), most), f"Checked {batch[-1].url}")
    return done


async def _chosen(call: Call[WebState], url: str | None, corpus: str | None, most: int) -> list[PageRow]:
    """Those that were looked at longest ago come first, so that further calls go on."""
    state = call.state
    if url is None:
        return await state.corpus.in_thread(state.book.oldest, most, corpus)
    page = await state.corpus.in_thread(state.book.find, url)
    if page is None:
        from wekadocs_fetch import shown_url

        message = f"URL not indexed: {shown_url(url)}. Take it in with {call.served_name('web.ingest')}."
        raise ToolError("INVALID_ARGUMENT", message, {"reason": "not_indexed"})
    return [page]


async def _batch(state: WebState, pages: list[PageRow], deadline: float, told: dict[str, Any]) -> None:
    from wekadocs_fetch import Fetched, FetchFailed

    from .library import Refused

    had = await asyncio.gather(*(_asked(state, page, deadline) for page in pages))
    fetched = [(page, each) for page, each in zip(pages, had, strict=True) if isinstance(each, Fetched)]
    before = {page.url: await _hash(state, page.document_id) for page, _ in fetched}
    rows = await state.library.take_in([each for _, each in fetched])
    for (page, _), row in zip(fetched, rows, strict=True):
        if isinstance(row, Refused):
            told["failed"].append({"url": page.url, "reason": row.reason})
        elif row.url == page.url and await _hash(state, row.document_id) == before[page.url]:
            told["unchanged"] += 1
        else:
            told["changed"].append(row.url)
    failed = [(page, each) for page, each in zip(pages, had, strict=True) if isinstance(each, FetchFailed)]
    gone = [page.url for page, error in failed if error.code in _GONE]
    await state.library.forget(gone)
    told["gone"] += gone
    told["failed"] += [{"url": page.url, "reason": error.reason} for page, error in failed if error.code not in _GONE]
    told["checked"] += len(pages)


async def _asked(state: WebState, page: PageRow, deadline: float) -> Fetched | FetchFailed:
    from wekadocs_fetch import FetchFailed

    try:
        return await state.fetcher.fetch(page.url, deadline=deadline, revalidate=True)
    except FetchFailed as error:
        return error


async def _hash(state: WebState, document_id: str) -> str:
    document = await state.corpus.document(document_id)
    return document.content_hash if document is not None else ""
