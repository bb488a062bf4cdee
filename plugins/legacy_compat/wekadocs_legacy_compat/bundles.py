"""summarize_neighborhood and compute_context_bundle: titles, or texts, around some nodes, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from wekadocs_corpus import graph_queries as queries
from wekadocs_corpus import tokens
from wekadocs_mcp import to_json, tool

from .envelope import Row, enveloped, fitted, with_missing
from .sessions import session_of
from .state import graph_rows
from .texts import Text, row_of, text_of

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .state import LegacyState

_BULLETS = 5
_AROUND = 25  # neighbours looked at
_TEXT_BYTES = 16_384
_SAYING_SO = 10  # tokens: what is said of a cut, and longer numbers


@tool("summarize_neighborhood")
async def summarize_neighborhood(call: Call[LegacyState], node_ids: list[str], token_budget: int, **_: Any) -> Row:
    found = await graph_rows(call, queries.expand(call.state.corpus, call.scope, node_ids, page_size=_AROUND))
    session = session_of(call)
    empty = with_missing({"bullets": [], "citations": []}, found.not_found)
    room = TokenRoom(token_budget, enveloped(call, session, empty))
    rows = found.rows[:_BULLETS]
    bullets = [f"{row['title']} — {row['label']} (≈{row['tokens']} tokens)" for row in rows]
    affordable = list(takewhile(room.takes, zip(bullets, (row["id"] for row in rows), strict=True)))

    def show(taken: int) -> tuple[Row, str]:
        shown = {"bullets": bullets[:taken], "citations": [row["id"] for row in rows[:taken]]}
        reason = "byte_cap" if taken < len(affordable) else "token_cap" if taken < len(rows) else "none"
        return empty | shown, reason

    return fitted(call, session, len(affordable), show)


@tool("compute_context_bundle")
async def compute_context_bundle(
    call: Call[LegacyState], seeds: list[str], strategy: str, token_budget: int, **_: Any
) -> Row:
    known = await graph_rows(call, queries.describe(call.state.corpus, call.scope, seeds))
    around = await graph_rows(call, queries.expand(call.state.corpus, call.scope, seeds, page_size=_AROUND))
    session = session_of(call)

    def bundled(parts: Sequence[Part]) -> Row:
        bundle: Row = {"nodes": [], "snippets": [], "strategy": strategy}
        for part in parts:
            bundle[part.place].append(part.row)
        usage = {"tokens": sum(part.tokens for part in parts), "bytes": sum(part.bytes for part in parts)}
        return with_missing({"bundle": bundle, "usage": usage}, known.not_found)

    room = TokenRoom(token_budget, enveloped(call, session, bundled([])))
    parts, reason = await _parts(call, [*known.rows, *around.rows], room)

    def show(taken: int) -> tuple[Row, str]:
        return bundled(parts[:taken]), "byte_cap" if taken < len(parts) else reason

    return fitted(call, session, len(parts), show)


class TokenRoom:
    """What is left of a budget of tokens, counted as a model is charged for it: the whole answer, as JSON."""

    def __init__(self, budget: int, empty: Row) -> None:
        self.left = budget - _cost(empty) - _SAYING_SO

    def takes(self, row: object) -> bool:
        cost = _cost(row) + 1
        if cost > self.left:
            return False
        self.left -= cost
        return True


class Part(NamedTuple):
    """What goes into a bundle, and what it costs there."""

    place: str
    row: Row

    @property
    def tokens(self) -> int:
        return _cost(self.row) + 1

    @property
    def bytes(self) -> int:
        return len(to_json(self.row))


def _cost(row: object) -> int:
    return tokens.count(to_json(row).decode())


async def _parts(call: Call[LegacyState], nodes: Sequence[Row], room: TokenRoom) -> tuple[list[Part], str]:
    """Nodes, nearest first, each with its text, while they fit; the last text is cut. And why it ended early."""
    parts: list[Part] = []
    given: set[str] = set()
    for node in nodes:
        if not room.takes(node):
            return parts, "token_cap"
        parts.append(Part("nodes", node))
        found = await text_of(call, node["id"])
        if found is None or found.text in given:  # a section of one chunk has that chunk's text
            continue
        given.add(found.text)
        row = _fitted(node["id"], found, room)
        if row is None:
            return parts, "token_cap"
        parts.append(Part("snippets", row))
        if row["truncated"] and row["bytes"] < _TEXT_BYTES - 4:  # else it is only one very long text
            return parts, "token_cap"
    return parts, "none"


def _fitted(section_id: str, found: Text, room: TokenRoom) -> Row | None:
    """As much of a text as there is room for; in JSON it may take more tokens than as text."""
    most = room.left - _cost(row_of(section_id, found, 0))
    while most > 0:
        raw = found.text[: tokens.truncate(found.text, most)].encode("utf-8", "replace")
        row = row_of(section_id, found, min(_TEXT_BYTES, len(raw)))
        if room.takes(row):
            return row
        most = most * 9 // 10
    return None
