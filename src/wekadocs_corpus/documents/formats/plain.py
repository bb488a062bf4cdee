"""Plain text: paragraphs, list items, indented code, underlined headings."""

from __future__ import annotations

import re

from wekadocs_corpus.documents.blocks import APART, WITH_NEXT, Block, Heading, Headings, Outline, split_lines
from wekadocs_corpus.documents.headings import heading_words

_UNDERLINE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*\r?\n?\Z")
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|#\.|\d{1,9}[.)])[ \t]+\S")
_RESTRUCTURED = re.compile(r"^\.\. (?:[\w:-]+::|_[^\n]+:[ \t]*$)|(?<![\w`:]):[a-z][\w:+-]{0,40}:`[^`\n]", re.M)
_TEXT_PAGES = re.compile(r"source_suffix[^\n]*(?:\n[^\n]*){0,5}\.(?:txt|text)\b")
_LONGER = 3  # characters that an underline may be longer or shorter than the words, as people count them
_APART = re.compile(r"[ \t]{2}|\t")


def is_restructured(text: str) -> bool:
    """Whether it is reStructuredText, which many keep in files of plain text."""
    return _RESTRUCTURED.search(text) is not None


def has_text_pages(conf: str) -> bool:
    """Whether a conf.py of Sphinx names files of plain text as its pages."""
    return _TEXT_PAGES.search(conf) is not None


def read_plain(text: str) -> Outline:
    """Paragraphs and underlined headings."""
    lines = split_lines(text)
    headings, marked = _underlined(lines)
    return Outline(text, _blocks(lines, marked), headings)


def _underlined(lines: list[str]) -> tuple[list[Heading], set[int]]:
    """Headings, and the numbers of the lines they take; each new kind of line is one level deeper."""
    headings: list[Heading] = Headings()
    marked: set[int] = set()
    levels: dict[str, int] = {}
    offset = 0
    for number, line in enumerate(lines):
        mark = _UNDERLINE.match(line)
        if mark and number and number - 1 not in marked and lines[number - 1].strip():
            first = _first_line(lines, number)
            if first is not None and first not in marked:
                level = levels.setdefault(mark[1] + "^" * (number - first - 1), min(6, len(levels) + 1))
                start = offset - sum(map(len, lines[first:number]))
                headings.append(Heading(level, heading_words(lines[number - 1].strip())[0], "", start))
                marked.update(range(first, number + 1))
        offset += len(line)
    return headings, marked


def _first_line(lines: list[str], number: int) -> int | None:
    """Where the heading begins that this line underlines, if it does; between two lines it may be indented.

    Strict, as such a text is free to underline anything, for instance the head of a table.
    """
    line, above = lines[number].rstrip(), lines[number - 1].rstrip()
    before = lines[number - 2].strip() if number > 1 else ""
    between = number > 1 and lines[number - 2].rstrip() == line
    if _UNDERLINE.match(above) or (above[0].isspace() and not between):
        return None
    longer = len(line) - len(above.strip())
    if abs(longer) > _LONGER or _APART.search(above.strip()) or (before and not between):
        return None
    return number - 1 - between


def _blocks(lines: list[str], marked: set[int]) -> list[Block]:
    found: list[Block] = []
    kind, start, offset, blank = "", 0, 0, False
    for number, line in enumerate(lines):
        now = _kind(line, number in marked, kind, blank=blank)
        begins = blank or now == "heading" != kind or now == "list" or (kind == "heading" != now)
        if now and kind and begins and not (now == kind == "code"):
            found.append(Block(kind, start, offset, _joins(kind)))
            start, kind = offset, now
        kind = kind or now
        blank = not now
        offset += len(line)
    if start < offset:
        found.append(Block(kind or "prose", start, offset, _joins(kind)))
    return found


def _joins(kind: str) -> int:
    return WITH_NEXT if kind == "heading" else APART


def _kind(line: str, heading: bool, before: str, *, blank: bool) -> str:
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
