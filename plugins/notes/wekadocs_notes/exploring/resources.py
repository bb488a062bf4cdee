"""A resource per note: its file as it is now."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from wekadocs_mcp import NO_SUCH_RESOURCE, Resource, ToolError

from ..errors import provider_errors
from ..vault.model import name_key

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from ..state import NotesState, OpenVault

URI = "note://{vault}/{+path}"
_MOST = 100


async def read_note_file(call: Call[NotesState], vault: str, path: str) -> str:
    opened = call.state.vaults.get(vault)
    found = await asyncio.to_thread(_source, call, opened, path) if opened else None
    if found is None:
        raise ToolError("INVALID_ARGUMENT", NO_SUCH_RESOURCE)
    return found


def _source(call: Call[NotesState], opened: OpenVault, path: str) -> str | None:
    with provider_errors():
        opened.kept.fresh()
        with opened.kept.turn:
            known = opened.kept.vault.find(path)
            note = opened.kept.read(known.id) if known else None
        if note is None:
            return None
        call.state.reads.note(call, opened.kept.key, note.id, note.hash)
        return note.source


async def complete(call: Call[NotesState], argument: str, value: str) -> list[str]:
    if argument == "vault":
        return [name for name in call.state.vaults if name.startswith(value)]
    opened = call.state.vault()
    await asyncio.to_thread(opened.kept.fresh)
    begin = name_key(value)
    return [id for id in sorted(opened.kept.vault.notes) if begin in name_key(id)][:_MOST]


RESOURCES = [
    Resource(
        URI,
        "note",
        read_note_file,
        "A note",
        "A note's file, front matter included.",
        "text/markdown",
        complete=complete,
    )
]
