"""Tables: cells by their signs, rows by the number of columns."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

from wekadocs_corpus.documents.conversion.lines import Lines, dedented
from wekadocs_corpus.documents.conversion.rows import table_lines

if TYPE_CHECKING:
    from .blocks import Blocks

_CELL = re.compile(r"(?:(?:(?<=[\s|])|^)(?:(\d{1,3})?(?:\.\d{1,3})?([+*]))?[<^>]?(?:\.[<^>])?[aehlmsdv]?)?\|(?<!\\\|)")
_COLUMN = re.compile(r"(?:(\d{1,3})\*)?")
_WIDEST = 200


def table(blocks: Blocks, sign: str, values: dict[str, str], body: Lines) -> Lines:
    """The table with its head, cells written in a line."""
    if sign == "," or values.get("format") in ("csv", "tsv"):
        rows = _separated(body, values)
    elif sign == ":":
        rows = [([[cell] for cell in _cut(line, ":")], line[1]) for line in body if line[0].strip()]
    else:
        rows = _rows(body, values, "!" if sign == "!" else "|")
    shown = [([_flat(blocks.read(dedented(cell))) for cell in cells], number) for cells, number in rows]
    return table_lines(shown)  # Markdown has no table without a head: it is the first row


def _cut(line: tuple[str, int], sign: str) -> list[tuple[str, int]]:
    return [(cell.strip(), line[1]) for cell in line[0].split(sign)]


def _rows(body: Lines, values: dict[str, str], sign: str) -> list[tuple[list[Lines], int]]:
    separator = values.get("separator", sign)[:1] or sign
    cells: list[tuple[Lines, int]] = []
    counted, width = 0, _columns(values.get("cols", ""))
    for words, number in body:
        line = words if separator == "|" else words.replace("|", "\\|").replace(separator, "|")
        _add(line, number, cells)
        if not width and cells and not counted:
            counted = len(cells)
    width = width or counted or 1
    return [([cell for cell, _ in cells[at : at + width]], cells[at][1]) for at in range(0, len(cells), width)]


def _add(line: str, number: int, cells: list[tuple[Lines, int]]) -> None:
    found = list(_CELL.finditer(line))
    before = line[: found[0].start()] if found else line
    if cells:
        cells[-1][0].append((before.rstrip().replace("\\|", "|"), number))
    ends = [*(each.start() for each in found[1:]), len(line)]
    for each, end in zip(found, ends, strict=False):
        inside = line[each.end() : end].strip().replace("\\|", "|")
        times = min(int(each[1]), _WIDEST) if each[1] else 1
        for count in range(times):
            cells.append(([(inside if not count or each[2] == "*" else "", number)], number))


def _columns(written: str) -> int:
    """How many columns `cols` states: `1,2a`, `3*`, `<.^2,1`."""
    if not written.strip():
        return 0
    if written.strip().isdigit():
        return 1
    total = 0
    for each in re.split("[,;]", written.strip().rstrip(",")):
        found = _COLUMN.match(each.strip())
        total += int(found[1]) if found and found[1] else 1
    return min(total, _WIDEST)


def _separated(body: Lines, values: dict[str, str]) -> list[tuple[list[Lines], int]]:
    sign = "\t" if values.get("format") == "tsv" else values.get("separator", ",")[:1] or ","
    reader = csv.reader((words + "\n" for words, _ in body), delimiter=sign, skipinitialspace=True)
    rows: list[tuple[list[Lines], int]] = []
    before = 0
    try:
        for cells in reader:
            number = body[min(before, len(body) - 1)][1]
            rows += [([[(cell, number)] for cell in cells], number)] if cells else []
            before = reader.line_num
    except csv.Error:
        rows += [([[line]], line[1]) for line in body[before:] if line[0].strip()]
    return rows


def _flat(lines: Lines) -> str:
    said: list[str] = []
    fence = False
    for words, _ in lines:
        line = words.strip()
        if line.startswith("```"):
            fence = not fence
        elif line:
            said.append(f"`{line}`" if fence and "`" not in line else line)
    return " ".join(said)
