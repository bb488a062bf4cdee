"""web.ingest: pages taken in before anybody asks, one or a section of a site."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from wekadocs_kit import as_many_as_fit, corpus_errors
from wekadocs_mcp import ToolError, tool

from .events import told_of
from .moments import moment

if TYPE_CHECKING:
    from wekadocs_fetch import WebUrl
    from wekadocs_mcp import Call

    from .crawling.crawl import Crawled
    from .crawling.frontier import Frontier
    from .crawling.section import Section
    from .state import WebState


@tool("web.ingest")
async def ingest(
    call: Call[WebState], url: str, what: str, corpus: str, max_pages: int, max_depth: int, restart: bool
) -> dict[str, Any]:
    from .crawling.crawl import Crawl, time_to_stop
    from .crawling.frontier import Frontier
    from .crawling.section import Section

    with told_of(call, [url], what=what, max_pages=max_pages, max_depth=max_depth, restart=restart) as told:
        state, seed = call.state, _seed(url)
        section = Section.of(seed) if what == "section" else None
        frontier = Frontier(state.book.tables, corpus, f"{what} {seed}", call.limits["frontier"])
        deadline = time_to_stop(call.deadline, call.deadline.seconds)
        with corpus_errors():
            by = await _begin(call, frontier, seed, section, restart, deadline)
            crawl = Crawl(state, frontier, section, max_pages, max_depth, deadline, _Telling(call, max_pages))
            done = await crawl.run()
            waiting = await state.corpus.in_thread(frontier.waiting)
        _demand_some(done, waiting)
        by += [each for each in done.by if each not in by]
        answer = _answer(call, done, corpus, str(seed), by, waiting)
        told.ends(answer, indexed=len(done.indexed), failed=len(done.failed), waiting=waiting)
    return answer


def _demand_some(done: Crawled, waiting: int) -> None:
    if not done.indexed and done.failed and not waiting:
        failed = "; ".join(f"{place}: {reason}" for place, reason in done.failed[:3])
        raise ToolError("FETCH_FAILED", f"Nothing could be taken in: {failed}.", {"failed": _failed(done)})


def _seed(url: str) -> WebUrl:
    from wekadocs_fetch import FetchFailed, WebUrl

    try:
        return WebUrl.of(url)
    except FetchFailed as error:
        raise ToolError("INVALID_ARGUMENT", f"url: {error.reason}.", {"code": error.code}) from None


async def _begin(
    call: Call[WebState], frontier: Frontier, seed: WebUrl, section: Section | None, restart: bool, deadline: float
) -> list[str]:
    """Who told of the pages; a crawl that is not over goes on with what it knows."""
    from .crawling.finding import listed

    in_thread = call.state.corpus.in_thread
    waiting = await in_thread(frontier.waiting)
    if waiting and not restart:
        return ["an earlier call"]
    await in_thread(frontier.begin, [str(seed)])
    if section is None:
        return []
    found = await listed(call.state.fetcher, seed, section, deadline)
    await in_thread(frontier.add, [(each, 0) for each in found.urls])
    return found.by


class _Telling:
    """Progress: one step when a page is asked for, one when it is in."""

    def __init__(self, call: Call[WebState], pages: int) -> None:
        self._call, self._steps, self._told = call, 2 * pages, 0

    async def __call__(self, message: str) -> None:
        self._told = min(self._told + 1, self._steps)
        await self._call.progress(self._told, self._steps, message)


def _failed(done: Crawled) -> list[dict[str, str]]:
    return [{"url": url, "reason": reason} for url, reason in done.failed[:50]]


def _answer(call: Call[WebState], done: Crawled, corpus: str, seed: str, by: list[str], waiting: int) -> dict[str, Any]:
    rows = [{"url": page.url, "title": page.title, "chunks": page.chunks} for page in done.indexed]

    def show(taken: int) -> dict[str, Any]:
        return {
            "corpus": corpus,
            "seed": seed,
            "found_by": by,
            "indexed": len(done.indexed),
            "failed_count": len(done.failed),
            "waiting": waiting,
            "complete": not waiting,
            "crawled": moment(time.time()),
            "pages": rows[:taken],
            "failed": _failed(done),
        }

    return as_many_as_fit(call, len(rows), show, least=0)
