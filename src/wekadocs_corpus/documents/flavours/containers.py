"""Lines that mean something as a whole: colons that open and close boxes, tables of contents, abbreviations."""

from __future__ import annotations

import re

from wekadocs_corpus.documents.conversion.admonitions import ADMONITIONS, words
from wekadocs_corpus.documents.conversion.lines import Lines

from .signs import END, bold, label

_OPENING = re.compile(
    r"([ \t]*):{3,}[ \t]*(?:\{[ \t]*\.?([\w-]+)[^{}]*\}|([\w.-]+))?[ \t]*(?:\[([^\n]*)\])?[ \t]*(.*)\Z"
)
_ATTRIBUTES = re.compile(r"[ \t]*\{[^{}`]*\}[ \t]*\Z")
_TITLED = words("details tab tabs step card accordion collapse expander")

_OBJECT = re.compile(r"[ \t]*:{3,}[ \t]+[A-Za-z_][\w]*(?:\.\w+)+[ \t]*\Z")
_BLOCK = re.compile(r"([ \t]*)/{3,}[ \t]*(?:([\w-]+)(?:[ \t]*\|[ \t]*(.*))?)?\Z")
_OPTION = re.compile(r"[ \t]+[\w-]+:(?:[ \t]|\Z)")
_CHANGES = {
    "version-added": "Added in version",
    "version-changed": "Changed in version",
    "version-deprecated": "Deprecated since version",
    "version-removed": "Removed in version",
}

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


def names_an_object(written: str) -> bool:
    """What mkdocstrings documents here; its options may follow."""
    return _OBJECT.match(written) is not None


def slashes(written: str) -> str | None:
    """What a line of PyMdown's blocks shows, `/// note | Title` or `///`; None for any other."""
    found = _BLOCK.match(written)
    if not found:
        return None
    margin, name, title = found[1], (found[2] or "").lower(), (found[3] or "").strip()
    if not name:
        return END
    if name in _CHANGES:
        return margin + label(f"{_CHANGES[name]} {title}")
    if name in ADMONITIONS or name == "admonition":
        return margin + label(title or ADMONITIONS.get(name, "Note"))
    return margin + bold(title) if title and name != "html" else ""


def after_options(lines: Lines, at: int) -> int:
    """After the options that stand indented, directly below what they are of."""
    first = at
    while at < len(lines) and lines[at][0].startswith("    "):
        at += 1
    return at if at > first and _OPTION.match(lines[first][0]) else first
