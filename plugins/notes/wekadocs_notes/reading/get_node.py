"""notes.get_node: one note, with what is around it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple

from wekadocs_mcp import tool

from ..errors import provider_errors
from ..state import NotesState
from . import shown
from .fitting import listing
from .looking import answer, look

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wekadocs_mcp import Answer, Call

    from ..graph import Edges
    from ..index import KeptVault

_MOST_NEIGHBOURS = 20


@tool("notes.get_node")
async def get_node(call: Call[NotesState], id: str, depth: int, vault: str | None) -> Answer:
    opened = await look(call, vault)
    with provider_errors():
        found = await asyncio.to_thread(node_with_hash, opened.kept, id)
        if found is not None and "hash" in found:
            await asyncio.to_thread(call.state.reads.note, call, opened.kept.key, found["id"], found["hash"])
    if found is None:
        return answer(opened, {"node": None})
    if not depth:
        return await listing(call, opened, [found], lambda rows: {"node": rows[0]})
    with provider_errors():
        around = await _around(opened.kept, await opened.edges(), found["id"])
    return await listing(call, opened, around.nodes, lambda rows: {"node": {**found, **_context(around, rows)}})


def node_with_hash(kept: KeptVault, id: str) -> dict[str, Any] | None:
    """By its id in any case."""
    with kept.turn:
        own = kept.vault.id_of(id)
        found = shown.node(kept, own, shown.PRIMARY) if own is not None else None
        known = kept.vault.notes.get(own) if own is not None else None
        return {**found, "hash": known.hash} if found is not None and known is not None else found


class _Around(NamedTuple):
    outgoing: Sequence[str]
    incoming: Sequence[str]
    nodes: list[dict[str, Any]]  # as many of both as are shown


async def _around(kept: KeptVault, edges: Edges, id: str) -> _Around:
    outgoing = (await edges.ends([id], "out")).get(id, ())
    incoming = (await edges.ends([id], "in")).get(id, ())
    wanted = list(dict.fromkeys([*outgoing[:_MOST_NEIGHBOURS], *incoming[:_MOST_NEIGHBOURS]]))
    return _Around(outgoing, incoming, await shown.listed(kept, wanted, shown.NEIGHBOUR))


def _context(around: _Around, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    nodes, both = {node["id"]: node for node in rows}, {*around.outgoing} & {*around.incoming}

    def told(ids: Sequence[str], direction: str) -> list[dict[str, Any]]:
        some = [nodes[each] for each in ids[:_MOST_NEIGHBOURS] if each in nodes]
        return [{**node, "direction": "both" if node["id"] in both else direction} for node in some]

    out, inward = told(around.outgoing, "out"), told(around.incoming, "in")
    first = {node["id"] for node in out}
    return {
        "incomingCount": len(around.incoming),
        "outgoingCount": len(around.outgoing),
        "neighbors": [*out, *(node for node in inward if node["id"] not in first)][:_MOST_NEIGHBOURS],
        "incomingNeighbors": inward,
        "outgoingNeighbors": out,
    }
