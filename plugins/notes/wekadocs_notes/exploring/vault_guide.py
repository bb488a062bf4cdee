"""notes.vault_guide: what a vault says of itself, and what is in it."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from ..errors import provider_errors
from ..reading import shown
from ..reading.looking import answer, look
from ..state import NotesState

if TYPE_CHECKING:
    from wekadocs_mcp import Answer, Call

    from ..index import KeptVault

_GUIDES = ("agents.md", "claude.md", "readme.md", "index.md", "home.md")
_MOST = 20  # folders and tags that are told


@tool("notes.vault_guide")
async def vault_guide(call: Call[NotesState], vault: str | None) -> Answer:
    opened = await look(call, vault)
    with provider_errors():
        told = await asyncio.to_thread(_guide, opened.kept)
    return answer(opened, {"vault": opened.kept.vault.name, "vaults": list(call.state.vaults), **told})


def _guide(kept: KeptVault) -> dict[str, Any]:
    with kept.turn:
        notes, vault = kept.vault.notes, kept.vault
        guides = [known.id for name in _GUIDES if (known := vault.find(name)) is not None]
        folders = Counter(id.partition("/")[0] + "/" for id in notes if "/" in id)
        tags = Counter(tag for note in notes.values() for tag in note.tags)
        links = sum(map(len, vault.outgoing.values()))
        counts = {"notes": len(notes), "links": links, "ghosts": len(vault.ghosts), "tags": len(tags)}
        read = [(id, found[1]) for id in guides if (found := kept.content(id)) is not None]
    return {
        "guides": [{"id": id, "content": shown.cut(content, shown.PRIMARY)} for id, content in read],
        "counts": counts,
        "folders": [{"folder": name, "notes": count} for name, count in _first(folders)],
        "tags": [{"tag": name, "count": count} for name, count in _first(tags)],
    }


def _first(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:_MOST]
