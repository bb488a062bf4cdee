"""The sentence around a place of a text."""

from __future__ import annotations

import re

_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+(?=[^\s])|(?<=[\u3002\uff01\uff1f])|\n")
_LONGEST = 400


def around(text: str, start: int, end: int) -> str:
    """On one line of the text, at most some hundred characters."""
    first, last = max(0, start - _LONGEST), min(len(text), end + _LONGEST)
    begin = max((gap.end() for gap in _END.finditer(text, first, start)), default=first)
    after = next((gap.start() for gap in _END.finditer(text, end, last)), last)
    return " ".join(text[begin:after].split())[:_LONGEST]


def line_of(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
