"""notes.search: notes by meaning and words, or by an exact text."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from ..errors import invalid, provider_error, provider_errors
from ..index import FoundNote
from ..state import NotesState, OpenVault
from ..vault.model import name_key
from ..vault.tags import wanted_key
from . import shown
from .exact import exact_matches
from .fitting import listing
from .looking import look
from .tagged import has_tags

if TYPE_CHECKING:
    from collections.abc import Callable

    from wekadocs_mcp import Answer, Call

_SHARE = 0.6  # of the call's time that is given to notes not yet taken in


@tool("notes.search")
async def search(
    call: Call[NotesState],
    query: str,
    limit: int,
    mode: str,
    threshold: float,
    tags: list[str] | None,
    path: str | None,
    include_passage: bool,
    vault: str | None,
) -> Answer:
    if not query.strip():
        raise invalid("query is blank: say what to look for.", path="/query")
    opened = await look(call, vault)
    wanted = _wanted(opened, tags, path)
    with provider_errors():
        if mode == "exact":
            found, missing = await asyncio.to_thread(exact_matches, opened.kept, query, limit, wanted), 0
        else:
            among = await asyncio.to_thread(_among, opened, wanted) if tags or path else None
            found, missing = await _by_meaning(call, opened, query, limit, wanted, among)
    rows = await _rows(opened, [each for each in found if each.score >= threshold and each.score > 0], include_passage)
    some = f"Index incomplete: {missing} notes are not searched yet; ask again in a while"
    return await listing(call, opened, rows, lambda found: {"results": found}, *([some] if missing else ()))


async def _by_meaning(
    call: Call[NotesState],
    opened: OpenVault,
    query: str,
    limit: int,
    wanted: Callable[[str], bool],
    among: list[str] | None,
) -> tuple[list[FoundNote], int]:
    if opened.finder is None:
        raise provider_error("Search by meaning is off: plugins.notes.embedding is none in tools.yaml.")
    missing = await opened.finder.catch_up(_SHARE * call.deadline.remaining())
    return await opened.finder.search(query, limit, wanted, among), missing


def _among(opened: OpenVault, wanted: Callable[[str], bool]) -> list[str]:
    with opened.kept.turn:
        return [id for id in opened.kept.vault.notes if wanted(id)]


def _wanted(opened: OpenVault, tags: list[str] | None, path: str | None) -> Callable[[str], bool]:
    keys, begin = [wanted_key(tag) for tag in tags or []], name_key(path or "")
    notes = opened.kept.vault.notes

    def wanted(id: str) -> bool:
        note = notes.get(id)
        return note is not None and name_key(id).startswith(begin) and has_tags(note, keys, "any")

    return wanted


async def _rows(opened: OpenVault, found: list[FoundNote], include_passage: bool) -> list[dict[str, Any]]:
    by_id = {each.id: each for each in found}
    nodes = await shown.listed(opened.kept, by_id)
    rows = [{**node, "score": by_id[node["id"]].score} for node in nodes]
    if include_passage:
        texts = await asyncio.to_thread(_passages, opened, found)
        rows = [{**row, "passage": texts[row["id"]]} for row in rows]
    return rows


def _passages(opened: OpenVault, found: list[FoundNote]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for each in found:
        now = opened.kept.content(each.id)
        whole = now[1] if now else ""
        texts[each.id] = shown.cut(whole[each.start : each.end].strip() if each.start >= 0 else "", shown.LISTED)
    return texts
