"""notes.get_neighbors: what a node links to, and what links to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wekadocs_mcp import tool

from ..errors import provider_errors
from ..state import NotesState
from . import shown
from .fitting import listing
from .looking import look

if TYPE_CHECKING:
    from wekadocs_mcp import Answer, Call


@tool("notes.get_neighbors")
async def get_neighbors(call: Call[NotesState], id: str, direction: str, limit: int, vault: str | None) -> Answer:
    opened = await look(call, vault)
    own = await opened.id_of(id)
    ids: list[str] = []
    with provider_errors():
        edges = await opened.edges()
        if own is not None and direction in ("out", "both"):
            ids += (await edges.ends([own], "out")).get(own, ())
        if own is not None and direction in ("in", "both"):
            ids += (await edges.ends([own], "in")).get(own, ())
    rows = await shown.listed(opened.kept, list(dict.fromkeys(ids))[:limit])
    return await listing(call, opened, rows, lambda some: {"results": some})
