"""Where a part of a JSON file stands: line and column of the key, or of the item, that a pointer names."""

from __future__ import annotations

import json
from bisect import bisect_right
from functools import cache
from pathlib import Path

from wekadocs_contracts.diff.rules.keywords import Pointer
from wekadocs_contracts.format.source import read_text

_WHITE = " \t\n\r"
_DECODER = json.JSONDecoder()
MAX_BYTES = 64 << 20


class JsonText:
    """A file's text, looked into only as deep as it is asked about."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(at + 1 for at, letter in enumerate(text) if letter == "\n")]
        self.known: dict[int, dict[str | int, tuple[int, int]]] = {}

    def place(self, pointer: Pointer) -> tuple[int, int]:
        """Of the part, or of the nearest around it that is there."""
        found = value = self._skip(0)
        for part in pointer:
            inside = self._members(value)
            if part not in inside:
                break
            found, value = inside[part]
        line = bisect_right(self.starts, found)
        return line, found - self.starts[line - 1] + 1

    def _members(self, at: int) -> dict[str | int, tuple[int, int]]:
        """Each member of what begins there: where it is named and where its value begins. Of twins the last counts."""
        if at not in self.known:
            opening = self.text[at : at + 1]
            self.known[at] = self._walk(at, opening == "{") if opening in ("{", "[") else {}
        return self.known[at]

    def _walk(self, at: int, named: bool) -> dict[str | int, tuple[int, int]]:
        found: dict[str | int, tuple[int, int]] = {}
        at = self._skip(at + 1)
        while self.text[at] not in "}]":
            key: str | int = len(found)
            begin = at
            if named:
                key, at = _DECODER.raw_decode(self.text, at)
                at = self._skip(self._skip(at) + 1)
            found[key] = (begin, at)
            _, at = _DECODER.raw_decode(self.text, at)
            at = self._skip(at)
            at = self._skip(at + 1) if self.text[at] == "," else at
        return found

    def _skip(self, at: int) -> int:
        while at < len(self.text) and self.text[at] in _WHITE:
            at += 1
        return at


@cache
def json_text(path: Path) -> JsonText:
    return JsonText(read_text(path, MAX_BYTES))
