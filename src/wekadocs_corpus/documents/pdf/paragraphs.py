"""Rows of a page to paragraphs, list items and tables; what a page's end cut in two is one paragraph again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from .columns import Row
from .layout import BULLETS, Line, Paragraph
from .tables import table_at

_BULLET = re.compile(rf"[{BULLETS}*-]\Z")
_NUMBERED = re.compile(r"(?:\(?\d{1,3}[.)]|\(?[a-z][.)]|\[\d{1,4}\])\Z")
LEADERS = re.compile(r"(?:[ \t]*\.){4,}[ \t]*")  # dots that lead the eye from a title to its page
_LED = re.compile(rf"{LEADERS.pattern}[\divxlc]+\Z", re.I)
_ENDED = re.compile(r"[.!?:;…。\uff01\uff1f][\"'”\u2019»)\]]*\Z")
_INDENT = 0.8  # of the letters' size
_WIDE = 1.35  # of the usual distance of lines: more is a gap
_SHORT = 0.85  # of the usual width: a line that ends before is its paragraph's last
_TELLING, _SINGLE = 4, 1.3  # distances that tell the usual one; else so many times the letters' size
_MARK = 3  # letters of a number or sign before a line, which may be larger than it
_ALIKE = 0.06  # sizes that differ by less are the same


def paragraphs(regions: Sequence[Sequence[Row]], page: int) -> list[Paragraph]:
    found: list[Paragraph] = []
    for rows in regions:
        region = _region(rows, page)
        before = _above_notes(found, region[0]) if region else None
        if before and _continues(before, region[0]):
            before.lines += region.pop(0).lines  # in the next column
        found += region
    for each in found:
        each.lines = [line.settled() for line in each.lines]
    return found


def _above_notes(found: Sequence[Paragraph], after: Paragraph) -> Paragraph | None:
    """The last paragraph before this one, but for notes at the foot of its column."""
    large = [each for each in found if each.size >= after.size or same_size(each.size, after.size)]
    return large[-1] if large else None


def _region(rows: Sequence[Row], page: int) -> list[Paragraph]:
    shape = _Shape([_merged(row) for row in rows])
    found: list[Paragraph] = []
    number = 0
    while number < len(rows):
        table = table_at(rows, number) if len(rows[number]) > 1 else None
        if table:
            taken, cells = table
            lines = [_merged(row) for row in rows[number : number + taken]]
            found.append(Paragraph(page, lines, "table", cells))
            number += taken
            continue
        line = _merged(rows[number])
        if found and not shape.begins(found[-1], line):
            found[-1].lines.append(line)
        else:
            found.append(Paragraph(page, [line], "list" if _is_item(line) else "prose"))
        number += 1
    return found


def _merged(row: Row) -> Line:
    if len(row) == 1:
        return row[0]
    telling = row[1] if len(row[0].text) <= _MARK else row[0]
    return replace(telling, words=tuple(word for line in row for word in line.words), broken=row[-1].broken)


def _is_item(line: Line) -> bool:
    first = line.words[0].text
    return len(line.words) > 1 and bool(_BULLET.match(first) or _NUMBERED.match(first))


def same_size(one: float, other: float) -> bool:
    return abs(one - other) <= _ALIKE * max(one, other)


class _Shape:
    """How a region is set: how far its lines are apart and how wide they are."""

    def __init__(self, lines: Sequence[Line]) -> None:
        apart = [a.base - b.base for a, b in pairwise(lines) if 0 < a.base - b.base < 4 * a.size]
        # Few lines do not tell what is usual.
        self._leading = median(apart) if len(apart) >= _TELLING else min([*apart, _SINGLE * lines[0].size])
        self._left = min((line.left for line in lines), default=0.0)
        rights = sorted(line.right for line in lines)
        self._right = rights[int(0.9 * (len(rights) - 1))] if rights else 0.0

    def begins(self, before: Paragraph, line: Line) -> bool:
        """Whether a paragraph begins with this line."""
        last = before.last
        if before.kind == "table" or not same_size(last.size, line.size) or last.bold != line.bold:
            return True
        apart = last.base - line.base
        if apart > _WIDE * max(self._usual(before), 1.05 * line.size) or apart <= 0:
            return True
        if (_BULLET.match(line.words[0].text) and len(line.words) > 1) or _LED.search(last.text):
            return True
        ended = self._is_short(last) or _ENDED.search(last.text) is not None
        if _is_item(line) and (before.kind == "list" or ended):
            return True
        if self._is_short(last) and _ENDED.search(last.text):
            return True
        return self._moved(before, line)

    def _usual(self, before: Paragraph) -> float:
        """Between the lines of the paragraph that is open, else in all of the region."""
        return before.lines[-2].base - before.lines[-1].base if len(before.lines) > 1 else self._leading

    def _is_short(self, line: Line) -> bool:
        return line.right - self._left < _SHORT * (self._right - self._left)

    def _moved(self, before: Paragraph, line: Line) -> bool:
        """By its indentation: the first line's differs from that of all others, which are alike."""
        indent = _INDENT * line.size
        if before.kind == "list":
            return line.left < before.first.left - indent or (
                abs(line.left - before.first.left) <= 1 and len(before.lines) > 1 and before.last.left > line.left + 1
            )
        if len(before.lines) == 1:
            return line.left > before.first.left + indent and self._is_short(before.first)
        return abs(line.left - before.last.left) > indent


def _continues(before: Paragraph, after: Paragraph) -> bool:
    """Whether a column's or page's end cut one paragraph in two."""
    if before.kind == "table" or after.kind != "prose" or not same_size(before.size, after.size):
        return False
    if before.bold != after.bold or before.level or after.level:
        return False
    if before.last.broken:
        return True
    first = after.first.first_word
    return not _ENDED.search(before.last.text) and (
        first[0].islower() or (before.last.text[-1] in ",-" and len(first) > 1)
    )


def joined(pages: Sequence[list[Paragraph]]) -> list[Paragraph]:
    """All of them; a paragraph that goes on over a page's end takes the rest of it in, past footnotes."""
    found: list[Paragraph] = []
    for number, page in enumerate(pages):
        rest = list(page)
        if rest and number:
            waiting = _waiting(found, rest[0])
            if waiting is not None and _continues(waiting, rest[0]):
                waiting.goes_on.append((rest[0].page, rest.pop(0).lines))
        found += rest
    return found


def _waiting(found: Sequence[Paragraph], after: Paragraph) -> Paragraph | None:
    """The last paragraph of the page before that is set like this one."""
    for each in reversed(found):
        if max([each.page, *(page for page, _ in each.goes_on)]) < after.page - 1:
            return None
        if each.kind != "table" and same_size(each.size, after.size):
            return each
    return None
