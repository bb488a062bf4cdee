"""notes.link_context: the links to a note, or of it, each in the sentence it stands in."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from ..errors import provider_errors
from ..reading.looking import answer, look
from ..state import NotesState
from . import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wekadocs_mcp import Answer, Call

    from ..index import KeptVault


@tool("notes.link_context")
async def link_context(call: Call[NotesState], id: str, direction: str, limit: int, vault: str | None) -> Answer:
    opened = await look(call, vault)
    with provider_errors():
        rows = await asyncio.to_thread(_rows, opened.kept, id, direction)
    return answer(opened, {"results": rows[:limit], "total": len(rows)})


def _rows(kept: KeptVault, id: str, direction: str) -> list[dict[str, Any]]:
    with kept.turn:
        own = kept.vault.id_of(id)
        if own is None:
            return []
        sources = kept.vault.incoming.get(own, ()) if direction == "in" else (own,)
        return [row for source in sources for row in _of(kept, source, own if direction == "in" else None)]


def _of(kept: KeptVault, source: str, only: str | None) -> Iterator[dict[str, Any]]:
    note = kept.read(source)
    for link in note.links if note else ():
        target = kept.vault.resolve(link.target).id if link.target else source
        if not target or (only is not None and target != only):
            continue
        assert note is not None
        yield {
            "source": source,
            "target": target,
            "title": kept.vault.title_of(target),
            "fragment": link.fragment or None,
            "context": sentences.around(note.source, link.start, link.end),
            "line": sentences.line_of(note.source, link.start),
        }
