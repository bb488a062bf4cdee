"""Lists within the tokens that a caller wants to spend and the bytes that an answer may have; the rest by a cursor."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wekadocs_kit import page_that_fits, question_digest, rest_behind
from wekadocs_mcp import to_json

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .state import ChunksState

Row = dict[str, Any]
Rows = Sequence[Row]
Found = tuple[Rows, Row]  # rows, and what stands beside them on every page
_PAGING = ("cursor", "max_tokens")  # what may change from page to page


async def listed(
    call: Call[ChunksState],
    name: str,
    find: Callable[[], Awaitable[Found]],
    cursor: str | None,
    max_tokens: int | None,
    *,
    counted: bool = True,
) -> Row:
    """A page of rows under this name: what `find` finds, or what is behind the cursor."""
    rows, beside = await rest_of(call, cursor) or await find()

    def show(some: Rows) -> Row:
        return {name: list(some), **({"count": len(some)} if counted else {}), **beside}

    return page(call, rows, beside, show, max_tokens)


async def rest_of(call: Call[ChunksState], cursor: str | None) -> Found | None:
    """The rows behind the cursor, with what stands beside them; None on the first page."""
    if cursor is None:
        return None
    rest = await rest_behind(call, _question(call), cursor)
    return rest["rows"], rest["beside"]


def page(
    call: Call[ChunksState],
    rows: Rows,
    beside: Mapping[str, Any],
    show: Callable[[Rows], Row],
    max_tokens: int | None,
) -> Row:
    """As many rows as fit; `show` is the answer with some of them, `beside` what later pages must know."""
    count = _within(max_tokens, rows, show)

    def whole(taken: int, cursor: str | None) -> Row:
        reason = "token_cap" if taken == count else "byte_cap"
        cut = {"partial": True, "limit_reason": reason, "next_cursor": cursor} if cursor is not None else {}
        return {**show(rows[:taken]), **cut}

    def rest(taken: int) -> Row | None:
        return {"rows": list(rows[taken:]), "beside": dict(beside)} if taken < len(rows) else None

    return page_that_fits(call, _question(call), count, whole, rest)


def _within(tokens: int | None, rows: Rows, show: Callable[[Rows], Row]) -> int:
    """How many rows these tokens are enough for; at least one."""
    if tokens is None or len(rows) < 2 or _cost(show(rows)) <= tokens:
        return len(rows)
    fit, over = 1, len(rows)
    while over - fit > 1:
        middle = (fit + over) // 2
        fit, over = (middle, over) if _cost(show(rows[:middle])) <= tokens else (fit, middle)
    return fit


def _cost(answer: Row) -> int:
    from wekadocs_tokens import count

    return count(to_json(answer).decode())


def _question(call: Call[ChunksState]) -> str:
    given = {name: value for name, value in call.arguments.items() if name not in _PAGING and value is not None}
    return question_digest(call, given)
