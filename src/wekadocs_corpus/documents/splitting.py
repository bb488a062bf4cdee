"""Blocks to pieces no larger than a chunk may be: whole where they fit, else cut where it hurts least."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from wekadocs_corpus.documents.formats.markdown_lines import indentation
from wekadocs_corpus.documents.formats.markdown_scan import Scan
from wekadocs_corpus.evidence.sentences import sentences
from wekadocs_corpus.tokens import count

from .blocks import APART, Block, split_lines

TARGET, MOST, FEW = 180, 260, 60  # words of a chunk: wanted, at most, and so few that it had better grow
_RUN = 240  # characters that are cut off even where no line or sentence ends
_DEEPEST = 4  # lists in lists that are still looked into
_ROWS = re.compile(r"</(?:tr|li|p|td|th|div|dd|dt)>\s{0,99}|<br\s?/?>", re.I)
_WORD = re.compile(rf"\S{{1,{_RUN}}}\s{{0,{_RUN}}}|\s{{1,{_RUN}}}")

Cut = Callable[[str], list[int]]  # where the parts of a text end


class Piece(NamedTuple):
    start: int
    end: int
    size: int  # in words, see `measure`
    kind: str
    joins: int = APART
    continues: bool = False  # begins inside a block


def measure(text: str) -> int:
    """Words; where words are long or unknown (code, CJK, base64) what the tokens are worth: 0.6 words each."""
    found = text.split()
    words = len(found)
    if not words:
        return 0
    if text.isascii():
        if len(text) <= 9 * words:
            return words
        if len(text) < 160:  # not worth counting
            return max(words, sum(map(len, found)) // 5)
    return max(words, round(0.6 * count(text)))


def pieces(text: str, block: Block) -> Iterator[Piece]:
    """The block in one piece if it fits a chunk, else in several that follow each other without gap."""
    size = measure(text[block.start : block.end])
    if size <= MOST:
        yield Piece(block.start, block.end, size, block.kind, block.joins)
        return
    continues = False
    for start, end, size, kind in _smaller(text, block, 0, 0):
        yield Piece(start, end, size, kind, APART, continues)
        continues = True


def _smaller(text: str, block: Block, stage: int, depth: int) -> Iterator[tuple[int, int, int, str]]:
    """Cut again and again, each stage finer than the one before, until everything fits."""
    for part in _parts(text, block, stage, depth):
        size = measure(text[part.start : part.end])
        if size <= MOST or stage >= len(_STAGES[block.kind]) - 1:
            yield part.start, part.end, size, part.kind
        elif part.kind != block.kind or (stage == 0 and block.kind == "list" and part != block):
            yield from _smaller(text, part, 0 if depth < _DEEPEST else 1, depth + 1)
        else:
            yield from _smaller(text, part, stage + 1, depth)


def _parts(text: str, block: Block, stage: int, depth: int) -> list[Block]:
    inside = text[block.start : block.end]
    if block.kind == "list" and stage == 0:
        return _nested(inside, block.start) if depth < _DEEPEST else [block]
    ends = _STAGES[block.kind][stage](inside)
    starts = [0, *ends[:-1]]
    return [Block(block.kind, block.start + a, block.start + b) for a, b in zip(starts, ends, strict=True)]


def _nested(inside: str, offset: int) -> list[Block]:
    """A list item's first line, then the blocks that are indented under it."""
    lines = split_lines(inside)
    below = next((indentation(line) for line in lines[1:] if line.strip()), 0)
    first = len(lines[0])
    blocks = Scan(inside[first:], offset + first, below).blocks()
    plain = [block._replace(kind="prose") if block.kind == "heading" else block for block in blocks]
    return [Block("prose", offset, offset + first), *plain]


def _by_line(inside: str) -> list[int]:
    ends, end = [], 0
    for line in split_lines(inside):
        end += len(line)
        ends.append(end)
    return ends


def _by_gap(inside: str) -> list[int]:
    """Runs of lines between blank lines, for code."""
    ends, end, blank = [], 0, False
    for line in split_lines(inside):
        empty = line.isspace()
        if blank and not empty:
            ends.append(end)
        end, blank = end + len(line), empty
    return [*ends, end]


def _by_sentence(inside: str) -> list[int]:
    ends, last = [], 0
    for start, _ in sentences(inside):
        if start - last >= _RUN // 2:  # short sentences stay together: a page of Chinese has thousands
            last = _line_start(inside, start)
            ends.append(last)
    return [*ends, len(inside)]


def _line_start(inside: str, start: int) -> int:
    """Back over the indentation, if nothing else stands before."""
    at = start
    while at > 0 and inside[at - 1] in " \t":
        at -= 1
    return at if at > 0 and inside[at - 1] in "\r\n" else start


def _by_row(inside: str) -> list[int]:
    """Long lines of HTML, as some tools write tables."""
    ends = [found.end() for found in _ROWS.finditer(inside)]
    return ends if ends and ends[-1] == len(inside) else [*ends, len(inside)]


def _by_word(inside: str) -> list[int]:
    """Runs of whole words; a word without end is cut."""
    ends, start = [], 0
    for found in _WORD.finditer(inside):
        if found.end() - start > _RUN and found.start() > start:
            start = found.start()
            ends.append(start)
    return [*ends, len(inside)]


_STAGES: dict[str, tuple[Cut, ...]] = {
    "prose": (_by_sentence, _by_line, _by_row, _by_word),
    "list": (_by_line, _by_line, _by_sentence, _by_row, _by_word),  # the first is `_nested`
    "code": (_by_gap, _by_line, _by_word),
    "table": (_by_line, _by_row, _by_word),
    "heading": (_by_word,),
    "front_matter": (_by_line, _by_word),
}
