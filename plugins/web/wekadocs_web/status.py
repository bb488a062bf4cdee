"""web.status: what is indexed, and in which corpora."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from wekadocs_kit import as_many_as_fit, corpus_errors
from wekadocs_mcp import tool
from wekadocs_text import one_line

from .book.pages import Totals
from .crawling.frontier import corpora
from .resources import page_uri
from .state import WebState

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .book.pages import PageRow
    from .crawling.frontier import Corpus


@tool("web.status")
async def status(
    call: Call[WebState],
    source_url: str | None,
    include_urls: bool,
    corpus: str | None,
    page_size: int,
    cursor: str | None,
) -> dict[str, Any]:
    state = call.state
    with corpus_errors():
        if source_url is not None:
            page = await state.corpus.in_thread(state.book.find, source_url)
            if page is None:
                return {"documents": 0, "chunks": 0, "tokens": 0, "urls": [], "not_indexed": one_line(source_url)}
            return {**_counts(Totals(1, page.chunks, page.tokens)), "urls": [shown(page)]}
        totals = await state.corpus.in_thread(state.book.totals, corpus)
        named = await state.corpus.in_thread(corpora, state.book.tables)
        most = page_size + 1 if include_urls else 0
        pages = await state.corpus.in_thread(state.book.pages, cursor or "", most, corpus)

    def show(taken: int) -> dict[str, Any]:
        more = {"next_cursor": pages[taken - 1].url} if taken and taken < len(pages) else {}
        rows = {"urls": [shown(page) for page in pages[:taken]]} if include_urls else {}
        return {**_counts(totals), **rows, "corpora": [_named(each) for each in named], **more}

    return as_many_as_fit(call, min(len(pages), page_size), show, least=0)


def _counts(totals: Totals) -> dict[str, Any]:
    return {"documents": totals.documents, "chunks": totals.chunks, "tokens": totals.tokens}


def shown(page: PageRow) -> dict[str, Any]:
    return {
        "title": one_line(page.title) or "Untitled",
        "url": page.url,
        "chunks": page.chunks,
        "tokens": page.tokens,
        "fetched": moment(page.fetched_at),
        "resource": page_uri(page.url),
    }


def _named(corpus: Corpus) -> dict[str, Any]:
    return {
        "name": corpus.name,
        "pages": corpus.pages,
        "waiting": corpus.waiting,
        "crawled": moment(corpus.crawled_at),
    }


def moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
