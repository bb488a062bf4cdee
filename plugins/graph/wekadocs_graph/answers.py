"""The graph tools' answers within their budget: all rows, or a page with the cursor of what follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wekadocs_corpus import GraphRows, Row
from wekadocs_kit import (
    Scratch,
    Show,
    as_many_as_fit,
    limit_reason,
    page_that_fits,
    question_digest,
    refuse_when_empty,
    rest_behind,
)

if TYPE_CHECKING:
    from wekadocs_corpus import Corpus
    from wekadocs_mcp import Call

_PAGING = ("cursor", "page_size")  # what may change from page to page


@dataclass(frozen=True)
class GraphState:
    """What the plugin's tools share; one per process."""

    corpus: Corpus
    scratch: Scratch


async def skipped(call: Call[GraphState], cursor: str | None) -> int:
    """How many rows the pages before this one had."""
    return 0 if cursor is None else int((await rest_behind(call, _question(call), cursor))["skip"])


def _question(call: Call[GraphState]) -> str:
    """Rows are counted from the first one on: once the documents have changed, a cursor points nowhere."""
    given = {name: value for name, value in call.arguments.items() if name not in _PAGING and value is not None}
    return question_digest(call, given, call.state.corpus.truth.sequence())


async def answer(call: Call[GraphState], found: GraphRows, show: Show, count: int) -> Row:
    """As much of what was found as there is room for, what was not found, and whether something is missing and why."""
    await _refuse_when_empty(call, found)
    return as_many_as_fit(call, count, lambda taken: {**show(taken), **_limits(found, cut=taken < count)})


async def page(call: Call[GraphState], found: GraphRows, show: Show, count: int, skip: int) -> Row:
    """An answer with the cursor of what follows."""
    await _refuse_when_empty(call, found)

    def whole(taken: int, cursor: str | None) -> Row:
        return {**show(taken), "next_cursor": cursor, **_limits(found, cut=taken < count)}

    def rest(taken: int) -> Row | None:
        return {"skip": skip + taken} if found.more or taken < count else None

    return page_that_fits(call, _question(call), count, whole, rest)


async def _refuse_when_empty(call: Call[GraphState], found: GraphRows) -> None:
    if found.not_found and not found.rows:
        await refuse_when_empty(call.state.corpus, call.scope)


def _limits(found: GraphRows, *, cut: bool) -> Row:
    reason = limit_reason(cut=cut, more=found.more, truncated=found.truncated)
    return {"not_found": found.not_found, "partial": reason != "none", "limit_reason": reason}
