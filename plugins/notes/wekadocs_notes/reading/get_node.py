"""notes.get_node: one note, with what is around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from ..errors import provider_errors
from ..state import NotesState
from . import shown

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from ..index import KeptVault

_MOST_NEIGHBOURS = 20


@tool("notes.get_node")
def get_node(call: Call[NotesState], id: str, depth: int, vault: str | None) -> dict[str, Any]:
    with provider_errors():
        kept = call.state.vault(vault)
        kept.look()
        return {"node": found(kept, id, depth)}


def found(kept: KeptVault, id: str, depth: int) -> dict[str, Any] | None:
    own = kept.vault.id_of(id)
    node = shown.node(kept, own, shown.PRIMARY) if own is not None else None
    if own is None or node is None:
        return None
    known = kept.vault.notes.get(own)
    if known is not None:
        node["hash"] = known.hash
    return {**node, **_context(kept, own)} if depth else node


def _context(kept: KeptVault, id: str) -> dict[str, Any]:
    outgoing, incoming = kept.vault.outgoing.get(id, ()), kept.vault.incoming.get(id, ())
    both = set(outgoing) & set(incoming)

    def shown_as(ids: tuple[str, ...], direction: str) -> list[dict[str, Any]]:
        some = [(each, shown.node(kept, each, shown.NEIGHBOUR)) for each in ids[:_MOST_NEIGHBOURS]]
        return [{**node, "direction": "both" if each in both else direction} for each, node in some if node]

    out, inward = shown_as(outgoing, "out"), shown_as(incoming, "in")
    return {
        "incomingCount": len(incoming),
        "outgoingCount": len(outgoing),
        "neighbors": [*out, *(node for node in inward if node["id"] not in both)][:_MOST_NEIGHBOURS],
        "incomingNeighbors": inward,
        "outgoingNeighbors": out,
    }
