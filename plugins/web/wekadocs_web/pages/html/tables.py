"""Tables as aligned rows of cells; what spans columns or rows keeps every other cell below its heading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .nodes import Node, attributes, seen_children

_WIDEST = 60  # letters up to which the cells of a column are padded
_MOST_COLUMNS, _MOST_CELLS = 200, 50_000
_GROUPS = ("thead", "tbody", "tfoot")
Cell = Callable[[Node], str]


@dataclass
class _Carried:
    """A cell that reaches into the rows below."""

    text: str
    rows: int


def caption(table: Node) -> Node | None:
    return next((child for child in seen_children(table) if child.tag == "caption"), None)


def rows_of(table: Node) -> Iterator[Node]:
    """Its own, not those of tables inside; a head first, a foot last, as a browser shows them."""
    groups: dict[str, list[Node]] = {name: [] for name in ("thead", "tbody", "tfoot")}
    for child in seen_children(table):
        if child.tag in _GROUPS:
            groups[child.tag].extend(row for row in seen_children(child) if row.tag == "tr")
        elif child.tag == "tr":
            groups["tbody"].append(child)
    return (row for name in ("thead", "tbody", "tfoot") for row in groups[name])


def cells_of(row: Node) -> list[Node]:
    return [cell for cell in seen_children(row) if cell.tag in ("td", "th")]


def written(table: Node, cell: Cell) -> str:
    """Rows of Markdown, the first one the head; empty for a table without a word."""
    grid = _grid(table, cell)
    if not any(text for row in grid for text in row):
        return ""
    columns = max(map(len, grid))
    grid = [row + [""] * (columns - len(row)) for row in grid]
    widths = [max(3, min(_WIDEST, max(len(row[at]) for row in grid))) for at in range(columns)]
    lines = [_line(row, widths) for row in grid]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]])


def flat(table: Node, cell: Cell) -> str:
    """A table inside of a cell: its rows in words."""
    rows = (", ".join(filter(None, map(cell, cells_of(row)))) for row in rows_of(table))
    return "; ".join(filter(None, rows))


def _line(row: list[str], widths: list[int]) -> str:
    return "| " + " | ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) + " |"


def _grid(table: Node, cell: Cell) -> list[list[str]]:
    grid: list[list[str]] = []
    carried: dict[int, _Carried] = {}
    cells = 0
    for row in rows_of(table):
        line = _placed(row, cell, carried)
        cells += len(line)
        if line:
            grid.append(line)
        if cells > _MOST_CELLS:
            carried.clear()
    return grid


def _placed(row: Node, cell: Cell, carried: dict[int, _Carried]) -> list[str]:
    """One row, each cell in its column: those above that reach into it say their text again."""
    line: list[str] = []
    for each in cells_of(row):
        _take_over(line, carried)
        its = attributes(each)
        wide = min(_number(its.get("colspan")), _MOST_COLUMNS - len(line))
        if wide < 1:
            break
        text, high = _escaped(cell(each)), _number(its.get("rowspan"), none=0)
        for offset in range(wide):
            said = text if not offset else ""
            if high != 1:
                carried[len(line)] = _Carried(said, (high or 65_535) - 1)
            line.append(said)
    _take_over(line, carried)
    return line


def _take_over(line: list[str], carried: dict[int, _Carried]) -> None:
    while (above := carried.get(len(line))) is not None:
        above.rows -= 1
        if above.rows < 1:
            del carried[len(line)]
        line.append(above.text)


def _escaped(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")


def _number(stated: str | None, none: int = 1) -> int:
    """Of columns or rows; zero rows are all that are left."""
    bare = (stated or "1").strip()
    if not (bare.isascii() and bare.isdigit()):
        return 1
    return max(none, min(int(bare[:6]), 65_534))
