"""Characters that are written by their names, `&mdash;` or `&#39;`, as a reader sees them."""

from __future__ import annotations

import html
import re

_NAME = r"(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
ENTITIES = rf"{_NAME}(?:&{_NAME}){{0,100}}"  # several in a row, behind the first &
_SPACES = re.compile("[\xa0\u2002\u2003\u2009]+")
_WIDTHLESS = re.compile("[\xad\u200b\u2060\ufdd0-\ufdef]")
_MARKS = re.compile(r"[\\`*_\[\]#|]")
_TAG = re.compile(r"[A-Za-z/!]")


def entities(written: str, before: str, after: str) -> str:
    """What they show between these characters: no sign of Markdown, no margin; those nobody knows stay."""
    shown = _WIDTHLESS.sub("", html.unescape(written))
    if shown == written:
        return written
    shown = _MARKS.sub(lambda found: "\\" + found[0], shown)
    if shown.endswith("<") and _TAG.match(after):
        shown = shown[:-1] + "\\<"
    return _SPACES.sub("" if before in ("", "\n", " ") else " ", shown)
