"""Rows of cells that stand below each other: a table."""

from __future__ import annotations

from collections.abc import Sequence

from .columns import Row
from .layout import Line

_FEWEST = 3  # rows of two columns; of more columns one less
_CLOSE = 2.6  # heights of letters from one row to the next
_WITHIN = 1.45  # within a cell


def table_at(found: Sequence[Row], start: int) -> tuple[int, list[list[str]]] | None:
    """The table that begins with this row: how many rows it takes, and its cells; None where none begins."""
    end = start
    while end < len(found) and _belongs(found, start, end):
        end += 1
    several = [row for row in found[start:end] if len(row) > 1]
    if not several or len(several) < _FEWEST - (len(several[0]) > 2):
        return None
    columns = _columns([line for row in several for line in row])
    if len(columns) < 2 or any(_crowded(row, columns) for row in several):
        return None
    return end - start, _cells(found, start, end, columns)


def _belongs(found: Sequence[Row], start: int, place: int) -> bool:
    row = found[place]
    if place == start:
        return len(row) > 1
    before = found[place - 1]
    near = before[0].base - row[0].base <= _CLOSE * max(before[0].size, row[0].size)
    # A cell that goes on below itself; a line from the left margin on is the text after the table.
    return near and (len(row) > 1 or _goes_on(found, start, place))


def _goes_on(found: Sequence[Row], start: int, place: int) -> bool:
    """Whether this row is only more of the cells above it: it begins right of the first column, close below."""
    row, before = found[place], found[place - 1]
    beside = row[0].left > found[start][0].right
    return place > start and beside and before[0].base - row[0].base <= _WITHIN * row[0].size


def _columns(cells: Sequence[Line]) -> list[tuple[float, float]]:
    """Where cells stand, side by side: between them no cell reaches."""
    found: list[tuple[float, float]] = []
    for cell in sorted(cells, key=lambda cell: cell.left):
        if found and cell.left < found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], cell.right))
        else:
            found.append((cell.left, cell.right))
    return found


def _column(cell: Line, columns: Sequence[tuple[float, float]]) -> int:
    return max(range(len(columns)), key=lambda n: min(cell.right, columns[n][1]) - max(cell.left, columns[n][0]))


def _crowded(row: Row, columns: Sequence[tuple[float, float]]) -> bool:
    return len({_column(cell, columns) for cell in row}) < len(row)


def _cells(found: Sequence[Row], start: int, end: int, columns: Sequence[tuple[float, float]]) -> list[list[str]]:
    table: list[list[str]] = []
    for number in range(start, end):
        row = found[number]
        if not table or not _goes_on(found, start, number):
            table.append([""] * len(columns))
        for cell in row:
            place = _column(cell, columns)
            table[-1][place] = f"{table[-1][place]} {cell.text}".strip()
    return table
