"""notes.find_path: the shortest way from one node to another, along its links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wekadocs_mcp import tool

from ..errors import provider_errors
from ..graph import path
from ..state import NotesState
from .looking import answer, look

if TYPE_CHECKING:
    from wekadocs_mcp import Answer, Call


@tool("notes.find_path")
async def find_path(call: Call[NotesState], source: str, target: str, vault: str | None) -> Answer:
    opened = await look(call, vault)
    start, end = await opened.id_of(source), await opened.id_of(target)
    found = None
    if start is not None and end is not None:
        with provider_errors():
            found = await path(await opened.edges(), start, end)
    return answer(opened, {"path": {"path": found, "length": len(found) - 1} if found else None})
