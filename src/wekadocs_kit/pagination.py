"""Cursors: opaque, bound to who asked and to the question whose answer goes on behind them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from .handles import unknown_handle

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .handles import HandsOutPassages
    from .row_budget import Row

ID_LETTERS = 28  # of an id or cursor: 131 random bits, nobody guesses one
PLACEHOLDER_CURSOR = "x" * ID_LETTERS  # as long as any: what an answer will be before there is one


def question_digest(call: Call[object], given: Mapping[str, object], state: object = None) -> str:
    """What a cursor belongs to: the tool, its scope, all arguments that make the list, and what else it depends on."""
    from wekadocs_corpus import digest

    return digest(call.tool, repr(call.scope), repr(state), json.dumps(given, sort_keys=True))


ShowPage = Callable[[int, str | None], dict[str, Any]]  # how many, the cursor of what follows → the whole answer


def page_that_fits(
    call: Call[HandsOutPassages], question: str, count: int, show: ShowPage, rest: Callable[[int], object]
) -> Row:
    """As many of `count` rows as there is room for, with the cursor of what follows.

    `rest(n)` is what is kept for the pages after n of them, anything JSON can carry; None where nothing follows.
    """

    def whole(taken: int) -> Row:
        return show(taken, None if rest(taken) is None else PLACEHOLDER_CURSOR)

    taken = call.budget.most(count, whole)
    behind = rest(taken)
    return show(taken, None if behind is None else cursor_for(call, question, behind))


def cursor_for(call: Call[HandsOutPassages], question: str, rest: object) -> str:
    """The same rest of the same answer has the same cursor: a repeated call is answered alike."""
    return call.state.scratch.add_page(call, question, rest)


async def rest_behind(call: Call[HandsOutPassages], question: str, cursor: str, again: str = "") -> Any:
    """What the cursor stands for; refused if it is unknown, over, another's or another question's."""
    rest = await call.state.scratch.page(call, question, cursor)
    if rest is None:
        raise unknown_handle(call, "cursor", again or call.tool)
    return rest
