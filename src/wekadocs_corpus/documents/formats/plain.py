"""Plain text, and reStructuredText read as such: paragraphs, list items, indented code, underlined headings."""

from __future__ import annotations

import re

from wekadocs_corpus.documents.blocks import APART, WITH_NEXT, Block, Heading, Headings, Outline, split_lines
from wekadocs_corpus.documents.headings import heading_words
from wekadocs_corpus.model import Link

_UNDERLINE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*\r?\n?\Z")
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|#\.|\d{1,9}[.)])[ \t]+\S")
_DIRECTIVE = re.compile(r"\.\. (?:([\w:-]+)::|_[^\n]+:[ \t]*$)", re.M)
_RESTRUCTURED = re.compile(f"^{_DIRECTIVE.pattern}", re.M)
# What these hold is code; what other directives hold is text.
_LITERAL = re.compile(r"(?:\w+:)?(?:code|code-block|sourcecode|parsed-literal|literalinclude|productionlist|math)")
_LONGER = 3  # characters that an underline may be longer or shorter than the words, as people count them
_APART = re.compile(r"[ \t]{2}|\t")
_ROLE = re.compile(
    r"`([^`<>]{1,300})<([^`<>\s]{1,2000})>`_|:(?:doc|ref|any):`(?:([^`<>]{1,300})<)?([^`<>\n]{1,500})>?`"
)


def read_plain(text: str) -> Outline:
    """Paragraphs and underlined headings; reStructuredText, which many keep in such files, as what it is."""
    if _RESTRUCTURED.search(text):
        return read_restructured(text)
    lines = split_lines(text)
    headings, marked = _underlined(lines, strict=True)
    return Outline(text, _blocks(lines, marked, literal=True), headings)


def read_restructured(text: str) -> Outline:
    """The same, with links; what is indented is code only where it is announced as such."""
    lines = split_lines(text)
    headings, marked = _underlined(lines, strict=False)
    links = [Link(*_target(found), found.start(), found.end()) for found in _ROLE.finditer(text)]
    return Outline(text, _blocks(lines, marked, literal=False), headings, links)


def _target(found: re.Match[str]) -> tuple[str, str]:
    target = found[2] or found[4]
    return target, " ".join((found[1] or found[3] or target).split())


def _underlined(lines: list[str], *, strict: bool) -> tuple[list[Heading], set[int]]:
    """Headings, and the numbers of the lines they take; each new kind of line is one level deeper."""
    headings: list[Heading] = Headings()
    marked: set[int] = set()
    levels: dict[str, int] = {}
    offset = 0
    for number, line in enumerate(lines):
        mark = _UNDERLINE.match(line)
        if mark and number and number - 1 not in marked and lines[number - 1].strip():
            first = _first_line(lines, number, strict=strict)
            if first is not None and first not in marked:
                level = levels.setdefault(mark[1] + "^" * (number - first - 1), min(6, len(levels) + 1))
                start = offset - sum(map(len, lines[first:number]))
                headings.append(Heading(level, heading_words(lines[number - 1].strip())[0], "", start))
                marked.update(range(first, number + 1))
        offset += len(line)
    return headings, marked


def _first_line(lines: list[str], number: int, *, strict: bool) -> int | None:
    """Where the heading begins that this line underlines, if it does; between two lines it may be indented.

    Strict is for texts that are free to underline anything, as the head of a table.
    """
    line, above = lines[number].rstrip(), lines[number - 1].rstrip()
    before = lines[number - 2].strip() if number > 1 else ""
    between = number > 1 and lines[number - 2].rstrip() == line
    if _UNDERLINE.match(above) or (above[0].isspace() and not between):
        return None
    longer = len(line) - len(above.strip())
    if strict and (abs(longer) > _LONGER or _APART.search(above.strip()) or (before and not between)):
        return None
    return None if longer < 0 and not strict else number - 1 - between


def _blocks(lines: list[str], marked: set[int], *, literal: bool) -> list[Block]:
    """`literal`: whatever is indented is code."""
    found: list[Block] = []
    kind, start, offset, blank, announced = "", 0, 0, False, literal
    for number, line in enumerate(lines):
        now = _kind(line, number in marked, kind, blank=blank, literal=announced)
        begins = blank or now == "heading" != kind or now == "list" or (kind == "heading" != now)
        if now and kind and begins and not (now == kind == "code"):
            found.append(Block(kind, start, offset, _joins(kind, lines[number - 1 - blank])))
            start, kind = offset, now
        kind = kind or now
        if now and not literal:
            announced = _announces_code(line) or (announced and line[0] in " \t")
        blank = not now
        offset += len(line)
    if start < offset:
        found.append(Block(kind or "prose", start, offset, _joins(kind, "")))
    return found


def _joins(kind: str, last: str) -> int:
    return WITH_NEXT if kind == "heading" or _DIRECTIVE.match(last) else APART


def _announces_code(line: str) -> bool:
    directive = _DIRECTIVE.match(line.lstrip())
    if directive:
        return bool(directive[1] and _LITERAL.fullmatch(directive[1]))
    return line.rstrip().endswith("::")


def _kind(line: str, heading: bool, before: str, *, blank: bool, literal: bool) -> str:
    """What a line is; "" for blank ones. Indented text after a blank line is code, unless a list goes on."""
    if heading:
        return "heading"
    if line.isspace():
        return ""
    if _ITEM.match(line):
        return "list"
    if literal and line[0] in " \t" and (before == "code" or (blank and before in ("prose", "heading"))):
        return "code"
    return "prose" if blank or not before else before
