"""Rows and cells as they go by, to a table of Markdown; a table in a cell is words of that cell.

A cell that is as wide as several leaves the others empty; one that reaches over several rows stands in each of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from .writer import Writer

TAGS = frozenset(("table", "tr", "td", "th"))
_WIDEST, _TALLEST = 200, 1000
_REPEATED = 80  # characters; a longer cell stands in its first row only
_MOST_FILLED = 20_000  # cells of a page that nobody wrote


class Table:
    """`depth` is how many tables are open."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.depth = self._cells = self._rows = 0
        self._start = self._wide = self._tall = 0  # of the cell that is open
        self._from_above: dict[int, tuple[int, str]] = {}  # by column: in how many rows to come, and what
        self._filled = 0

    def begin(self) -> None:
        self.depth += 1
        if self.depth == 1:
            self._rows, self._from_above = 0, {}

    def open(self, tag: str, attributes: Mapping[str, str]) -> None:
        """A row or a cell."""
        if self.depth == 1 and tag == "tr":
            self.end_row()
        elif self.depth == 1:
            self._end_cell()
            self._begin_cell()
            self._start = len(self._writer.line)
            self._wide = _span(attributes, "colspan", _WIDEST - self._cells)
            self._tall = _span(attributes, "rowspan", _TALLEST)

    def end_row(self) -> None:
        if self._cells:
            self._end_cell()
            self._writer.put(" |\n")
            if not self._rows:
                self._writer.put("|" + " --- |" * min(self._cells, _WIDEST) + "\n")
            self._rows += 1
        self._cells = 0

    def end(self) -> bool:
        """Whether it was the outermost."""
        self.depth -= 1
        if not self.depth:
            self.end_row()
        return not self.depth

    def _begin_cell(self) -> None:
        self._writer.put(" | " if self._cells else "| ")
        self._cells += 1

    def _end_cell(self) -> None:
        """What is left of the last one, and what stands beside it from above."""
        if self._wide:
            self._hang_down(self._cells - 1)
            for _ in range(self._wide - 1):
                self._fill("")
        self._wide = 0
        while self._cells in self._from_above and self._filled < _MOST_FILLED:
            rows, words = self._from_above.pop(self._cells)
            if rows > 1:
                self._from_above[self._cells] = (rows - 1, words)
            self._fill(words)

    def _hang_down(self, first: int) -> None:
        """The open cell will stand in the rows below it too."""
        if self._tall == 1 or self._filled >= _MOST_FILLED:
            return
        words = " ".join("".join(self._writer.line[self._start :]).split())
        for place in range(first, first + self._wide):
            shown = words if place == first and len(words) <= _REPEATED else ""
            self._from_above[place] = (self._tall - 1, shown)

    def _fill(self, words: str) -> None:
        if self._filled < _MOST_FILLED:
            self._filled += 1
            self._begin_cell()
            self._writer.put(words)


def _span(attributes: Mapping[str, str], name: str, most: int) -> int:
    given = (attributes.get(name) or "").strip()
    return max(1, min(int(given), most)) if given.isdecimal() and len(given) < 10 else 1
