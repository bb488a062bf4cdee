"""What the graph tools share: asking with errors a model can act on, cursors, and answers within their budget."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wekadocs_corpus_plugin import telling
from wekadocs_mcp import ToolError
from wekadocs_scratch.scratch import Scratch, gone, owner_of

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


def fitting(call: Any, rows: Sequence[Row]) -> list[Row]:
    """As many rows as the answer has room for."""
    taken: list[Row] = []
    for row in rows:
        if not call.budget.fits(row):
            break
        taken.append(row)
    return taken


async def answer(call: Any, found: Found, name: str, rows: Sequence[Row], **beside: Any) -> Row:
    """Rows under their name, what could not be found, and whether something is missing and why."""
    if found.not_found and not found.rows:
        await telling.refuse_when_empty(call.state.corpus, call.scope)
    cut = len(rows) < len(found.rows)
    if cut and not rows:
        raise ToolError("BUDGET_EXCEEDED", "One row is larger than an answer may be: leave out include_snippet.")
    reason = "byte_cap" if cut else "page_size" if found.more else "node_cap" if found.truncated else "none"
    return {
        name: list(rows),
        **beside,
        "not_found": found.not_found,
        "partial": reason != "none",
        "limit_reason": reason,
    }


async def page(call: Any, found: Found, name: str, rows: Sequence[Row], skip: int, **beside: Any) -> Row:
    """An answer with the cursor of what follows."""
    more = found.more or len(rows) < len(found.rows)
    return await answer(
        call, found, name, rows, **beside, next_cursor=next_cursor(call, skip + len(rows)) if more else None
    )
