"""A page's words inside of the brief: nothing of them is taken for a line of the brief itself."""

from __future__ import annotations

import re

_HEADERS = r"SOURCES|EVIDENCE|IMAGES|EXPANSION\s+TRACE|CITATIONS|STATS|NEXT\s+STEP|ERROR|CORPUS\s+STATUS"
_DRESSED = r"[^\S\n]*(?:[^\S\n]|[>#*_`~+|-]){0,20}"  # as Markdown dresses a line
_OPENS, _CLOSES = "\\[\uff3b\u3010", "\\]\uff3d\u3011"
_LOOKS_OURS = re.compile(
    rf"^(?={_DRESSED}(?:[{_OPENS}]\s*(?:{_HEADERS})\s*[{_CLOSES}](?!\()|Source\s+\[\d+\]\s+\())", re.M | re.I
)
_LONGEST_LABEL = 200


def escaped(text: str) -> str:
    """Lines that look like a header of the brief begin with a backslash."""
    return _LOOKS_OURS.sub(r"\\", text)


def label(words: str) -> str:
    """A title, heading or caption, in one line."""
    said = " ".join(words.split())
    return said if len(said) <= _LONGEST_LABEL else said[: _LONGEST_LABEL - 1].rstrip() + "…"
