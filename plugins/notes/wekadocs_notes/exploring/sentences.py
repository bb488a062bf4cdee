"""The sentence around a place of a text."""

from __future__ import annotations

import re

_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+(?=[^\s])|(?<=[\u3002\uff01\uff1f])|\n")
_SPACE = re.compile(r"\s+")
_LONGEST = 400


def around(text: str, start: int, end: int) -> str:
    """On one line of the text, at most some hundred characters."""
    first, last = max(0, start - _LONGEST), min(len(text), end + _LONGEST)
    begin = max((gap.end() for gap in _END.finditer(text, first, start)), default=first)
    after = next((gap.start() for gap in _END.finditer(text, end, last)), last)
    begin, after = _shortened(text, begin, start, end, after)
    return " ".join(text[begin:after].split())[:_LONGEST]


def _shortened(text: str, begin: int, start: int, end: int, after: int) -> tuple[int, int]:
    """Of a long one what is nearest to its place, between words where it has some."""
    if after - begin <= _LONGEST:
        return begin, after
    room = max(0, _LONGEST - (end - start))
    first = max(begin, min(start - room // 2, after - _LONGEST))
    last = min(after, first + _LONGEST)
    if first > begin:
        first = next((gap.end() for gap in _SPACE.finditer(text, first, start)), first)
    if last < after:
        last = max((gap.start() for gap in _SPACE.finditer(text, min(end, last), last)), default=last)
    return first, last


def line_of(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
