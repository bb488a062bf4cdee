"""Rows and cells to a table of Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .lines import Lines

_WIDEST = 200  # columns
_RULE = re.compile(r"[ \t]*:?-+:?[ \t]*\|[ \t|:-]*")
_OTHER = re.compile(r"[ \t]*(?:[-*+>][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|`{3}|~{3})")  # no head of a table


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


def open_table(lines: Lines, at: int) -> Lines:
    """The rows of a table whose sign at the left is left out, from its head on, with it; nothing where none begins."""
    if at + 1 >= len(lines) or not _RULE.fullmatch(lines[at + 1][0]) or _OTHER.match(lines[at][0]):
        return []
    found: Lines = []
    for words, number in lines[at:]:
        if "|" not in words:
            break
        found.append((_closed(words), number))
    return found


def _closed(words: str) -> str:
    bare = words.strip()
    left = "" if bare.startswith("|") else "| "
    right = "" if bare.endswith("|") and not bare.endswith("\\|") else " |"
    return words[: len(words) - len(words.lstrip())] + left + bare + right
