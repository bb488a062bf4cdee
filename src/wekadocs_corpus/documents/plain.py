"""Plain text, and reStructuredText read as such: paragraphs, list items, indented code, underlined headings."""

from __future__ import annotations

import re

from wekadocs_corpus.model import Link

from .blocks import Block, Heading, Outline, split_lines
from .headings import heading_words

_UNDERLINE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*\r?\n?\Z")
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|#\.|\d{1,9}[.)])[ \t]+\S")
_ROLE = re.compile(
    r"`([^`<>]{1,300})<([^`<>\s]{1,2000})>`_|:(?:doc|ref|any):`(?:([^`<>]{1,300})<)?([^`<>\n]{1,500})>?`"
)


def read_plain(text: str) -> Outline:
    """Paragraphs; no line is taken for a heading."""
    return Outline(text, _blocks(split_lines(text), set(), 0))


def read_restructured(text: str) -> Outline:
    """The same, with headings and links."""
    lines = split_lines(text)
    headings, marked = _underlined(lines)
    links = [Link(*_target(found), found.start(), found.end()) for found in _ROLE.finditer(text)]
    return Outline(text, _blocks(lines, marked, 0), headings, links)


def _target(found: re.Match[str]) -> tuple[str, str]:
    target = found[2] or found[4]
    return target, " ".join((found[1] or found[3] or target).split())


def _underlined(lines: list[str]) -> tuple[list[Heading], set[int]]:
    """Headings, and the numbers of the lines they take; each new kind of line is one level deeper."""
    headings: list[Heading] = []
    marked: set[int] = set()
    levels: dict[str, int] = {}
    offset = 0
    for number, line in enumerate(lines):
        mark = _UNDERLINE.match(line)
        above = lines[number - 1] if number else ""
        words = above.strip()
        if mark and words and number - 1 not in marked and not above[0].isspace() | bool(_UNDERLINE.match(above)):
            over = number > 1 and lines[number - 2].rstrip() == line.rstrip() and number - 2 not in marked
            if len(line.rstrip()) >= len(words):
                level = levels.setdefault(mark[1] + "^" * over, min(6, len(levels) + 1))
                first = number - 2 if over else number - 1
                start = offset - sum(map(len, lines[first:number]))
                headings.append(Heading(level, heading_words(words)[0], "", start))
                marked.update(range(first, number + 1))
        offset += len(line)
    return headings, marked


def _blocks(lines: list[str], marked: set[int], offset: int) -> list[Block]:
    found: list[Block] = []
    kind, start, blank = "", offset, False
    for number, line in enumerate(lines):
        now = _kind(line, number in marked, kind, blank)
        begins = blank or now == "heading" != kind or now == "list" or (kind == "heading" != now)
        if now and kind and begins and not (now == kind == "code"):
            found.append(Block(kind, start, offset, 1 if kind == "heading" else 0))
            start, kind = offset, now
        kind = kind or now
        blank = not now
        offset += len(line)
    if start < offset:
        found.append(Block(kind or "prose", start, offset, 1 if kind == "heading" else 0))
    return found


def _kind(line: str, heading: bool, before: str, blank: bool) -> str:
    """What a line is; "" for blank ones. Indented text after a blank line is code, unless a list goes on."""
    if heading:
        return "heading"
    if line.isspace():
        return ""
    if _ITEM.match(line):
        return "list"
    if line[0] in " \t" and (before == "code" or (blank and before in ("prose", "heading"))):
        return "code"
    return "prose" if blank or not before else before
