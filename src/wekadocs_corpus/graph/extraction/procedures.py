"""Procedures: ordered lists of at least two steps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_ITEM = re.compile(r"^(?P<indent> {0,3})(?P<number>\d{1,3})[.)][ \t]+(?P<text>[^\n]{1,300})", re.MULTILINE)
_LINE = re.compile(r"\n(?= {0,3}\d{1,3}[.)][ \t])")
_MARKUP = re.compile(r"[*_`]{1,3}|\[([^\]\n]{0,200})\]\([^()\n]{0,300}\)")
_MOST_STEPS = 50


class Step(NamedTuple):
    """One numbered line."""

    text: str
    start: int
    end: int


def step_places(prose: str) -> list[int]:
    """Where numbered lines begin; from line end to line end is much faster than `_ITEM`."""
    first = [0] if _ITEM.match(prose) else []
    return first + [line.end() for line in _LINE.finditer(prose)]


def procedures(prose: str, text: str, start: int, end: int) -> Iterator[list[Step]]:
    """Numbered lists whose numbers do not fall; `prose` decides what is a list, `text` has the words."""
    steps: list[Step] = []
    last = 0
    for item in _ITEM.finditer(prose, start, end):
        number = int(item["number"])
        if number < last:
            yield from _complete(steps)
            steps = []
        last = number
        steps.append(Step(_plain(text[item.start("text") : item.end("text")]), item.start("text"), item.end("text")))
    yield from _complete(steps)


def _complete(steps: list[Step]) -> Iterator[list[Step]]:
    if len(steps) > 1:
        yield steps[:_MOST_STEPS]


def _plain(line: str) -> str:
    return _MARKUP.sub(lambda match: match[1] or "", line).strip()[:120]
