"""What is printed on every page around the text: running heads, page numbers, notices. It is no part of the text."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from .layout import DASHES, Line, Sheet

_NUMBER = re.compile(r"\d+")
_ROMAN = re.compile(r"\b[ivxlc]{1,7}\b", re.I)
_EDGE = 0.14  # of the height, at either end
_OUTERMOST = 3  # lines from above, or from below, that may be such
_GAP = 1.7  # of the letters' size, between them and the text
_NEAR = 2  # pages before and after on which the same is looked for: left and right pages may differ
_MOST_NUMBERS = 2  # a row of figures is none
_SAME_HEIGHT = 3.0

_Place = tuple[str, float]  # what it says but for numbers, and how high it stands


def without_running(sheets: Iterable[Sheet | None]) -> Iterator[list[Line]]:
    """The lines of each page without them; only pages near to each other are in memory at a time."""
    held: deque[tuple[Sheet | None, dict[int, _Place]]] = deque()
    place = 0  # in what is held, of the page that comes next
    for sheet in sheets:
        held.append((sheet, _edges(sheet) if sheet else {}))
        if len(held) - place > _NEAR:
            yield _kept(held, place)
            place += 1
        if place > _NEAR:
            held.popleft()
            place -= 1
    for rest in range(place, len(held)):
        yield _kept(held, rest)


def _kept(held: Sequence[tuple[Sheet | None, dict[int, _Place]]], place: int) -> list[Line]:
    sheet, edges = held[place]
    near = range(max(0, place - _NEAR), min(len(held), place + _NEAR + 1))
    others = [other for number in near if number != place for other in held[number][1].values()]
    running = {line for line, own in edges.items() if any(_same(own, other) for other in others)}
    return [line for line in sheet.lines if id(line) not in running] if sheet else []


def _edges(sheet: Sheet) -> dict[int, _Place]:
    """Lines near the top and the bottom, by identity."""
    lines = sorted(sheet.lines, key=lambda line: -line.base)
    if not lines:
        return {}
    turned = min(line.base for line in lines) < 0  # counted from elsewhere
    high = lines[0].base - _EDGE * sheet.height if turned else (1 - _EDGE) * sheet.height
    low = lines[-1].base + _EDGE * sheet.height if turned else _EDGE * sheet.height
    above = [line for line in _outermost(lines) if line.base >= high]
    below = [line for line in _outermost(lines[::-1]) if line.base <= low]
    return {id(line): (key, line.base) for line in [*above, *below] if (key := _key(line.text)) is not None}


def _outermost(lines: Sequence[Line]) -> list[Line]:
    """Those on the first heights, which a gap parts from all others; several may stand on one."""
    heights, found = 0, list[Line]()
    for line in lines:
        apart = abs(found[-1].base - line.base) if found else 0.0
        if found and apart > _GAP * max(line.size, found[-1].size):
            return found
        heights += not found or apart > _SAME_HEIGHT
        if heights > _OUTERMOST:
            break
        found.append(line)
    return []


def _key(text: str) -> str | None:
    """What it says but for numbers; None for what cannot be such a line."""
    words = text.casefold().strip()
    numbers = _NUMBER.findall(words)
    if len(words) > 200 or (len(numbers) > _MOST_NUMBERS and 2 * sum(map(len, numbers)) > len(words)):
        return None
    if _ROMAN.fullmatch(words.strip(f"{DASHES}. ")):
        return "#"
    plain = _NUMBER.sub("#", words)
    return "#" if plain.strip(f"{DASHES}. |") == "#" else plain


def _same(one: _Place, other: _Place) -> bool:
    return one[0] == other[0] and abs(one[1] - other[1]) <= _SAME_HEIGHT
