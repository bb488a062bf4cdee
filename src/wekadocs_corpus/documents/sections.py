"""Headings to a tree of sections, each with an id and an anchor that edits elsewhere leave alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from wekadocs_corpus.model import Section, digest

from .blocks import Heading
from .headings import slug

_BLANK = re.compile(r"\s*\Z")
_FRONT_MATTER = "Front matter"  # what a section of nothing else is called


def make_sections(document_id: str, text: str, headings: Sequence[Heading], body: int = 0) -> list[Section]:
    """Sections cover the text; what precedes the first heading is one of level 0, unless it is blank.

    `body` is where front matter ends.
    """
    starts = [heading.start for heading in headings]
    found: list[Section] = []
    if not headings or not _BLANK.match(text[: starts[0]]):
        end = starts[0] if starts else len(text)
        title = _FRONT_MATTER if body and _BLANK.match(text[body:end]) else ""
        found.append(Section(digest(document_id, "", "0"), 0, 0, title, "", 0, end, None))
    elif starts:
        starts[0] = 0
    return found + _under_headings(document_id, headings, [*starts, len(text)], len(found))


def _under_headings(document_id: str, headings: Sequence[Heading], starts: list[int], ordinal: int) -> list[Section]:
    found: list[Section] = []
    open_sections: list[Section] = []
    anchors, twins = Anchors(), Counter[tuple[str, str]]()
    for number, heading in enumerate(headings):
        while open_sections and open_sections[-1].level >= heading.level:
            open_sections.pop()
        parent = open_sections[-1] if open_sections else None
        name = heading.anchor or slug(heading.title)
        key = (parent.id if parent else document_id, name)
        section = Section(
            id=digest(*key, str(twins[key])),
            ordinal=ordinal + number,
            level=heading.level,
            title=heading.title,
            anchor=anchors.take(name),
            start=starts[number],
            end=starts[number + 1],
            parent_id=parent.id if parent else None,
            headings=(*(parent.headings if parent else ()), heading.title),
        )
        twins[key] += 1
        found.append(section)
        open_sections.append(section)
    return found


class Anchors:
    """Gives each heading an anchor of its own, as GitHub does: `usage`, `usage-1`, `usage-2`."""

    def __init__(self) -> None:
        self._next: dict[str, int] = {}

    def take(self, name: str) -> str:
        anchor, number = name, self._next.get(name, 0)
        while anchor in self._next:
            number += 1
            anchor = f"{name}-{number}"
        self._next[name] = number
        self._next.setdefault(anchor, 0)
        return anchor
