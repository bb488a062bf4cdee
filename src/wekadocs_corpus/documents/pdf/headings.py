"""Which paragraphs are headings: those that the bookmarks name, else those in larger or bolder letters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from .layout import Line, Paragraph, Word
from .pdfium import Bookmark

_NUMBER = re.compile(r"(?:(?i:chapter|section|part|appendix)\s+)?((?:\d+|[A-Z]|[IVX]+)(?:\.\d+)*)[.:]?\s+")
_LARGER = 1.12
_LONGEST, _MOST_LINES = 160, 3
_MOST_SHARE = 0.4  # of all letters: more of them are no headings
_LEVELS = 6


def mark_headings(found: list[Paragraph], bookmarks: Sequence[Bookmark]) -> None:
    """Sets the level of those that are; a bookmark that names nothing on its page gets a line of its own."""
    if not bookmarks:
        _by_letters(found)
        return
    used: set[int] = set()
    for mark in bookmarks:
        paragraph = _named(found, mark, used)
        if paragraph is None:
            paragraph = _put_in(found, mark)
        paragraph.level = min(_LEVELS, mark.level)
        used.add(id(paragraph))


def body_size(found: Sequence[Paragraph]) -> float:
    """The size of most letters."""
    sizes: Counter[float] = Counter()
    for each in found:
        sizes[each.size] += sum(len(line.text) for line in each.lines)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _named(found: list[Paragraph], mark: Bookmark, used: set[int]) -> Paragraph | None:
    here = [each for each in found if each.page == mark.page and each.kind != "table" and id(each) not in used]
    wanted = _plain(mark.title)
    for same in (_plain, _unnumbered):
        for each in here:
            for count in range(1, min(_MOST_LINES, len(each.lines)) + 1):
                if same(" ".join([line.text for line in each.lines[:count]])) == same(mark.title):
                    return _cut_off(found, each, count)
    for each in here:  # a heading that runs into its first lines, or is longer than its bookmark
        said = _plain(_said(each))
        if wanted and said.startswith(wanted) and len(said) < len(wanted) + 60 and len(each.lines) <= _MOST_LINES:
            return each
    return None


def _cut_off(found: list[Paragraph], each: Paragraph, count: int) -> Paragraph:
    """The first lines of a paragraph as one of their own, where it goes on."""
    if count == len(each.lines):
        return each
    rest = Paragraph(each.page, each.lines[count:], each.kind, goes_on=each.goes_on)
    each.lines, each.goes_on = each.lines[:count], []
    found.insert(next(n for n, other in enumerate(found) if other is each) + 1, rest)
    return each


def _put_in(found: list[Paragraph], mark: Bookmark) -> Paragraph:
    """At the place on the page that it leads to."""
    places = [number for number, each in enumerate(found) if each.page == mark.page]
    top = float("inf") if mark.top is None else mark.top
    below = [number for number in places if found[number].first.base <= top + found[number].size / 2]
    after = [number for number, each in enumerate(found) if each.page > mark.page]
    place = below[0] if below else places[-1] + 1 if places else after[0] if after else len(found)
    size = found[place - 1].size if place else 10.0
    words = tuple(Word(word, 0.0, 0.0) for word in mark.title.split())
    new = Paragraph(mark.page, [Line(words, top, size)])
    found.insert(place, new)
    return new


def _said(paragraph: Paragraph) -> str:
    return " ".join([line.text for line in paragraph.lines[:_MOST_LINES]])


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _unnumbered(text: str) -> str:
    found = _NUMBER.match(text)
    return _plain(text[found.end() :] if found else text) or _plain(text)


def _by_letters(found: Sequence[Paragraph]) -> None:
    body = body_size(found)
    larger = [each for each in found if _can_be(each) and each.size >= _LARGER * body]
    bold = [each for each in found if _can_be(each) and each.bold and each not in larger and each.size >= body]
    plain_prose = [each for each in found if each.kind != "table" and not each.bold]
    if _letters(larger) > _MOST_SHARE * _letters(found):
        larger = []
    if _letters(bold) > _MOST_SHARE * _letters(found) or not plain_prose:
        bold = []
    sizes = sorted({each.size for each in larger}, reverse=True)[: _LEVELS - 1]
    for each in larger:
        each.level = 1 + sizes.index(each.size) if each.size in sizes else _LEVELS
    deepest = max((each.level for each in larger), default=0)
    for each in bold:
        each.level = min(_LEVELS, deepest + 1)
    _by_numbers([each for each in found if each.level])


def _letters(paragraphs: Sequence[Paragraph]) -> int:
    return sum(len(line.text) for each in paragraphs for line in each.lines)


def _by_numbers(headings: Sequence[Paragraph]) -> None:
    """`2.1` stands one deeper than `2`, where letters of one size do not tell them apart."""
    for level in sorted({each.level for each in headings}, reverse=True):
        alike = [each for each in headings if each.level == level]
        depths = [_depth(_said(each)) for each in alike]
        if not all(depths) or len(set(depths)) == 1:
            continue
        least = min(depths)
        for each, depth in zip(alike, depths, strict=True):
            each.level = min(_LEVELS, level + depth - least)


def _depth(text: str) -> int:
    found = _NUMBER.match(text)
    return found[1].count(".") + 1 if found else 0


def _can_be(each: Paragraph) -> bool:
    text = _said(each)
    if each.kind == "table" or len(each.lines) > _MOST_LINES or len(text) > _LONGEST:
        return False
    return (
        any(map(str.isalpha, text)) and text[-1] not in ".,;:" and (each.kind == "prose" or bool(_NUMBER.match(text)))
    )
