"""Where code stands in a text: fenced blocks and code spans; the rest is prose. Linear in the text's length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_FENCE = re.compile(r"^[ \t>]{0,12}(`{3,}|~{3,})[ \t]*([\w+#.-]{0,30})[^\n]{0,200}$", re.MULTILINE)
_LINE = re.compile(r"\n(?=[ \t>]{0,12}(?:```|~~~))")
_SPAN = re.compile(r"`(`?)([^`\n]{1,200})`\1")
# Neither URLs nor tags, nor link targets, are prose; their words name nothing.
_NOISE = re.compile(r"https?://[^\s<>\"')\]]{1,2000}|</?[A-Za-z][^<>\n]{0,500}>|\]\([^()\s]{1,500}\)|&[a-z]{2,8};")


class Block(NamedTuple):
    """The inside of a fenced block."""

    start: int
    end: int
    language: str


class Regions(NamedTuple):
    """A text taken apart; `prose` has the text's length, with what is not prose blanked out."""

    blocks: tuple[Block, ...]
    spans: tuple[tuple[int, int], ...]  # the insides of code spans
    prose: str


def regions(text: str) -> Regions:
    blocks, fenced = _blocks(text)
    outside = _blank(text, fenced)
    found = list(_SPAN.finditer(outside))
    spans = tuple(match.span(2) for match in found)
    prose = _blank(outside, [match.span() for match in found])
    noise = [match.span() for match in _NOISE.finditer(prose)]
    return Regions(blocks, spans, _blank(prose, noise))


def _blocks(text: str) -> tuple[tuple[Block, ...], list[tuple[int, int]]]:
    blocks: list[Block] = []
    fenced: list[tuple[int, int]] = []
    opening: re.Match[str] | None = None
    for marker in _markers(text):
        if opening is None:
            opening = marker
        elif marker[1][0] == opening[1][0] and len(marker[1]) >= len(opening[1]) and not marker[2]:
            blocks.append(Block(min(opening.end() + 1, marker.start()), marker.start(), opening[2].lower()))
            fenced.append((opening.start(), marker.end()))
            opening = None
    return tuple(blocks), fenced


def _markers(text: str) -> Iterator[re.Match[str]]:
    """Lines that open or close a block; from line end to line end is much faster than `_FENCE.finditer`."""
    for line in (0, *(end.end() for end in _LINE.finditer(text))):
        marker = _FENCE.match(text, line)
        if marker:
            yield marker


def _blank(text: str, ranges: list[tuple[int, int]]) -> str:
    """NUL breaks every phrase, and no pattern of ours matches it."""
    if not ranges:
        return text
    parts, position = [], 0
    for start, end in ranges:
        parts += [text[position:start], "\0" * (end - start)]
        position = end
    parts.append(text[position:])
    return "".join(parts)
