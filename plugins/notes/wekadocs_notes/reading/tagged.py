"""notes.search_by_tags and notes.random_node: notes by the tags they have."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING

from wekadocs_mcp import tool

from ..state import NotesState
from ..vault.tags import matches, wanted_key
from . import shown
from .fitting import listing
from .looking import answer, look

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wekadocs_mcp import Answer, Call

    from ..index import KeptVault
    from ..vault import Known


@tool("notes.search_by_tags")
async def search_by_tags(call: Call[NotesState], tags: list[str], mode: str, limit: int, vault: str | None) -> Answer:
    opened = await look(call, vault)
    ids = await asyncio.to_thread(tagged, opened.kept, tags, mode)
    rows = await shown.listed(opened.kept, ids[:limit])
    return await listing(call, opened, rows, lambda some: {"results": some})


@tool("notes.random_node")
async def random_node(call: Call[NotesState], tags: list[str] | None, vault: str | None) -> Answer:
    """Ghosts are none; a note that nothing links to is."""
    opened = await look(call, vault)
    ids = await asyncio.to_thread(tagged, opened.kept, tags or [], "any")
    while ids:
        id = ids.pop(secrets.randbelow(len(ids)))
        if found := await shown.listed(opened.kept, [id], shown.PRIMARY):
            return await listing(call, opened, found, lambda some: {"node": some[0]})
    return answer(opened, {"node": None})


def tagged(kept: KeptVault, tags: Sequence[str], mode: str) -> list[str]:
    """Notes with any or all of these tags, by id; all notes where none is asked for."""
    wanted = [wanted_key(tag) for tag in tags]
    with kept.turn:
        return sorted(note.id for note in kept.vault.notes.values() if has_tags(note, wanted, mode))


def has_tags(note: Known, wanted: Iterable[str], mode: str) -> bool:
    asked = list(wanted)
    own = [wanted_key(tag) for tag in note.tags] if asked else []
    found = (any(matches(tag, each) for tag in own) for each in asked)
    return (all(found) if mode == "all" else any(found)) if asked else True
