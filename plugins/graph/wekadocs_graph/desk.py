"""What the graph tools share: asking with errors a model can act on, cursors, and answers within their budget."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from wekadocs_corpus_plugin import telling
from wekadocs_mcp import ToolError
from wekadocs_scratch.scratch import Scratch, gone, owner_of
from wekadocs_scratch.store import LIKE_A_CURSOR

from .services import Found, Row

if TYPE_CHECKING:
    from wekadocs_corpus.corpus import Corpus

_PAGING = ("cursor", "page_size")  # what may change from page to page


@dataclass(frozen=True)
class Desk:
    """One per process."""

    corpus: Corpus
    scratch: Scratch


_INSTEAD = ("kb.search", "kb.retrieve_evidence")  # they answer without the graph


@contextmanager
def told(call: Any, instead: Sequence[str] = _INSTEAD, beside: dict[str, Any] | None = None) -> Iterator[None]:
    """What the graph refuses, as a caller can act on it; `beside` for those who look next to the error."""
    from wekadocs_corpus import stopping
    from wekadocs_corpus.graph.interface import BadQuestion, GraphUnavailable

    try:
        with telling.told(GraphUnavailable), stopping.by(call.deadline):
            yield
    except BadQuestion as error:
        raise ToolError("INVALID_ARGUMENT", str(error)) from error
    except GraphUnavailable as error:
        names = " or ".join(call.served_name(each) for each in instead)
        message = f"The graph cannot be asked now: {error}. Without it, use {names}."
        raise ToolError(
            "BACKEND_UNAVAILABLE", message, {"neo4j_disabled": True}, retryable=True, beside=beside
        ) from error


def skipped(call: Any, cursor: str | None) -> int:
    """How many rows the pages before this one had."""
    if cursor is None:
        return 0
    rest = call.state.scratch.store.page(cursor, owner_of(call), _binding(call))
    if rest is None:
        raise gone(call, "cursor", call.tool)
    return int(rest["skip"])


def next_cursor(call: Any, skip: int) -> str:
    cursor: str = call.state.scratch.store.add_page(owner_of(call), _binding(call), {"skip": skip})
    return cursor


def _binding(call: Any) -> str:
    """What a cursor belongs to: the tool, its scope, and all that makes the list, the state of the documents too."""
    from wekadocs_corpus.model import digest

    given = {name: value for name, value in call.arguments.items() if name not in _PAGING and value is not None}
    state = call.state.corpus.truth.sequence()
    return digest(call.tool, repr(call.scope), str(state), json.dumps(given, sort_keys=True))


Show = Callable[[int], Row]  # how many → the fields that hold them


def first_of(name: str, rows: Sequence[Row]) -> Show:
    return lambda taken: {name: list(rows[:taken])}


def nested(rows: Sequence[Row], name: str) -> tuple[int, Show]:
    """Rows with lists in them: what is counted is their items, so that a long row can be cut."""
    ends = list(accumulate(max(1, len(row[name])) for row in rows))

    def show(taken: int) -> Row:
        shown = bisect_left(ends, taken) + 1 if taken else 0
        results = [dict(row) for row in rows[:shown]]
        if results:
            before = ends[shown - 2] if shown > 1 else 0
            results[-1][name] = results[-1][name][: taken - before]
        return {"results": results}

    return ends[-1] if ends else 0, show


async def answer(call: Any, found: Found, show: Show, count: int) -> Row:
    """As much of what was found as there is room for, what was not found, and whether something is missing and why."""
    await _refuse_when_empty(call, found)

    def whole(taken: int) -> Row:
        return {**show(taken), **_limits(found, cut=taken < count)}

    return whole(call.budget.most(count, whole))


async def page(call: Any, found: Found, show: Show, count: int, skip: int) -> Row:
    """An answer with the cursor of what follows."""
    await _refuse_when_empty(call, found)

    def whole(taken: int, cursor: str = LIKE_A_CURSOR) -> Row:
        more = found.more or taken < count
        return {**show(taken), "next_cursor": cursor if more else None, **_limits(found, cut=taken < count)}

    taken = call.budget.most(count, whole)
    return whole(taken, next_cursor(call, skip + taken)) if found.more or taken < count else whole(taken)


async def _refuse_when_empty(call: Any, found: Found) -> None:
    if found.not_found and not found.rows:
        await telling.refuse_when_empty(call.state.corpus, call.scope)


def _limits(found: Found, *, cut: bool) -> Row:
    reason = "byte_cap" if cut else "page_size" if found.more else "node_cap" if found.truncated else "none"
    return {"not_found": found.not_found, "partial": reason != "none", "limit_reason": reason}
