"""notes.list_tags: which tags there are, and how many notes have each."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from ..reading.fitting import as_many
from ..reading.looking import look
from ..state import NotesState
from ..vault.tags import wanted_key

if TYPE_CHECKING:
    from wekadocs_mcp import Answer, Call

    from ..index import KeptVault


@tool("notes.list_tags")
async def list_tags(call: Call[NotesState], prefix: str | None, limit: int, offset: int, vault: str | None) -> Answer:
    opened = await look(call, vault)
    rows = await asyncio.to_thread(counted, opened.kept, wanted_key(prefix or ""))
    page = rows[offset : offset + limit]
    return as_many(call, opened, len(page), lambda count: {"tags": page[:count], "total": len(rows)})


def counted(kept: KeptVault, prefix: str = "") -> list[dict[str, Any]]:
    """Most first, then by name; spelled as most notes spell it."""
    counts: Counter[str] = Counter()
    spelled: dict[str, Counter[str]] = {}
    with kept.turn:
        for id in sorted(kept.vault.notes):
            for tag in kept.vault.notes[id].tags:
                key = wanted_key(tag)
                counts[key] += 1
                spelled.setdefault(key, Counter())[tag] += 1
    found = [(key, count) for key, count in counts.items() if key.startswith(prefix)]
    found.sort(key=lambda each: (-each[1], each[0]))
    return [{"tag": spelled[key].most_common(1)[0][0], "count": count} for key, count in found]
