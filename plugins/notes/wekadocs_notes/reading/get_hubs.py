"""notes.get_hubs: the most central nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wekadocs_mcp import tool

from ..errors import provider_errors
from ..graph import hubs
from ..state import NotesState
from .looking import answer, look

if TYPE_CHECKING:
    from wekadocs_mcp import Answer, Call

    from ..graph.hubs import Metric


@tool("notes.get_hubs")
async def get_hubs(call: Call[NotesState], metric: Metric, limit: int, vault: str | None) -> Answer:
    opened = await look(call, vault)
    with provider_errors():
        titles = await opened.titles()
        found = await hubs(await opened.edges(), sorted(titles), metric, limit)
    rows = [{"id": id, "title": titles.get(id, id), "score": score} for id, score in found]
    return answer(opened, {"results": rows})
