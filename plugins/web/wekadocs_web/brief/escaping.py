"""A page's words inside of the brief: nothing of them is taken for a line of the brief itself."""

from __future__ import annotations

import re

_HEADERS = "SOURCES|EVIDENCE|IMAGES|EXPANSION TRACE|CITATIONS|STATS|NEXT STEP|ERROR|CORPUS STATUS"
_LOOKS_OURS = re.compile(rf"^(?=[ \t]*(?:\[\s*(?:{_HEADERS})\s*\]|Source \[\d+\] \())", re.M | re.I)
_LONGEST_LABEL = 200


def escaped(text: str) -> str:
    """Lines that look like a header of the brief begin with a backslash."""
    return _LOOKS_OURS.sub(r"\\", text)


def label(words: str) -> str:
    """A title, heading or caption, in one line."""
    said = " ".join(words.split())
    return said if len(said) <= _LONGEST_LABEL else said[: _LONGEST_LABEL - 1].rstrip() + "…"
