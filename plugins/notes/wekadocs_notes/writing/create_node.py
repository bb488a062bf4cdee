"""notes.create_node: a new file, its name made from the title."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wekadocs_mcp import tool

from .files import paths
from .files.changes import FileChange, Plan
from .texts.stating import plain_tags, plain_title, with_tags, with_title
from .writer import writing

if TYPE_CHECKING:
    from wekadocs_mcp import Answer, Call

    from ..state import NotesState


@tool("notes.create_node")
def create_node(
    call: Call[NotesState],
    title: str,
    content: str,
    tags: list[str],
    directory: str | None,
    dry_run: bool,
    vault: str | None,
) -> Answer:
    name = paths.file_stem(title)
    stated, warnings = plain_tags(tags)
    with writing(call, vault, dry_run) as writer:
        id = f"{paths.folder(writer.kept.root, directory)}{name}.md"
        writer.refuse_taken(id)
        source = with_title(content, id, plain_title(title))
        source = with_tags(source, stated) if stated else source
        return writer.answer(id, Plan((FileChange(id, None, source.encode()),)), warnings)
