"""notes.local_graph: what is around a node, nodes and edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from ..errors import provider_errors
from ..graph import Around, around
from ..reading.fitting import as_many
from ..reading.looking import look
from ..state import NotesState

if TYPE_CHECKING:
    from wekadocs_mcp import Answer, Call

    from ..graph.edges import Way

_NOTHING = Around({}, [], False)


@tool("notes.local_graph")
async def local_graph(
    call: Call[NotesState], id: str, depth: int, direction: str, limit: int, vault: str | None
) -> Answer:
    opened = await look(call, vault)
    own, found = await opened.id_of(id), _NOTHING
    ways: list[Way] = ["out", "in"] if direction == "both" else ["in"] if direction == "in" else ["out"]
    with provider_errors():
        if own is not None:
            found = await around(await opened.edges(), own, depth, ways, limit)
    titles, ghosts = await opened.titles(), opened.kept.vault.ghosts
    nodes: list[dict[str, Any]] = [
        {"id": node, "title": titles.get(node, node), "distance": distance, "ghost": node in ghosts}
        for node, distance in found.distances.items()
    ]
    edges = [{"source": source, "target": target} for source, target in found.edges]

    def first(count: int) -> dict[str, Any]:
        return {"nodes": nodes[:count], "edges": edges[: max(0, count - len(nodes))], "truncated": found.is_cut}

    return as_many(call, opened, len(nodes) + len(edges), first)
