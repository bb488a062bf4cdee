"""notes.link_context: the links to a note, or of it, each in the sentence it stands in."""

from __future__ import annotations

import asyncio
from itertools import islice
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from ..errors import provider_errors
from ..reading.fitting import as_many
from ..reading.looking import look
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
        rows, notes = await asyncio.to_thread(_rows, opened.kept, id, direction, limit)
    return as_many(call, opened, len(rows), lambda count: {"results": rows[:count], "notes": notes})


def _rows(kept: KeptVault, id: str, direction: str, limit: int) -> tuple[list[dict[str, Any]], int]:
    """As many as are asked for, and how many notes have links: no more of them are read."""
    with kept.turn:
        own = kept.vault.id_of(id)
        if own is None:
            return [], 0
        sources = kept.vault.incoming.get(own, ()) if direction == "in" else (own,)
        rows = (row for source in sources for row in _of(kept, source, own if direction == "in" else None))
        return list(islice(rows, limit)), len(sources)


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
