"""web.answer: pages of the web, and those they lead to, asked a question."""

from __future__ import annotations

import asyncio
import math
from time import perf_counter
from typing import TYPE_CHECKING

from wekadocs_kit import corpus_errors, require_text
from wekadocs_mcp import Answer, ToolError, tool

from .calls import Phases, nothing_read, sent
from .events import log, parameters, received, warn_before_timeout

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .asking.research import Research
    from .state import WebState

_SPARED = (0.25, 4.0)  # share of the time, and seconds at most, that are kept to put an answer together


@tool("web.answer")
async def answer(
    call: Call[WebState],
    url: str | list[str],
    query: str,
    intent: str | None,
    known_context: str | None,
    constraints: list[str] | None,
    expansion_budget: int | None,
    retrieval_mode: str,
) -> Answer:
    from .asking.telling import Asked, told

    require_text("query", query)
    began, urls = perf_counter(), [url] if isinstance(url, str) else url
    received(call.tool, urls, query)
    parameters(
        call.tool,
        intent=intent,
        known_context=known_context,
        constraints=constraints,
        expansion_budget=expansion_budget,
        retrieval_mode=retrieval_mode,
    )
    phases = Phases(call)
    research = await _research(
        call, phases, query, intent, known_context, constraints, expansion_budget, retrieval_mode
    )
    partial = None
    with corpus_errors():
        if not await _in_time(call, research, urls):
            partial = perf_counter() - began
        asked = Asked(expansion_budget, call.served_name("web.answer"), call.limits["evidence"])
        result = await told(research, asked, began, partial)
    return sent(call, result)


async def _research(
    call: Call[WebState],
    phases: Phases,
    query: str,
    intent: str | None,
    known: str | None,
    constraints: list[str] | None,
    steps: int | None,
    mode: str,
) -> Research:
    from .asking.decomposition import analyse
    from .asking.research import Research
    from .asking.searching import Searching
    from .asking.tuning import Tuning
    from .asking.wishes import Wishes

    began = perf_counter()
    analysis = analyse(query, intent)
    tuning = Tuning.of(call.state.settings)
    wishes = Wishes(analysis.kind, tuple(constraints or ()), known or "")
    searching = Searching(call.state.corpus, analysis, wishes)
    most = tuning.max_depth if steps is None else steps
    research = Research(call.state, tuning, searching, phases.tell, most, call.limits["response_tokens"], mode)
    research.timings_ms["analysis"] = (perf_counter() - began) * 1000
    return research


async def _in_time(call: Call[WebState], research: Research, urls: list[str]) -> bool:
    """Whether all was done. What was not is left out, unless there is nothing yet."""
    share, most = _SPARED
    seconds = max(0.05, call.deadline.remaining() - min(most, share * call.deadline.seconds))
    try:
        with warn_before_timeout(call.tool, seconds):
            async with asyncio.timeout(seconds):
                await _all(research, urls)
        return True
    except TimeoutError:
        log.error("tool=%s timed out pages=%d", call.tool, len(research.pages))
        if not research.pages:
            raise _timed_out(call) from None
    await research.end_early()
    return False


async def _all(research: Research, urls: list[str]) -> None:
    await research.open(urls)
    if not research.pages:
        error = nothing_read(research.failed)
        log.error("tool=web.answer failed code=%s pages=%d", error.code, len(research.failed))
        raise error
    await research.told(_decomposed(research))
    await research.run()


def _decomposed(research: Research) -> str:
    return f"Analyzing query — decomposed into {len(research.searching.analysis.sub_queries)} sub-queries"


def _timed_out(call: Call[WebState]) -> ToolError:
    seconds = call.deadline.seconds
    message = f"No page could be read within {math.ceil(seconds)} s. Try fewer or faster pages."
    return ToolError("TIMEOUT", message, {"timeout_seconds": seconds}, retryable=True)
