"""notes.patch_section: what stands under one heading, replaced or added to; all other bytes stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wekadocs_mcp import ToolError, tool

from ..errors import invalid
from ..vault import Note
from .files.changes import FileChange, Plan
from .texts.lines import encoded, in_lines_of, line_end
from .texts.sections import Section, named, sections
from .writer import writing

if TYPE_CHECKING:
    from wekadocs_mcp import Answer, Call

    from ..state import NotesState

_MOST_NAMED = 40


@tool("notes.patch_section")
def patch_section(
    call: Call[NotesState],
    id: str,
    heading: str,
    content: str,
    occurrence: int | None,
    mode: str,
    expected_hash: str | None,
    dry_run: bool,
    vault: str | None,
) -> Answer:
    with writing(call, vault, dry_run) as writer:
        note, before = writer.note(id)
        writer.refuse_stale(note.id, note.hash, expected_hash)
        after = encoded(patched(note.source, _section(note, heading, occurrence), content, mode), before)
        plan = Plan((FileChange(note.id, before, after),)) if after != before else Plan()
        return writer.answer(note.id, plan)


def _section(note: Note, heading: str, occurrence: int | None) -> Section:
    some = sections(note.source, note.body_start)
    found = named(some, heading)
    if found and occurrence is not None and occurrence > len(found):
        raise invalid(f"occurrence: only {len(found)} headings are called {heading!r}.", path="/occurrence")
    if len(found) == 1 or (found and occurrence is not None):
        return found[(occurrence or 1) - 1]
    if found:
        raise _several(heading, [" > ".join(each.path) for each in found])
    titles = [each.title for each in some]
    message = f"heading: {note.id} has no heading {heading!r}. It has: {', '.join(titles[:_MOST_NAMED]) or 'none'}."
    raise invalid(message, path="/heading", headings=titles[:_MOST_NAMED])


def _several(heading: str, paths: list[str]) -> ToolError:
    way = f"Name the ones above it too: {paths[0]!r}; or pass occurrence" if len(set(paths)) > 1 else "Pass occurrence"
    message = f"heading: {len(paths)} headings are called {heading!r}. {way}: 1 is the first."
    return invalid(message, path="/heading", headings=paths[:_MOST_NAMED])


def patched(source: str, section: Section, content: str, mode: str) -> str:
    """Blank lines around the text, and its line ends, stay as they are."""
    eol = line_end(source)
    inside = source[section.start : section.end]
    text = inside.strip("\r\n")
    lead = inside[: len(inside) - len(inside.lstrip("\r\n"))] if text else ""
    trail = inside[len(lead) + len(text) :]
    new = in_lines_of(content, source).strip("\r\n")
    joined = {"replace": new, "append": f"{text}{eol}{new}", "prepend": f"{new}{eol}{text}"}[mode] if text else new
    if joined and not source[: section.start].endswith("\n"):
        lead = eol  # the heading is the file's last line, and has no line end
    if joined and not trail and section.end < len(source):
        trail = eol
    elif joined and not text and section.end < len(source):
        trail = f"{eol}{trail}"
    return source[: section.start] + lead + joined + trail + source[section.end :]
