"""chunks.zotero_collections: the collections of a project's Zotero library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from ..pages import Found, listed
from .asking import look

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from ..state import ChunksState


@tool("chunks.zotero_collections")
async def zotero_collections(
    call: Call[ChunksState], project: str, cursor: str | None, max_tokens: int | None
) -> dict[str, Any]:
    call.state.project(project)

    async def find() -> Found:
        return await look(call, project, lambda library: [vars(each) for each in library.collections]), {}

    return await listed(call, "collections", find, cursor, max_tokens)
