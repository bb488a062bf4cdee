"""notes.append: text at the end of a note, on a line of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wekadocs_mcp import tool

from .files.changes import FileChange, Plan
from .texts.lines import encoded, in_lines_of, line_end
from .writer import writing

if TYPE_CHECKING:
    from wekadocs_mcp import Answer, Call

    from ..state import NotesState


@tool("notes.append")
def append(
    call: Call[NotesState], id: str, content: str, expected_hash: str | None, dry_run: bool, vault: str | None
) -> Answer:
    with writing(call, vault, dry_run) as writer:
        note, before = writer.note(id)
        writer.refuse_stale(note.id, note.hash, expected_hash, unasked=False)
        between = "" if not note.source or note.source.endswith("\n") else line_end(note.source)
        after = encoded(f"{note.source}{between}{in_lines_of(content, note.source)}", before)
        return writer.answer(note.id, Plan((FileChange(note.id, before, after),)))
