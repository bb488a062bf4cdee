"""Lines in the order they are read: column by column, what spans columns between them; words of one height in a row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from statistics import median

from .layout import BULLETS, Line

Row = list[Line]  # what stands on one height, from left to right: one line, or the cells of a table

_GAP = 0.95  # of the letters' size: a wider one may be between columns or cells
_SAME_HEIGHT = 0.35  # of the letters' size
_DEEPEST = 3  # columns in columns
_FEWEST = 4  # lines on either side of a gutter
_GUTTER = 0.6  # of the letters' size: its least width
_TRIED = 4  # gaps that may be the gutter
_LEVELS = 6  # of lines that pass it: a title across the columns may end within it
_KEY, _KEYED = 2, 0.2  # words of a key, and of all rows those that have one
_MARK = re.compile(rf"[{BULLETS}*-]|\(?\d{{1,4}}[.)]?|\(?[a-z][.)]|\[\w{{1,12}}\]")  # of an item in a list
_WORDS, _IN_CELL = 3.0, 1.5  # on average, in a line of prose, and between its gaps


def in_order(lines: Sequence[Line]) -> list[list[Row]]:
    """Regions in the order they are read; each is rows from above."""
    return _regions([part for line in lines for part in split(line)], 0)


def split(line: Line) -> list[Line]:
    """A line where the gaps between its words are wide."""
    starts = [0]
    for number in range(1, len(line.words)):
        if line.words[number].left - line.words[number - 1].right > _GAP * line.size:
            starts.append(number)
    if len(starts) == 1:
        return [line]
    ends = [*starts[1:], len(line.words)]
    parts = [replace(line, words=line.words[a:b], broken=False) for a, b in zip(starts, ends, strict=True)]
    parts[-1] = replace(parts[-1], broken=line.broken)
    return parts


def _regions(lines: list[Line], depth: int) -> list[list[Row]]:
    gutter = _gutter(lines) if depth < _DEEPEST else None
    if gutter is None:
        return [rows(lines)] if lines else []
    found: list[list[Row]] = []
    for band in _bands(lines, gutter):
        if len({_side(line, gutter) for line in band}) == 1:
            found.append(rows(band))
            continue
        for side in (-1, 1):
            found += _regions([line for line in band if _side(line, gutter) == side], depth + 1)
    return found


def rows(lines: Sequence[Line]) -> list[Row]:
    """From above; what is written a little higher or lower, as a power is, belongs to its row."""
    found: list[Row] = []
    for line in sorted(lines, key=lambda line: (-line.base, line.left)):
        near = found and abs(found[-1][0].base - line.base) <= _SAME_HEIGHT * min(found[-1][0].size, line.size)
        if near:
            found[-1].append(line)
        else:
            found.append([line])
    return [sorted(row, key=lambda line: line.left) for row in found]


def _side(line: Line, gutter: float) -> int:
    """-1 left of it, 1 right of it, 0 across."""
    return -1 if line.right <= gutter else 1 if line.left >= gutter else 0


def _bands(lines: Sequence[Line], gutter: float) -> list[list[Line]]:
    """From above: what spans the gutter parts what stands on either side of it."""
    across = sorted((line for line in lines if _side(line, gutter) == 0), key=lambda line: -line.base)
    beside = [line for line in lines if _side(line, gutter) != 0]
    found: list[list[Line]] = []
    for line in across:
        above = [each for each in beside if each.base > line.base]
        beside = [each for each in beside if each.base <= line.base]
        if above:
            found.append(above)
        if found and _side(found[-1][0], gutter) == 0:
            found[-1].append(line)
        else:
            found.append([line])
    return [*found, beside] if beside else found


def _gutter(lines: Sequence[Line]) -> float | None:
    """Where hardly any line passes, with prose on both sides at the same height."""
    if len(lines) < 2 * _FEWEST:
        return None
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    width = int(right - left) + 2
    if not 50 < width < 20_000:
        return None
    changes = [0] * (width + 1)
    for line in lines:
        changes[int(line.left - left)] += 1
        changes[min(width, int(line.right - left) + 1)] -= 1
    begin = int(0.2 * width)
    passing = list(accumulate(changes))[begin : int(0.8 * width)]
    size = median(line.size for line in lines)
    for most in sorted({value for value in passing if 3 * value <= len(lines)})[:_LEVELS]:
        for start, length in _valleys(passing, most):
            place = left + begin + start + length / 2
            if length >= _GUTTER * size and _parts_prose(lines, place):
                return place
    return None


def _valleys(passing: Sequence[int], most: int) -> list[tuple[int, int]]:
    """Where at most so many lines pass: where that begins and how long it is, the longest first."""
    found, length = list[tuple[int, int]](), 0
    for place, value in enumerate([*passing, most + 1]):
        if value <= most:
            length += 1
        elif length:
            found.append((place - length, length))
            length = 0
    return sorted(found, key=lambda run: -run[1])[:_TRIED]


def _parts_prose(lines: Sequence[Line], place: float) -> bool:
    sides: dict[int, list[Line]] = {-1: [], 0: [], 1: []}
    for line in lines:
        sides[_side(line, place)].append(line)
    one, other = sides[-1], sides[1]
    if min(len(one), len(other)) < _FEWEST or 2 * len(sides[0]) > len(one) + len(other):
        return False
    if not (_is_prose(one) and _is_prose(other)) or _overlap(one, other) <= 0.3:
        return False
    return not _has_keys(one) or _has_keys(other)  # a glossary may stand in two columns


def _is_prose(side: Sequence[Line]) -> bool:
    """Many words on one height, few cells: figures in a table are single words."""
    words, heights = sum(len(line.words) for line in side), len({round(line.base) for line in side})
    return words >= _WORDS * heights and words >= _IN_CELL * len(side)


def _has_keys(side: Sequence[Line]) -> bool:
    """Whether many of its rows begin with a word or two that stand apart: the first column of a table."""
    found = rows(side)
    keys = [row[0] for row in found if len(row) > 1 and len(row[0].words) <= _KEY and not _MARK.fullmatch(row[0].text)]
    return len(keys) >= _FEWEST and len(keys) >= _KEYED * len(found)


def _overlap(one: Sequence[Line], other: Sequence[Line]) -> float:
    """Of the heights that both sides take, as a share of the lesser."""
    (low, high), (below, above) = ((min(x.base for x in side), max(x.base for x in side)) for side in (one, other))
    lesser = min(high - low, above - below)
    return (min(high, above) - max(low, below)) / lesser if lesser > 0 else 0.0
