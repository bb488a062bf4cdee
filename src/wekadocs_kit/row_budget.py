"""Rows while they fit: as many as an answer has bytes for, and why it is not all of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wekadocs_mcp import Call

Row = dict[str, Any]
Show = Callable[[int], Row]  # how many → the fields that hold them


def as_many_as_fit(call: Call[object], count: int, show: Show, least: int = 1) -> Row:
    """The answer with as many of `count` things as there is room for; `show(n)` is the whole of it with n of them."""
    return show(call.budget.most(count, show, least))


def first_rows(name: str, rows: Sequence[Row]) -> Show:
    """The first of the rows, under this name."""
    return lambda taken: {name: list(rows[:taken])}


def nested_rows(rows: Sequence[Row], name: str) -> tuple[int, Show]:
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


def limit_reason(*, cut: bool, more: bool = False, truncated: bool = False) -> str:
    """Why an answer is not everything: no room for all rows, another page follows, or not all was looked at."""
    return "byte_cap" if cut else "page_size" if more else "node_cap" if truncated else "none"
