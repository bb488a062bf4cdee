"""chunks.delete_chunks: documents or single chunks out of a project, all at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_kit import as_many_as_fit
from wekadocs_mcp import tool

from ..errors import invalid
from ..state import ChunksState, Doing, after_writing, in_thread, told, until

if TYPE_CHECKING:
    from wekadocs_mcp import Call


@tool("chunks.delete_chunks")
async def delete_chunks(
    call: Call[ChunksState], project: str, docs: list[str] | None, ids: list[str] | None
) -> dict[str, Any]:
    call.state.project(project)
    if not docs and not ids:
        raise invalid("Name what to delete: docs (ids of documents) or ids (of chunks).", path="/docs")
    collections = call.state.collections
    with told(call, project, Doing("deleting"), writes=True):
        count, absent = await in_thread(call, lambda: collections.delete(project, docs or [], ids or [], until(call)))
    await collections.publish(project, after_writing(call))

    def show(taken: int) -> dict[str, Any]:
        told_of = {"not_found": absent[:taken]} if absent else {}
        return {
            "chunks_deleted": count,
            "project": project,
            **told_of,
            **({"partial": True} if taken < len(absent) else {}),
        }

    return as_many_as_fit(call, len(absent), show, least=0)
