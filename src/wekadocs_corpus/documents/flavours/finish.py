"""The last pass: labels join what they label, titles get a line of their own, layout leaves no margin and no gap."""

from __future__ import annotations

import re

from wekadocs_corpus.documents.conversion.lines import Lines, indentation

from .pieces import Piece
from .signs import ANCHOR, SIGNED

_ITEM = re.compile(r"([ \t]*)((?:[-*+:]|\d{1,9}[.)])[ \t]+)")  # and what a term means
_NO_PROSE = re.compile(r"[ \t]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\||```|~~~|>|---)")
_ANCHOR = re.compile(f"[ \t]*{ANCHOR}([^{ANCHOR}]*){ANCHOR}")
_FENCE = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})")


def finished(pieces: list[Piece], *, mdx: bool) -> tuple[Lines, dict[int, str]]:
    """The lines, and the ids that authors gave to headings, by the line they stand in."""
    page = _Page(mdx=mdx)
    for piece in pieces:
        if piece.code:
            page.code(piece.words, piece.number)
        else:
            page.prose(piece.words, piece.number)
    while page.lines and not page.lines[-1][0].strip():
        page.lines.pop()
    return page.lines, page.anchors


class _Page:
    def __init__(self, *, mdx: bool) -> None:
        self.lines: Lines = []
        self.anchors: dict[int, str] = {}
        self._mdx = mdx
        self._label, self._labelled = "", 0  # what waits for its words, and the line it stood in
        self._margin = ""
        self._items: list[int] = []  # columns of the open list items
        self._fence, self._cut = "", 0  # the fence that is open, and the margin taken from its lines

    def code(self, words: str, number: int) -> None:
        """A line of code, as it is; a fence that only layout indents stands at the margin."""
        found = _FENCE.match(words)
        if not self._fence:
            self._flush(number)
            self._cut = self._surplus(words) if found else 0
            self._fence = found[1] if found else ""
            if found and found.start(1) > indentation(words):
                self._place(words)
        elif words.strip().startswith(self._fence) and not words.strip().strip(self._fence[0]):
            self._fence = ""
        cut = min(self._cut, indentation(words))
        self.lines.append((words[cut:], number))

    def prose(self, words: str, number: int) -> None:
        self._fence = ""
        if not words.strip():
            self._blank(number)
            return
        at, margin = 0, words[: len(words) - len(words.lstrip())]
        for found in SIGNED.finditer(words):
            self._text(words[at : found.start()], number, margin)
            at = found.end()
            self._flush(number)
            words_of = (found[1] or found[2] or "").strip("*: ")
            if found[1] and words_of:
                self._label, self._labelled, self._margin = words_of, number, margin
            elif words_of:
                self._blank(number)
                self._put(f"{margin}**{words_of}**", number)
                self._blank(number)
        self._text(words[at:], number, margin)

    def _text(self, words: str, number: int, margin: str) -> None:
        if not words.strip():
            return
        if words[0] not in " \t":
            words = margin + words
        if self._label:
            if _NO_PROSE.match(words):
                self._flush(number)
            else:
                self._blank(number)
                words, self._label = f"{margin}{self._label}: {words.lstrip()}", ""
        self._put(words, number)

    def _flush(self, number: int) -> None:
        """A label that no paragraph follows stands alone."""
        if self._label:
            words, self._label = f"{self._margin}{self._label}:", ""
            self._blank(number)
            self._put(words, self._labelled)
            self._blank(number)

    def _put(self, words: str, number: int) -> None:
        words = words[self._surplus(words) :].rstrip()
        self._place(words)
        if ANCHOR in words:
            found = _ANCHOR.search(words)
            if found and words.lstrip().startswith("#"):
                self.anchors[len(self.lines)] = found[1]
            words = _ANCHOR.sub("", words)
        if words.strip():
            self.lines.append((words, number))

    def _blank(self, number: int) -> None:
        if self.lines and self.lines[-1][0].strip():
            self.lines.append(("", number))

    def _surplus(self, words: str) -> int:
        """Columns of margin that no list explains."""
        column = indentation(words)
        after_blank = not self.lines or not self.lines[-1][0]
        while self._items and after_blank and column <= self._items[-1] and not _ITEM.match(words):
            self._items.pop()
        if self._items or not column or (not self._mdx and not after_blank):
            return 0
        return column if self._mdx or column >= 4 else 0

    def _place(self, words: str) -> None:
        found = _ITEM.match(words)
        if found:
            column = len(found[1])
            while self._items and self._items[-1] >= column:
                self._items.pop()
            self._items.append(column)
