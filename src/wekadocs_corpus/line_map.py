"""From lines of a document's text back to lines of the file it was read from.

The map is a short text: `0:0` is left out, `12:15` says that from line 12 on text and file go on together at line 15 of
the file, `40=33` that all lines from 40 on come from line 33 (an include). Lines are counted from 0 here, from 1 in
what people see. "" is the text as it stands in the file.

A map that begins with `p` leads to pages instead of lines; behind `#` stand the names of pages that are not called by
their number: `p0=0,40=1#0=iv,1=v`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

_ENTRY = re.compile(r"(\d+)([:=])(\d+)")
_PAGES, _NAMES = "p", "#"
_NAME = re.compile(r"(\d+)=([^,]*)")
_NOT_IN_NAMES = str.maketrans("", "", "#,=")


class Stretch(NamedTuple):
    line: int  # of the text, the first
    source: int
    step: int  # 1: both go on together; 0: all come from one line


def encode_lines(numbers: Sequence[int]) -> str:
    """The map for a text whose lines come from these lines of the file."""
    found: list[Stretch] = []
    for line, source in enumerate(numbers):
        last = found[-1] if found else Stretch(0, 0, 1)
        if source == last.source + last.step * (line - last.line):
            continue
        if found and last.step and line == last.line + 1 and source == last.source:
            found[-1] = last._replace(step=0)
        else:
            found.append(Stretch(line, source, 1))
    return _written(found)


def encode_pages(numbers: Sequence[int], names: Mapping[int, str]) -> str:
    """The same for pages; `names`: those that are not called by their number, counted from 1."""
    told = ",".join(f"{page}={name.translate(_NOT_IN_NAMES)}" for page, name in sorted(names.items()))
    return _PAGES + encode_lines(numbers) + (_NAMES + told if told else "")


class Pages(NamedTuple):
    """First and last page of a text, counted from 1, and what the document calls them."""

    first: int
    last: int
    first_name: str
    last_name: str

    @property
    def are_named(self) -> bool:
        return (self.first_name, self.last_name) != (str(self.first), str(self.last))


def source_pages(encoded: str | None, text: str, start: int, end: int) -> Pages | None:
    """Which pages `text[start:end]` was read from; None where the file has none."""
    if not encoded or not encoded.startswith(_PAGES):
        return None
    lines, names = _parted(encoded)
    first, last = _span(lines, text, start, end)
    return Pages(first, last, names.get(first - 1, str(first)), names.get(last - 1, str(last)))


def source_lines(encoded: str | None, text: str, start: int, end: int) -> tuple[int, int] | None:
    """First and last line of the file, counted from 1, of `text[start:end]`; None where none is known."""
    return None if encoded is None or encoded.startswith(_PAGES) else _span(encoded, text, start, end)


def _span(encoded: str, text: str, start: int, end: int) -> tuple[int, int]:
    inside = text[start:end]
    first = text.count("\n", 0, start + len(inside) - len(inside.lstrip()))
    last = text.count("\n", 0, start + len(inside.rstrip()))
    found = _source(encoded, first), _source(encoded, max(first, last))
    return min(found) + 1, max(found) + 1


def part_of(encoded: str | None, first: int, lines: int) -> str | None:
    """The map for so many lines of the text from this one on, which is their line 0."""
    if encoded is None:
        return None
    if encoded.startswith(_PAGES):
        return _part_of_pages(encoded, first, lines)
    inside = [each for each in _decoded(encoded) if first < each.line < first + lines]
    before = _stretch(encoded, first)
    begin = Stretch(0, before.source + before.step * (first - before.line), before.step)
    return _written([begin, *(each._replace(line=each.line - first) for each in inside)])


def _part_of_pages(encoded: str, first: int, lines: int) -> str:
    whole, names = _parted(encoded)
    part = part_of(whole, first, lines) or ""
    pages = {_source(part, line) for line in range(lines)}
    told = ",".join(f"{page}={name}" for page, name in names.items() if page in pages)
    return _PAGES + part + (_NAMES + told if told else "")


def _parted(encoded: str) -> tuple[str, dict[int, str]]:
    lines, _, names = encoded.removeprefix(_PAGES).partition(_NAMES)
    return lines, {int(page): name for page, name in _NAME.findall(names)}


def _written(stretches: Sequence[Stretch]) -> str:
    said = stretches[1:] if stretches and stretches[0] == Stretch(0, 0, 1) else stretches
    return ",".join(f"{each.line}{':' if each.step else '='}{each.source}" for each in said)


def _stretch(encoded: str, line: int) -> Stretch:
    stretches = _decoded(encoded)
    return stretches[bisect_right(stretches, line, key=lambda stretch: stretch.line) - 1]


def _source(encoded: str, line: int) -> int:
    each = _stretch(encoded, line)
    return each.source + each.step * (line - each.line)


@lru_cache(maxsize=64)
def _decoded(encoded: str) -> tuple[Stretch, ...]:
    found = [Stretch(int(line), int(source), int(sign == ":")) for line, sign, source in _ENTRY.findall(encoded)]
    return tuple(found) if found and found[0].line == 0 else (Stretch(0, 0, 1), *found)
