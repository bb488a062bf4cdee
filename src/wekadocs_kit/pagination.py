"""Cursors: opaque, bound to who asked and to the question whose answer goes on behind them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .handles import unknown_handle

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .handles import HandsOutPassages

ID_LETTERS = 28  # of an id or cursor: 131 random bits, nobody guesses one
PLACEHOLDER_CURSOR = "x" * ID_LETTERS  # as long as any: what an answer will be before there is one


def question_digest(call: Call[object], given: Mapping[str, object], state: object = None) -> str:
    """What a cursor belongs to: the tool, its scope, all arguments that make the list, and what else it depends on."""
    from wekadocs_corpus.model import digest

    return digest(call.tool, repr(call.scope), repr(state), json.dumps(given, sort_keys=True))


def cursor_for(call: Call[HandsOutPassages], question: str, rest: Any) -> str:
    """The same rest of the same answer has the same cursor: a repeated call is answered alike."""
    return call.state.scratch.add_page(call, question, rest)


def rest_behind(call: Call[HandsOutPassages], question: str, cursor: str, again: str = "") -> Any:
    """What the cursor stands for; refused if it is unknown, over, another's or another question's."""
    rest = call.state.scratch.page(call, question, cursor)
    if rest is None:
        raise unknown_handle(call, "cursor", again or call.tool)
    return rest
