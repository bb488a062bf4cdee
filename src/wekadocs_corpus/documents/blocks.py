"""What readers hand over: a text cut into blocks, with its headings. Blocks follow each other without gap."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from wekadocs_corpus.model import Link

from .decoding import Unreadable

APART, WITH_NEXT, WITH_PREVIOUS = 0, 1, 2  # how a block likes its neighbours: an opening tag belongs to what it opens


class Block(NamedTuple):
    """Lines that belong together: a paragraph, a list item, a table, a code block, with the blank lines after it."""

    kind: str  # prose | code | table | list | heading | front_matter
    start: int
    end: int
    joins: int = APART


MOST_HEADINGS = 50_000  # 30 MB of documentation have so many


class Heading(NamedTuple):
    level: int
    title: str
    anchor: str  # as the author wrote it, or ""
    start: int


class Headings(list[Heading]):
    """Those of one file; with more than anyone reads it is refused as soon as they are found."""

    def append(self, heading: Heading) -> None:
        if len(self) >= MOST_HEADINGS:
            raise Unreadable(f"it has more than {MOST_HEADINGS:,} headings")
        super().append(heading)


@dataclass
class Outline:
    """A file as read: the text that is stored, and how it is built."""

    text: str
    blocks: list[Block] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=Headings)
    links: list[Link] = field(default_factory=list)
    front_matter: dict[str, object] = field(default_factory=dict)
    title: str = ""  # what the file says outside its headings
    language: str = ""


_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


def split_lines(text: str) -> list[str]:
    """Lines with their ends, as Markdown sees them: form feeds and U+2028 end none."""
    if "\r" in text:
        return _LINE.findall(text)
    lines = text.split("\n")
    last = lines.pop()
    return [line + "\n" for line in lines] + ([last] if last else [])
