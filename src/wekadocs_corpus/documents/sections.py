"""Headings to a tree of sections, each with an id that edits elsewhere leave alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from wekadocs_corpus.model import Section, digest

from .blocks import Heading
from .headings import slug

_BLANK = re.compile(r"\s*\Z")
_FRONT_MATTER = "Front matter"  # what a section of nothing else is called


def make_sections(
    document_id: str, text: str, headings: Sequence[Heading], anchors: Sequence[str], body: int = 0
) -> list[Section]:
    """Sections cover the text; what precedes the first heading is one of level 0, unless it is blank.

    One anchor for each heading; `body` is where front matter ends.
    """
    starts = [heading.start for heading in headings]
    found: list[Section] = []
    if not headings or not _BLANK.match(text[: starts[0]]):
        end = starts[0] if starts else len(text)
        title = _FRONT_MATTER if body and _BLANK.match(text[body:end]) else ""
        found.append(Section(digest(document_id, "", "0"), 0, 0, title, "", 0, end, None))
    elif starts:
        starts[0] = 0
    return found + _under_headings(document_id, headings, anchors, [*starts, len(text)], len(found))


def _under_headings(
    document_id: str, headings: Sequence[Heading], anchors: Sequence[str], starts: list[int], ordinal: int
) -> list[Section]:
    found: list[Section] = []
    open_sections: list[Section] = []
    twins = Counter[tuple[str, str]]()
    for number, heading in enumerate(headings):
        while open_sections and open_sections[-1].level >= heading.level:
            open_sections.pop()
        parent = open_sections[-1] if open_sections else None
        name = heading.anchor or slug(heading.title)  # whatever a site makes of it: ids outlive configurations
        key = (parent.id if parent else document_id, name)
        section = Section(
            id=digest(*key, str(twins[key])),
            ordinal=ordinal + number,
            level=heading.level,
            title=heading.title,
            anchor=anchors[number],
            start=starts[number],
            end=starts[number + 1],
            parent_id=parent.id if parent else None,
            headings=(*(parent.headings if parent else ()), heading.title),
        )
        twins[key] += 1
        found.append(section)
        open_sections.append(section)
    return found
