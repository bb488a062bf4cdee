"""CSV and TSV: one table, its first row the head, so that every row is quoted with the names of its columns."""

from __future__ import annotations

import csv
import io

from wekadocs_corpus.documents.conversion.lines import Converted, Lines, converted
from wekadocs_corpus.documents.conversion.neighbours import Neighbours
from wekadocs_corpus.documents.conversion.rows import table_lines
from wekadocs_corpus.documents.decoding import Unreadable

_SIGNS = ",;\t|"
_LONGEST_CELL = 1 << 20


def convert_delimited(text: str, neighbours: Neighbours) -> Converted:
    del neighbours
    csv.field_size_limit(_LONGEST_CELL)
    rows: list[tuple[list[str], int]] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_sign(text))
    begins = 0
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append((row, begins))
            begins = reader.line_num
    except csv.Error as error:
        raise Unreadable(f"it is no table: {error}") from None
    return converted(_lines(rows))


def _lines(rows: list[tuple[list[str], int]]) -> Lines:
    if rows and all(_is_number(cell) for cell in rows[0][0]):
        rows = [([f"Column {number}" for number, _ in enumerate(rows[0][0], 1)], rows[0][1]), *rows]
    return table_lines(rows)


def _sign(text: str) -> str:
    """What stands most often in the first line that has any."""
    first = next((line for line in text.split("\n", 50) if line.strip()), "")[:10_000]
    return max(_SIGNS, key=first.count)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
