"""notes.vault_guide: what a vault says of itself, and what is in it."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from ..errors import provider_errors
from ..reading import shown
from ..reading.fitting import as_many
from ..reading.looking import look
from ..state import NotesState
from .list_tags import counted

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
    guides, named = told["guides"], {"vault": opened.kept.vault.name, "vaults": list(call.state.vaults)}
    return as_many(call, opened, len(guides), lambda count: {**named, **told, "guides": guides[:count]})


def _guide(kept: KeptVault) -> dict[str, Any]:
    with kept.turn:
        notes, vault = kept.vault.notes, kept.vault
        guides = [known.id for name in _GUIDES if (known := vault.find(name)) is not None]
        folders = Counter(id.partition("/")[0] + "/" for id in notes if "/" in id)
        tags = counted(kept)
        links = sum(map(len, vault.outgoing.values()))
        counts = {"notes": len(notes), "links": links, "ghosts": len(vault.ghosts), "tags": len(tags)}
        read = [(id, found[1]) for id in guides if (found := kept.content(id)) is not None]
    return {
        "guides": [{"id": id, "content": shown.cut(content, shown.PRIMARY)} for id, content in read],
        "counts": counts,
        "folders": [{"folder": name, "notes": count} for name, count in _first(folders)],
        "tags": tags[:_MOST],
    }


def _first(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:_MOST]
