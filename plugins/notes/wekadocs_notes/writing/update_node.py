"""notes.update_node: another title, content or tags; the rest of the file stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wekadocs_mcp import tool

from ..errors import invalid
from ..vault import Note, name_key
from . import moving
from .files import paths
from .files.changes import FileChange, Plan
from .texts.lines import encoded, in_lines_of, line_end
from .texts.stating import plain_tags, plain_title, with_tags, with_title
from .writer import writing

if TYPE_CHECKING:
    from wekadocs_mcp import Answer, Call

    from ..state import NotesState


@tool("notes.update_node")
def update_node(
    call: Call[NotesState],
    id: str,
    title: str | None,
    content: str | None,
    tags: list[str] | None,
    on_incoming: str,
    expected_hash: str | None,
    dry_run: bool,
    vault: str | None,
) -> Answer:
    if title is None and content is None and tags is None:
        raise invalid("Nothing to change: pass title, content or tags.", path="/")
    name = paths.file_stem(title) if title is not None else ""
    stated, warnings = plain_tags(tags or [])
    with writing(call, vault, dry_run) as writer:
        note, before = writer.note(id)
        writer.refuse_stale(note.id, note.hash, expected_hash)
        source = _with_content(note, content)
        source = with_tags(source, stated) if tags is not None else source
        if title is None or plain_title(title) == note.title:
            change = FileChange(note.id, before, encoded(source, before))
            plan = Plan((change,)) if change.after != before else Plan()
            return writer.answer(note.id, plan, warnings)
        new = _renamed(note.id, name)
        after = encoded(with_title(source, new, plain_title(title)), before)
        plan = moving.moved(writer, note.id, new, before, after, on_incoming)
        return writer.answer(new, plan, warnings, **moving.told(plan, note.id))


def _with_content(note: Note, content: str | None) -> str:
    if content is None:
        return note.source
    above = note.source[: note.body_start]
    if note.front_start and content and not above.endswith("\n"):
        above += line_end(note.source)  # the file ended with the fence
    return above + in_lines_of(content, note.source)


def _renamed(id: str, name: str) -> str:
    """A file whose name differs in case only keeps its own."""
    new = moving.beside(id, name)
    return id if name_key(new) == name_key(id) else new
