"""Titles of sections: `== Title`, or two lines of which the second underlines the first."""

from __future__ import annotations

import re
from typing import NamedTuple

from wekadocs_corpus.documents.conversion.lines import Lines

_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?\Z")
_UNDERLINE = re.compile(r"(={2,}|-{2,}|~{2,}|\^{2,}|\+{2,})\Z")
_UNDERLINED = re.compile(r"(?![.\[|:/])[^\n]*[^\W_]")
_LEVELS = "=-~^+"


class Title(NamedTuple):
    """`lines` is how many it takes."""

    level: int
    words: str
    lines: int


def heading_at(lines: Lines, at: int) -> Title | None:
    """The title that begins in this line."""
    words = lines[at][0]
    found = _HEADING.match(words) if words[:1] in ("=", "#") else None
    if found:
        return Title(len(found[1]), found[2], 1)
    under = lines[at + 1][0] if at + 1 < len(lines) else ""
    if not under or under[0] not in _LEVELS or abs(len(under) - len(words)) > 1 or words[0] in " \t":
        return None
    if not _UNDERLINE.match(under) or not _UNDERLINED.match(words):
        return None
    return Title(_LEVELS.index(under[0]) + 1, words, 2)
