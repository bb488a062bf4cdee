"""web.status: what is indexed, and in which corpora."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_kit import as_many_as_fit, corpus_errors
from wekadocs_mcp import tool
from wekadocs_text import one_line

from .events import told_of
from .moments import moment
from .resources import page_uri

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .book.pages import PageRow, Totals
    from .crawling.frontier import Corpus
    from .state import WebState


@tool("web.status")
async def status(
    call: Call[WebState],
    source_url: str | None,
    include_urls: bool,
    corpus: str | None,
    page_size: int,
    cursor: str | None,
) -> dict[str, Any]:
    arguments = {"include_urls": include_urls, "page_size": page_size, "continued": cursor is not None}
    with told_of(call, [source_url] if source_url else [], **arguments) as told, corpus_errors():
        if source_url is not None:
            answer = await _of_page(call, source_url)
        else:
            answer = await _of_all(call, include_urls, corpus, page_size, cursor)
        told.ends(answer, documents=answer["documents"], chunks=answer["chunks"])
    return answer


async def _of_page(call: Call[WebState], url: str) -> dict[str, Any]:
    from wekadocs_fetch import shown_url

    page = await call.state.corpus.in_thread(call.state.book.find, url)
    if page is None:
        return {"documents": 0, "chunks": 0, "tokens": 0, "urls": [], "not_indexed": shown_url(url)}
    return {"documents": 1, "chunks": page.chunks, "tokens": page.tokens, "urls": [shown(page)]}


async def _of_all(
    call: Call[WebState], include_urls: bool, corpus: str | None, page_size: int, cursor: str | None
) -> dict[str, Any]:
    from .crawling.frontier import corpora

    book, in_thread = call.state.book, call.state.corpus.in_thread
    totals = await in_thread(book.totals, corpus)
    named = await in_thread(corpora, book.tables)
    pages = await in_thread(book.pages, cursor or "", page_size + 1 if include_urls else 0, corpus)

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
