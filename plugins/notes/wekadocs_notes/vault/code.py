"""Where a text is code: nothing there is a link or a tag. One pass, whatever the text is made of."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict

_FENCE = re.compile(r"^\ufeff?[ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(`{3,}|~{3,})([^\n]*)$", re.M)
_TICKS = re.compile(r"`+")
_BLANK = re.compile(r"\n[ \t>]*\r?\n")
Spans = list[tuple[int, int]]  # in order, none within another


class Code:
    """The places of a text that are code."""

    def __init__(self, text: str) -> None:
        self._spans = _spans(text) if "`" in text or "~~~" in text else []
        self._starts = [start for start, _ in self._spans]

    def has(self, place: int) -> bool:
        at = bisect_right(self._starts, place) - 1
        return at >= 0 and place < self._spans[at][1]


def _spans(text: str) -> Spans:
    fences = _fences(text)
    found: Spans = []
    end = 0
    for start, after in [*fences, (len(text), len(text))]:
        found += _inline(text, end, start)
        if start < after:
            found.append((start, after))
        end = after
    return found


def _fences(text: str) -> Spans:
    found: Spans = []
    opening: tuple[int, str] | None = None
    for line in _FENCE.finditer(text):
        marks, rest = line[1], line[2].strip()
        if opening is None:
            if marks[0] == "~" or "`" not in rest:
                opening = (line.start(), marks)
        elif marks.startswith(opening[1]) and not rest:
            found.append((opening[0], line.end()))
            opening = None
    return [*found, (opening[0], len(text))] if opening else found


def _inline(text: str, start: int, end: int) -> Spans:
    """Between runs of backticks of one length, within a paragraph."""
    runs = [(run.start(), run.end()) for run in _TICKS.finditer(text, start, end)]
    if len(runs) < 2:
        return []
    breaks = [gap.start() for gap in _BLANK.finditer(text, start, end)]
    later: defaultdict[int, list[int]] = defaultdict(list)  # length → places among the runs, the next one last
    for place in range(len(runs) - 1, -1, -1):
        later[runs[place][1] - runs[place][0]].append(place)
    found: Spans = []
    behind = -1
    for place, (begin, after) in enumerate(runs):
        alike = later[after - begin]
        alike.pop()
        if place <= behind or (begin > 0 and text[begin - 1] == "\\"):
            continue
        if alike and bisect_right(breaks, begin) == bisect_right(breaks, runs[alike[-1]][0]):
            behind = alike[-1]
            found.append((begin, runs[behind][1]))
    return found
