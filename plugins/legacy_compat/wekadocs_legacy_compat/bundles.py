"""summarize_neighborhood and compute_context_bundle: titles, or texts, around some nodes, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wekadocs_corpus import tokens
from wekadocs_graph import services
from wekadocs_mcp import tool
from wekadocs_mcp.budgets import to_json

from .desk import Row, asked, enveloped, with_missing
from .sessions import session_of
from .texts import Text, row_of, text_of

_BULLETS = 5
_AROUND = 25  # neighbours looked at
_TEXT_BYTES = 16_384
_SAYING_SO = 10  # tokens: what is said of a cut, and longer numbers


@tool("summarize_neighborhood")
async def summarize_neighborhood(call: Any, node_ids: list[str], token_budget: int, **_: Any) -> Row:
    found = await asked(call, services.expand(call.state.corpus, call.scope, node_ids, page_size=_AROUND))
    session = session_of(call)
    payload = with_missing({"bullets": [], "citations": []}, found.not_found)
    room = Room(token_budget, enveloped(call, session, payload))
    for row in found.rows[:_BULLETS]:
        bullet = f"{row['title']} — {row['label']} (≈{row['tokens']} tokens)"
        if not room.takes([bullet, row["id"]]):
            return enveloped(call, session, payload, "token_cap")
        payload["bullets"].append(bullet)
        payload["citations"].append(row["id"])
    return enveloped(call, session, payload)


@tool("compute_context_bundle")
async def compute_context_bundle(call: Any, seeds: list[str], strategy: str, token_budget: int, **_: Any) -> Row:
    known = await asked(call, services.describe(call.state.corpus, call.scope, seeds))
    around = await asked(call, services.expand(call.state.corpus, call.scope, seeds, page_size=_AROUND))
    session = session_of(call)
    bundle: Row = {"nodes": [], "snippets": [], "strategy": strategy}
    payload = with_missing({"bundle": bundle, "usage": {"tokens": 0, "bytes": 0}}, known.not_found)
    room = Room(token_budget, enveloped(call, session, payload))
    reason = await _fill(call, bundle, [*known.rows, *around.rows], room)
    payload["usage"] = {"tokens": room.spent, "bytes": room.spent_bytes}
    return enveloped(call, session, payload, reason)


class Room:
    """What is left of a budget of tokens, counted as a model is charged for it: the whole answer, as JSON."""

    def __init__(self, budget: int, empty: Row) -> None:
        self.left = budget - _cost(empty) - _SAYING_SO
        self.spent = self.spent_bytes = 0

    def takes(self, row: Any) -> bool:
        cost = _cost(row) + 1
        if cost > self.left:
            return False
        self.left -= cost
        self.spent += cost
        self.spent_bytes += len(to_json(row))
        return True


def _cost(row: Any) -> int:
    return tokens.count(to_json(row).decode())


async def _fill(call: Any, bundle: Row, nodes: Sequence[Row], room: Room) -> str:
    """Nodes, nearest first, each with its text, while they fit; the last text is cut. Tells why it ended early."""
    given: set[str] = set()
    for node in nodes:
        if not call.budget.fits(node):
            return "byte_cap"
        if not room.takes(node):
            return "token_cap"
        bundle["nodes"].append(node)
        found = await text_of(call, node["id"])
        if found is None or found.text in given:  # a section of one chunk has that chunk's text
            continue
        given.add(found.text)
        row = _fitted(node["id"], found, room)
        if row is None:
            return "token_cap"
        if not call.budget.fits(row):
            return "byte_cap"
        bundle["snippets"].append(row)
        if row["truncated"] and row["bytes"] < _TEXT_BYTES - 4:  # else it is only one very long text
            return "token_cap"
    return "none"


def _fitted(section_id: str, found: Text, room: Room) -> Row | None:
    """As much of a text as there is room for; in JSON it may take more tokens than as text."""
    most = room.left - _cost(row_of(section_id, found, 0))
    while most > 0:
        raw = found.text[: tokens.truncate(found.text, most)].encode("utf-8", "replace")
        row = row_of(section_id, found, min(_TEXT_BYTES, len(raw)))
        if room.takes(row):
            return row
        most = most * 9 // 10
    return None
