"""A text as the blocks its author wrote: headings, paragraphs, items of lists, rows of tables, code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from wekadocs_corpus.evidence.sentences import Span, stripped

Kind = Literal["heading", "text", "item", "step", "header", "row", "code"]

_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_FENCE_LINE = re.compile(r"^([ \t>]*)(?:`{3,}|~{3,})[ \t]*([^`\n]*?)[ \t]*$", re.M)
_ITEM = re.compile(r"[ \t>]*(?:([-*+•‣◦])|\d{1,9}[.)])[ \t]+")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_LINK_TARGET = re.compile(r"[ \t]{0,3}\[[^\]^\s][^\]]*\]:[ \t]*\S")  # of Markdown: no reader of the page sees it
_ITEMS = ("item", "step")


class Block(NamedTuple):
    """`header` is a table's first row with the line below it."""

    start: int
    end: int
    kind: Kind


@dataclass
class _Open:
    """A block that may go on in the next line."""

    start: int
    end: int
    kind: Kind
    indent: int


def blocks(text: str) -> list[Block]:
    return _Reading(text).blocks()


class _Reading:
    """Line by line: what is open, and inside of which fence."""

    def __init__(self, text: str) -> None:
        self._text, self._found = text, list[Block]()
        self._open: _Open | None = None
        self._fence, self._blank = "", False

    def blocks(self) -> list[Block]:
        begun = _code_begun(self._text)
        if begun:
            self._open = _Open(0, begun[0], "code", 0)
            self._close()
        for start, end in _lines(self._text, begun[1] if begun else 0):
            self._line(start, end, self._text[start:end])
        self._close()
        return self._found

    def _line(self, start: int, end: int, line: str) -> None:
        fence = _FENCE.match(line)
        if self._fence:
            self._inside_code(end, fence, line)
        elif _LINK_TARGET.match(line):
            self._close()
        elif not line.strip():
            self._blank = True
            if self._open and self._open.kind not in _ITEMS:
                self._close()
        else:
            self._said(start, end, line, fence)
            self._blank = False

    def _inside_code(self, end: int, fence: re.Match[str] | None, line: str) -> None:
        assert self._open
        self._open.end = end
        if fence and fence[1].startswith(self._fence) and not line[fence.end() :].strip():
            self._fence = ""
            if self._open.kind == "code":
                self._close()

    def _said(self, start: int, end: int, line: str, fence: re.Match[str] | None) -> None:
        indent = len(line) - len(line.lstrip())
        deeper = self._open is not None and self._open.kind in _ITEMS and indent > self._open.indent
        item = _ITEM.match(line)
        if fence:
            self._fence = fence[1]
            self._go_on(end) if deeper else self._begin(start, end, "code", indent)
        elif _HEADING.match(line):
            self._begin(start, end, "heading", 0)
            self._close()
        elif item and not (deeper and self._open and indent > self._open.indent + 1):
            self._begin(start, end, "item" if item[1] else "step", indent)
        elif _is_row(line) and not deeper:
            self._row(start, end, line)
        elif self._goes_on(deeper=deeper):
            self._go_on(end)
        else:
            self._begin(start, end, "text", indent)

    def _goes_on(self, *, deeper: bool) -> bool:
        kind = self._open.kind if self._open else ""
        return kind == "text" or (kind in _ITEMS and (deeper or not self._blank))

    def _row(self, start: int, end: int, line: str) -> None:
        self._close()
        if line.strip().strip("|:-+= \t"):
            self._begin(start, end, "row", 0)
            self._close()
        elif self._found and self._found[-1].kind == "row":
            self._found[-1] = Block(self._found[-1].start, start + len(line.rstrip()), "header")

    def _begin(self, start: int, end: int, kind: Kind, indent: int) -> None:
        self._close()
        self._open = _Open(start, end, kind, indent)

    def _go_on(self, end: int) -> None:
        assert self._open
        self._open.end = end

    def _close(self) -> None:
        if self._open:
            start, end = stripped(self._text, self._open.start, self._open.end)
            if start < end:
                self._found.append(Block(start, end, self._open.kind))
        self._open = None


def _is_row(line: str) -> bool:
    """The sign at its end may be left out."""
    bare = line.strip()
    return bare.startswith("|") and bare.count("|") > 1


def _code_begun(text: str) -> Span | None:
    """The line that closes the code which a text begins inside of, as one does that is cut out of its document.

    Its fences are one too many then, and the first names no language; what opens code stands below a blank line rather
    than above one, and a second fence that names its language opens code.
    """
    fences = list(_FENCE_LINE.finditer(text))
    if len(fences) % 2 == 0 or fences[0][2]:
        return None
    first = fences[0]
    above, below = text[: first.start()].rstrip(" \t"), text[first.end() :].partition("\n")[2]
    names = len(fences) > 1 and bool(fences[1][2])
    closes = names or below.partition("\n")[0].strip() == ""
    return (first.start(), min(len(text), first.end() + 1)) if above.strip() and closes else None


def _lines(text: str, start: int = 0) -> Iterator[Span]:
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield start, end
        start = end


def table_above(text: str, start: int) -> str:
    """The header of the table that goes on at `start`, with the line below it; "" where none begins before."""
    first = start
    while first:
        before = text.rfind("\n", 0, first - 1) + 1
        if not _is_row(text[before:first]):
            break
        first = before
    found = blocks(text[first:start])
    return text[first : first + found[0].end] if found and found[0].kind == "header" else ""
