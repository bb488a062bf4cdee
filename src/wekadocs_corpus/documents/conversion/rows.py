"""Rows and cells to a table of Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from .lines import Lines

_WIDEST = 200  # columns


def table_lines(rows: Sequence[tuple[Sequence[str], int]]) -> Lines:
    """The first row is the head; every row gets as many cells as the widest has."""
    if not rows:
        return []
    width = min(_WIDEST, max(len(cells) for cells, _ in rows))
    if not width:
        return []
    lines = [(_row([*cells[:width], *[""] * (width - len(cells))]), number) for cells, number in rows]
    return [lines[0], ("|" + " --- |" * width, lines[0][1]), *lines[1:]]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join([_cell(cell) for cell in cells]) + " |"


def _cell(words: str) -> str:
    """In one line, and without a sign that would end it."""
    words = " ".join(words.split())
    return words.replace("\\|", "|").replace("|", "\\|") if "|" in words else words
