"""What readers hand over: a text cut into blocks, with its headings. Blocks follow each other without gap."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from wekadocs_corpus.model import Link

APART, WITH_NEXT, WITH_PREVIOUS = 0, 1, 2  # how a block likes its neighbours: an opening tag belongs to what it opens


class Block(NamedTuple):
    """Lines that belong together: a paragraph, a list item, a table, a code block, with the blank lines after it."""

    kind: str  # prose | code | table | list | heading | front_matter
    start: int
    end: int
    joins: int = APART


class Heading(NamedTuple):
    level: int
    title: str
    anchor: str  # as the author wrote it, or ""
    start: int


@dataclass
class Outline:
    """A file as read: the text that is stored, and how it is built."""

    text: str
    blocks: list[Block] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
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
