"""A resource per note: its file as it is now."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from wekadocs_mcp import NO_SUCH_RESOURCE, Resource, ToolError

from ..errors import provider_errors
from ..vault.model import name_key

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wekadocs_mcp import Call

    from ..state import NotesState, OpenVault

URI = "note://{vault}/{+path}"


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


async def complete(call: Call[NotesState], argument: str, value: str, chosen: Mapping[str, str]) -> list[str]:
    """Vaults; notes of the vault that was chosen, those first whose path or file name begins so."""
    vaults = call.state.vaults
    if argument == "vault":
        return [name for name in vaults if name_key(name).startswith(name_key(value))]
    name = chosen.get("vault") or next(iter(vaults), "")
    if argument != "path" or name not in vaults:
        return []
    return await asyncio.to_thread(_with, vaults[name], name_key(value))


def _with(opened: OpenVault, part: str) -> list[str]:
    with provider_errors():
        opened.kept.fresh()
    with opened.kept.turn:
        keys = {id: name_key(id) for id in opened.kept.vault.notes}

    def rank(id: str) -> tuple[bool, bool, str]:
        return not keys[id].startswith(part), not keys[id].rpartition("/")[2].startswith(part), id

    return sorted((id for id in keys if part in keys[id]), key=rank)


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
