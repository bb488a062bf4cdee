"""Headings of a note and what stands under each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...vault import name_key
from ...vault.code import Code

# Every line is looked at once, however long it is; what a pattern would try at each of its places takes hours.
_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*")
_NO_TEXT = re.compile(r" {0,3}(?:[#>|]|[-*+][ \t])")  # a quote, a table or a list begins: nothing to be underlined


class Section(NamedTuple):
    """`start` and `end` bound what stands under the heading, up to the next one of its level or above."""

    title: str
    level: int
    start: int
    end: int
    path: tuple[str, ...]


class _Heading(NamedTuple):
    title: str
    level: int
    begin: int
    after: int  # where the line behind it begins


def sections(source: str, body_start: int) -> list[Section]:
    headings = list(_headings(source, body_start if body_start > 1 else 0))  # a mark may stand before the text
    ends = [len(source)] * len(headings)
    paths: list[tuple[str, ...]] = []
    above: list[int] = []  # places of those that a heading stands under
    for place, each in enumerate(headings):
        while above and headings[above[-1]].level >= each.level:
            ends[above.pop()] = each.begin
        above.append(place)
        paths.append(tuple(headings[other].title for other in above))
    return [
        Section(each.title, each.level, each.after, end, path)
        for each, end, path in zip(headings, ends, paths, strict=True)
    ]


def _headings(source: str, start: int) -> Iterator[_Heading]:
    code, waiting = Code(source), _Line(start, start, "")  # a line that another one may underline
    for line in _lines(source, start):
        mark, underline = _ATX.match(line.text), _UNDERLINE.fullmatch(line.text) if waiting.text else None
        if underline:
            found, level, begin = waiting.text, 1 if underline[1][0] == "=" else 2, waiting.begin
        elif mark:
            found, level, begin = _unclosed(line.text[mark.end() :]), len(mark[1]), line.begin
        else:
            waiting = line if line.text.strip() and not _NO_TEXT.match(line.text) else line._replace(text="")
            continue
        waiting = waiting._replace(text="")
        if not code.has(begin):
            yield _Heading(found.strip(), level, begin, line.after)


class _Line(NamedTuple):
    begin: int
    after: int
    text: str  # without a byte order mark and its end


def _lines(source: str, start: int) -> Iterator[_Line]:
    while start < len(source):
        end = source.find("\n", start)
        after = len(source) if end < 0 else end + 1
        text = source[start:after].removesuffix("\n").removesuffix("\r").removeprefix("\ufeff")
        yield _Line(start, after, text)
        start = after


def _unclosed(text: str) -> str:
    """Without the `#` that may close it."""
    text = text.strip(" \t")
    before = text.rstrip("#")
    return before if not before or before[-1] in " \t" else text


def named(some: list[Section], heading: str) -> list[Section]:
    """`Tasks`, `## Tasks`, or with the headings above it: `Plan > Tasks`, `Plan#Tasks`."""
    wanted = re.sub(r"^#{1,6}[ \t]+", "", heading.strip())
    key = name_key(wanted)
    exact = [each for each in some if name_key(each.title) == key]
    if exact:
        return exact
    parts = [name_key(part.strip()) for part in re.split(r"\s*>\s*|#", wanted) if part.strip()]
    return [each for each in some if _stands_under(each, parts)] if parts else []


def _stands_under(section: Section, parts: list[str]) -> bool:
    """The nearest is looked at first: most headings are other ones."""
    if len(parts) > len(section.path):
        return False
    return all(name_key(own) == part for own, part in zip(reversed(section.path), reversed(parts), strict=False))
