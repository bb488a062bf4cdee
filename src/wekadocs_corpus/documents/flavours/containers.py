"""Lines that mean something as a whole: colons that open and close boxes, tables of contents, abbreviations."""

from __future__ import annotations

import re

from wekadocs_corpus.documents.conversion.admonitions import ADMONITIONS, words

from .signs import END, bold, label

_OPENING = re.compile(
    r"([ \t]*):{3,}[ \t]*(?:\{[ \t]*\.?([\w-]+)[^{}]*\}|([\w.-]+))?[ \t]*(?:\[([^\n]*)\])?[ \t]*(.*)\Z"
)
_ATTRIBUTES = re.compile(r"[ \t]*\{[^{}`]*\}[ \t]*\Z")
_TITLED = words("details tab tabs step card accordion collapse expander")

_GONE = re.compile(r"[ \t]*(?:\[\[?_?toc_?\]?\]|\([\w.:/ -]{1,200}\)=|\{\{toc\}\})[ \t]*\Z", re.I)
_ABBREVIATION = re.compile(r"[ \t]*\*\[([^\]\n]{1,100})\]:[ \t]*(.*)\Z")


def line(written: str) -> str | None:
    """What such a line shows; None for any other."""
    if _GONE.match(written):
        return ""
    found = _ABBREVIATION.match(written) if "*[" in written else None
    return f"- {found[1]}: {found[2]}" if found else None


def colons(written: str) -> str:
    """What the line shows: a label for what follows, a title, the name that mkdocstrings fills in, or nothing."""
    found = _OPENING.match(written)
    if not found:
        return written
    margin, name = found[1], (found[2] or found[3] or "").lower()
    if not name:
        return END
    title = _ATTRIBUTES.sub("", found[4] or found[5] or "").strip()
    if name in ADMONITIONS:
        return margin + label(title or ADMONITIONS[name])
    if name in _TITLED or title:
        return margin + bold(title)
    return f"{margin}`{found[3]}`" if "." in name else ""
