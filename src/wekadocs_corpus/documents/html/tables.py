"""Rows and cells as they go by, to a table of Markdown; a table in a cell is words of that cell."""

from __future__ import annotations

from .writer import Writer

TAGS = frozenset(("table", "tr", "td", "th"))
_WIDEST = 200


class Table:
    """`depth` is how many tables are open."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.depth = self._cells = self._rows = 0

    def begin(self) -> None:
        self.depth += 1
        self._rows = self._rows if self.depth > 1 else 0

    def open(self, tag: str) -> None:
        """A row or a cell."""
        if self.depth == 1 and tag == "tr":
            self.end_row()
        elif self.depth == 1:
            self._writer.put(" | " if self._cells else "| ")
            self._cells += 1

    def end_row(self) -> None:
        if self._cells:
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
