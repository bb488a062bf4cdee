"""notes.move_node: a note into another folder, with every link to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wekadocs_mcp import tool

from . import moving
from .files import paths
from .files.changes import Plan
from .writer import writing

if TYPE_CHECKING:
    from wekadocs_mcp import Answer, Call

    from ..state import NotesState


@tool("notes.move_node")
def move_node(
    call: Call[NotesState],
    id: str,
    directory: str,
    on_incoming: str,
    expected_hash: str | None,
    dry_run: bool,
    vault: str | None,
) -> Answer:
    with writing(call, vault, dry_run) as writer:
        note, before = writer.note(id)
        writer.refuse_stale(note.id, note.hash, expected_hash, unasked=False)
        new = f"{paths.folder(writer.kept.root, directory)}{note.id.rpartition('/')[2]}"
        if new == note.id:
            return writer.answer(new, Plan(), **moving.told(Plan(), note.id))
        plan = moving.moved(writer, note.id, new, before, before, on_incoming)
        return writer.answer(new, plan, **moving.told(plan, note.id))
