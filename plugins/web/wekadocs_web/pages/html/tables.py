"""Tables as aligned rows of cells; what spans columns or rows keeps every other cell below its heading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, takewhile

from .nodes import HEADINGS, Node, attributes, classes, plain_text, seen_children

_WIDEST = 60  # letters up to which the cells of a column are padded
_MOST_COLUMNS, _MOST_CELLS = 200, 50_000
_MOST_HEADS = 3
_TABLES_WITHIN = 3  # tables, one in the other
_GROUPS = ("thead", "tbody", "tfoot")
Cell = Callable[[Node], str]
_Row = list[str | None]  # None where only a cell beside it reaches


@dataclass
class _Carried:
    """A cell that reaches into the rows below."""

    text: str | None
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


def is_layout(table: Node) -> bool:
    """Whether it only puts things side by side: said so, of one column, or with headings or code in its cells."""
    if attributes(table).get("role", "").lower() in ("presentation", "none"):
        return True
    if any("icon" in classes(attributes(cell)) for row in rows_of(table) for cell in cells_of(row)[:1]):
        return True  # what Asciidoctor calls the attention to
    columns = max((len(cells_of(row)) for row in rows_of(table)), default=0)
    return columns < 2 or _holds_pages(table, 0, _has_head(table))


def _has_head(table: Node) -> bool:
    """Whether its first row only names what stands below."""
    first = next(iter(rows_of(table)), None)
    return first is not None and all(cell.tag == "th" for cell in cells_of(first))


def _holds_pages(table: Node, within: int, headed: bool = False) -> bool:
    """Headings or code in its cells, or in those of a table in one, as old sites build their pages.

    A line of code below a head is a cell like any other.
    """
    for row in rows_of(table):
        near = [child for cell in cells_of(row) for child in _near(cell)]
        if any(child.tag in HEADINGS or (child.tag == "pre" and not (headed and _one_line(child))) for child in near):
            return True
        inner = [child for child in near if child.tag == "table"] if within < _TABLES_WITHIN else []
        if any(_holds_pages(each, within + 1) for each in inner):
            return True
    return False


def _one_line(code: Node) -> bool:
    return "\n" not in plain_text(code, verbatim=True).strip()


def _near(cell: Node) -> list[Node]:
    """What stands in a cell, and in a `div` of it."""
    own = list(seen_children(cell))
    return own + [inner for each in own if each.tag == "div" for inner in seen_children(each)]


def written(table: Node, cell: Cell) -> str:
    """Rows of Markdown, the first one the head; empty for a table without a word."""
    grid = _evened(_one_head(_grid(table, cell), _heads(table)))
    if not any(text for row in grid for text in row):
        return ""
    columns = len(grid[0])
    widths = [max(3, min(_WIDEST, max(len(row[at]) for row in grid))) for at in range(columns)]
    lines = [_line(row, widths) for row in grid]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]])


def _heads(table: Node) -> int:
    """Rows that only name what stands below."""
    rows = list(islice(rows_of(table), _MOST_HEADS + 1))
    named = list(takewhile(_only_names, rows))
    return len(named) if len(named) < len(rows) else 1


def _only_names(row: Node) -> bool:
    cells = cells_of(row)
    return len(cells) > 1 and all(each.tag == "th" for each in cells)


def _one_head(grid: list[_Row], heads: int) -> list[_Row]:
    """A column's name is all that stands above it; what spans columns names each of them."""
    if heads < 2 or len(grid) <= heads:
        return grid
    wide = max(map(len, grid[:heads]))
    spread = [_spread([*row, *[""] * (wide - len(row))]) for row in grid[:heads]]
    names = (" ".join(dict.fromkeys(filter(None, column))) for column in zip(*spread, strict=True))
    return [list(names), *grid[heads:]]


def _spread(row: _Row) -> list[str]:
    said: list[str] = []
    for text in row:
        said.append(text if text is not None else said[-1] if said else "")
    return said


def flat(table: Node, cell: Cell) -> str:
    """A table inside of a cell: its rows in words."""
    rows = (", ".join(filter(None, map(cell, cells_of(row)))) for row in rows_of(table))
    return "; ".join(filter(None, rows))


def _line(row: list[str], widths: list[int]) -> str:
    return "| " + " | ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) + " |"


def _grid(table: Node, cell: Cell) -> list[_Row]:
    grid: list[_Row] = []
    carried: dict[int, _Carried] = {}
    cells = 0
    for row in rows_of(table):
        line = _placed(row, cell, carried, spans=cells <= _MOST_CELLS)
        cells += len(line)
        if line:
            grid.append(line)
        if cells > _MOST_CELLS:
            carried.clear()
    return grid


def _evened(grid: list[_Row]) -> list[list[str]]:
    """All rows of one length; a column in which no cell begins is none."""
    begun = sorted({at for row in grid for at, text in enumerate(row) if text is not None})
    return [[(row[at] or "") if at < len(row) else "" for at in begun] for row in grid]


def _placed(row: Node, cell: Cell, carried: dict[int, _Carried], *, spans: bool) -> _Row:
    """One row, each cell in its column: those above that reach into it say their text again."""
    line: _Row = []
    beyond: list[str] = []  # what has no column left
    for each in cells_of(row):
        _take_over(line, carried)
        text, its = _escaped(cell(each)), attributes(each)
        if len(line) >= _MOST_COLUMNS:
            beyond.append(text)
            continue
        wide = min(_number(its.get("colspan")), _MOST_COLUMNS - len(line)) if spans else 1
        high = _number(its.get("rowspan"), none=0) if spans else 1
        for offset in range(wide):
            said = text if not offset else None
            if high != 1:
                carried[len(line)] = _Carried(said, (high or 65_535) - 1)
            line.append(said)
    _take_over(line, carried)
    if any(beyond):
        line[-1] = " ".join(filter(None, (line[-1], *beyond)))
    return line


def _take_over(line: _Row, carried: dict[int, _Carried]) -> None:
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
