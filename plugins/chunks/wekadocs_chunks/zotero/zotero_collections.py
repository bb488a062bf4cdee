"""chunks.zotero_collections: the collections of a project's Zotero library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from ..pages import Rows, page, rest_of
from .asking import look

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wekadocs_mcp import Call

    from ..state import ChunksState


@tool("chunks.zotero_collections")
async def zotero_collections(
    call: Call[ChunksState], project: str, cursor: str | None, max_tokens: int | None
) -> dict[str, Any]:
    call.state.project(project)
    if rest := rest_of(call, cursor):
        return _page(call, *rest, max_tokens)
    rows = await look(call, project, lambda library: [vars(each) for each in library.collections])
    return _page(call, rows, {}, max_tokens)


def _page(call: Call[ChunksState], rows: Rows, beside: Mapping[str, Any], max_tokens: int | None) -> dict[str, Any]:
    return page(call, rows, beside, lambda some: {"collections": list(some), "count": len(some)}, max_tokens)
