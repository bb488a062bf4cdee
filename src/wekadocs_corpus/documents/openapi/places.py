"""In which line of the file an operation or a schema begins: told by its key, as JSON and YAML write it."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate


class Places:
    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]

    def key(self, name: str, after: int = 0) -> int:
        """Where the key stands, the first behind that place; that place itself where it cannot be told."""
        found = re.compile(rf"""(?<![\w/])["']?{re.escape(name)}["']?\s*:""").search(self._text, after)
        return found.start() if found else after

    def line(self, at: int) -> int:
        return bisect_right(self._starts, at) - 1
