"""web.search: pages that are indexed, asked another question; nothing is fetched."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from wekadocs_kit import corpus_errors, require_text
from wekadocs_mcp import Answer, tool

from .calls import Phases, sent
from .events import parameters, received, warn_before_timeout

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .asking.research import Research
    from .book.pages import PageRow
    from .state import WebState

_PAGES_AT_ONCE = 1000


@tool("web.search")
async def search(
    call: Call[WebState],
    query: str,
    source_urls: list[str] | None,
    intent: str | None,
    top_k: int | None,
    retrieval_mode: str,
) -> Answer:
    from .asking.telling import Asked, told

    require_text("query", query)
    began = perf_counter()
    received(call.tool, source_urls or [], query)
    parameters(call.tool, intent=intent, top_k=top_k, retrieval_mode=retrieval_mode)
    with corpus_errors(), warn_before_timeout(call.tool, call.deadline.seconds):
        research = await _prepared(call, query, intent, retrieval_mode, source_urls)
        if research.pages:
            await research.search_only()
        result = await told(research, Asked(0, call.served_name("web.answer"), top_k or call.limits["evidence"]), began)
    return sent(call, result)


async def _prepared(
    call: Call[WebState], query: str, intent: str | None, mode: str, source_urls: list[str] | None
) -> Research:
    from .asking.decomposition import analyse
    from .asking.opening import Opened
    from .asking.research import Research
    from .asking.searching import Searching
    from .asking.tuning import Tuning
    from .asking.wishes import Wishes

    began = perf_counter()
    analysis = analyse(query, intent)
    searching = Searching(call.state.corpus, analysis, Wishes(analysis.kind))
    tuning = Tuning.of(call.state.settings)
    research = Research(call.state, tuning, searching, Phases(call).tell, 0, call.limits["response_tokens"], mode)
    research.timings_ms["analysis"] = (perf_counter() - began) * 1000
    if source_urls:
        for url in dict.fromkeys(source_urls):
            row = await call.state.corpus.in_thread(call.state.book.find, url)
            if row is None:
                research.failed.append(Opened(url, reason="not indexed", code="NOT_INDEXED"))
            else:
                research.pages[row.url] = row
    else:
        research.pages = {row.url: row for row in await _all_pages(call)}
        research.unscoped = True
    return research


async def _all_pages(call: Call[WebState]) -> list[PageRow]:
    found: list[PageRow] = []
    while True:
        more = await call.state.corpus.in_thread(call.state.book.pages, found[-1].url if found else "", _PAGES_AT_ONCE)
        found += more
        if len(more) < _PAGES_AT_ONCE:
            return found
