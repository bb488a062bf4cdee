"""notes.list_nodes: the nodes of a vault, filtered, a page at a time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from ..reading import shown
from ..reading.fitting import as_many
from ..reading.looking import look
from ..state import NotesState
from .filters import Wanted, is_orphan

if TYPE_CHECKING:
    from wekadocs_mcp import Answer, Call

    from ..index import KeptVault


@tool("notes.list_nodes")
async def list_nodes(
    call: Call[NotesState],
    tag: str | None,
    path: str | None,
    title: str | None,
    where: list[dict[str, Any]] | None,
    ghosts: str,
    orphans: str,
    properties: bool,
    limit: int,
    offset: int,
    vault: str | None,
) -> Answer:
    wanted = Wanted(tag, path, title, where or ())
    wanted.check()
    opened = await look(call, vault)
    ids = await asyncio.to_thread(_ids, opened.kept, wanted, ghosts, orphans)
    rows = [_row(opened.kept, id, properties) for id in ids[offset : offset + limit]]
    return as_many(call, opened, len(rows), lambda count: {"nodes": rows[:count], "total": len(ids)})


def _ids(kept: KeptVault, wanted: Wanted, ghosts: str, orphans: str) -> list[str]:
    """By id; ghosts behind the notes."""
    with kept.turn:
        vault = kept.vault
        notes = sorted(id for id, note in vault.notes.items() if wanted.holds(note)) if ghosts != "only" else []
        if orphans != "include":
            notes = [id for id in notes if is_orphan(vault, id) == (orphans == "only")]
        with_ghosts = ghosts != "exclude" and orphans != "only" and not wanted.is_for_notes
        name = (wanted.title or "").casefold()
        found = sorted(vault.ghosts.values(), key=lambda each: each.title) if with_ghosts else []
        return notes + [each.id for each in found if name in each.title.casefold()]


def _row(kept: KeptVault, id: str, properties: bool) -> dict[str, Any]:
    note = kept.vault.notes.get(id)
    said = {**shown.tags(note), "properties": note.properties} if note and properties else {}
    return {"id": id, "title": kept.vault.title_of(id), **said}
