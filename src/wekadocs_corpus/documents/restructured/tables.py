"""Tables of every kind to Markdown's: grids, simple ones, lists of lists, comma-separated values."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

from wekadocs_corpus.documents.conversion.lines import Lines, dedented, indentation
from wekadocs_corpus.documents.conversion.rows import table_lines

if TYPE_CHECKING:
    from .blocks import Blocks

Cell = Lines
Row = list[Cell]
Parse = Callable[[Lines], tuple[list[Row], int]]  # rows, and how many of them are the head

_RULE = re.compile(r"\+[-=+ ]*\+?\Z")
_SIMPLE_RULE = re.compile(r"=+(?: +=+)*\Z")
_UNDERLINE = re.compile(r"[- ]+\Z")
_ITEM = re.compile(r"[-*+](?: +|\Z)")


def markdown(blocks: Blocks, rows: list[Row], head: int) -> Lines:
    """The table, cells read as blocks and written in a line."""
    shown: list[tuple[list[str], int]] = []
    for row in rows:
        number = next((cell[0][1] for cell in row if cell), 0)
        shown.append(([_flat(blocks.read(dedented(cell))) if cell else "" for cell in row], number))
    return table_lines(_joined(shown, head))


def _joined(rows: list[tuple[list[str], int]], head: int) -> list[tuple[list[str], int]]:
    """A head of several rows as one."""
    if head < 2 or len(rows) < head:
        return rows
    width = max(len(cells) for cells, _ in rows[:head])
    columns = [[cells[place] for cells, _ in rows[:head] if place < len(cells)] for place in range(width)]
    return [([" ".join(filter(None, column)) for column in columns], rows[0][1]), *rows[head:]]


def _flat(lines: Lines) -> str:
    said: list[str] = []
    fence = ""
    for words, _ in lines:
        line = words.strip()
        if line.startswith("```"):
            fence = "" if fence else line
        elif line:
            said.append(f"`{line}`" if fence and "`" not in line else line)
    return " ".join(said)


def grid_end(lines: Lines, at: int) -> int:
    end = at
    while end < len(lines) and lines[end][0][:1] in ("+", "|") and lines[end][0]:
        end += 1
    return end if end > at + 2 and _RULE.match(lines[end - 1][0]) else 0


def grid(lines: Lines) -> tuple[list[Row], int]:
    """Columns from the corners of all rules; a cell over several columns stands in its first."""
    corners = sorted(
        {place for words, _ in lines if _RULE.match(words) for place, sign in enumerate(words) if sign == "+"}
    )
    columns = [(a + 1, b) for a, b in pairwise(corners)]
    rows: list[Row] = []
    head, current = 0, list[Cell]()
    for words, number in lines:
        if words[:1] == "+" and _is_rule(words):
            rows += [current] if any(current) else []
            head = len(rows) if "=" in words and rows and not head else head
            current = [[] for _ in columns]
        elif current:
            _into(current, columns, words, number)
    return rows, head


def _is_rule(words: str) -> bool:
    return not set(words) - set("+-= ") or (words.count("-") + words.count("=")) * 2 > len(words)


def _into(row: Row, columns: list[tuple[int, int]], words: str, number: int) -> None:
    first = 0
    for place, (_, end) in enumerate(columns):
        if place + 1 < len(columns) and words[end : end + 1] not in ("|", "+", ""):
            continue  # the cell goes on over the border
        inside = words[columns[first][0] : end].rstrip()
        row[first].append((inside, number))
        first = place + 1


def simple_end(lines: Lines, at: int) -> int:
    """After the rule that a blank line or the end follows."""
    for end in range(at + 1, len(lines)):
        words = lines[end][0]
        if words and _SIMPLE_RULE.match(words) and (end + 1 == len(lines) or not lines[end + 1][0]) and end > at + 1:
            return end + 1
        if words and words[0] == " " and indentation(words) > 400:
            break
    return 0


def simple(lines: Lines) -> tuple[list[Row], int]:
    """Columns from the first rule; a line whose first cell is blank goes on with the row above."""
    starts = [found.start() for found in re.finditer("=+", lines[0][0])]
    columns = list(zip(starts, [*starts[1:], None], strict=True))
    rows: list[Row] = []
    head = 0
    for words, number in lines[1:-1]:
        if _SIMPLE_RULE.match(words) and words:
            head = head or len(rows)
        elif words and not _UNDERLINE.match(words):
            cells = [(words[start:end].rstrip(), number) for start, end in columns]
            if rows and len(rows) != head and not cells[0][0].strip():
                for cell, more in zip(rows[-1], cells, strict=True):
                    cell.append(more)
            else:
                rows.append([[cell] for cell in cells])
    return rows, head


def list_rows(lines: Lines) -> list[Row]:
    """`* - cell` and below it `  - cell`."""
    return [_items(row) for row in _items(lines)]


def _items(lines: Lines) -> list[Lines]:
    found: list[Lines] = []
    for words, number in lines:
        marker = _ITEM.match(words)
        if marker:
            found.append([(" " * marker.end() + words[marker.end() :] if words[marker.end() :] else "", number)])
        elif found:
            found[-1].append((words, number))
    return [dedented(each) for each in found]


def separated_rows(lines: Lines, delimiter: str, quote: str) -> list[Row]:
    """Comma-separated values; what csv refuses stays a line of one cell."""
    sign = {"tab": "\t", "space": " ", "\\t": "\t"}.get(delimiter, delimiter)[:1] or ","
    rows: list[Row] = []
    reader = csv.reader(
        (words + "\n" for words, _ in lines), delimiter=sign, quotechar=quote[:1] or '"', skipinitialspace=True
    )
    before = 0
    try:
        for cells in reader:
            number = lines[min(before, len(lines) - 1)][1]
            rows += [[[(line, number) for line in cell.split("\n")] for cell in cells]] if cells else []
            before = reader.line_num
    except csv.Error:
        rows += [[[line]] for line in lines[before:] if line[0]]
    return rows
