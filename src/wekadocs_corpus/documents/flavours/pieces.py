"""What passes hand to each other: lines with where they come from, those of code marked."""

from __future__ import annotations

from typing import NamedTuple


class Piece(NamedTuple):
    words: str
    number: int
    code: bool = False
