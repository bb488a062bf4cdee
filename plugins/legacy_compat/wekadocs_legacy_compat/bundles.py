"""summarize_neighborhood and compute_context_bundle: titles, or texts, around some nodes, within a budget of tokens."""

from __future__ import annotations

from typing import Any

from wekadocs_corpus import tokens
from wekadocs_graph import services
from wekadocs_mcp import tool

from .desk import Row, enveloped, told, with_missing
from .sessions import session_of
from .texts import row_of, text_of

_BULLETS = 5
_AROUND = 25  # neighbours looked at
_TEXT_BYTES = 16_384
_BYTES_PER_TOKEN = 4


@tool("summarize_neighborhood")
async def summarize_neighborhood(call: Any, node_ids: list[str], token_budget: int, **_: Any) -> Row:
    with told(call):
        found = await services.expand(call.state.corpus, call.scope, node_ids, page_size=_AROUND)
    bullets: list[str] = []
    spent = 0
    for row in found.rows[:_BULLETS]:
        bullet = f"{row['title']} — {row['label']} (≈{row['tokens']} tokens)"
        spent += tokens.count(bullet)
        if spent > token_budget:
            break
        bullets.append(bullet)
    short = len(bullets) < min(_BULLETS, len(found.rows))
    payload = {"bullets": bullets, "citations": [row["id"] for row in found.rows[: len(bullets)]]}
    return enveloped(call, session_of(call), with_missing(payload, found.not_found), "token_cap" if short else "none")


@tool("compute_context_bundle")
async def compute_context_bundle(call: Any, seeds: list[str], strategy: str, token_budget: int, **_: Any) -> Row:
    with told(call):
        known = await services.describe(call.state.corpus, call.scope, seeds)
        around = await services.expand(call.state.corpus, call.scope, seeds, page_size=_AROUND)
    nodes = [row for row in [*known.rows, *around.rows] if call.budget.fits(row)]
    snippets, reason = await _texts(call, [row["id"] for row in nodes], token_budget)
    shown = "".join(row["text_truncated"] for row in snippets)
    payload = {
        "bundle": {"nodes": nodes, "snippets": snippets, "strategy": strategy},
        "usage": {"tokens": tokens.count(shown), "bytes": len(shown.encode())},
    }
    return enveloped(call, session_of(call), with_missing(payload, known.not_found), reason)


async def _texts(call: Any, ids: list[str], token_budget: int) -> tuple[list[Row], str]:
    """Whole texts, nearest first, while they fit; the last one is cut."""
    rows: list[Row] = []
    given: set[str] = set()
    left = token_budget
    for each in ids:
        found = await text_of(call, each)
        if found is None or found.text in given:  # a section of one chunk has that chunk's text
            continue
        given.add(found.text)
        most = min(_TEXT_BYTES, left * _BYTES_PER_TOKEN, len(found.text[: tokens.truncate(found.text, left)].encode()))
        row = row_of(each, found, most)
        if most == 0:
            return rows, "token_cap"
        if not call.budget.fits(row):
            return rows, "byte_cap"
        rows.append(row)
        left -= tokens.count(row["text_truncated"])
        if row["truncated"] and most < _TEXT_BYTES:
            return rows, "token_cap"
    return rows, "none"
