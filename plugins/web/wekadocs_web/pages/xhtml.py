"""XHTML as readers of HTML expect it: what closes itself is closed by a tag, and declarations are no text."""

from __future__ import annotations

import re

_HEAD = 4000  # letters in which a document type begins
_TYPE = re.compile(r"<!DOCTYPE[^<>\[]{0,500}\[", re.I)
_TYPE_ENDS = re.compile(r"\]\s*>")
_CLOSES_ITSELF = re.compile(r"""<([A-Za-z][\w:.-]*)((?:[^<>"'/]++|/(?!>)|"[^"<]*+"|'[^'<]*+')*+)/>""")
# HTML closes these so as well.
_EMPTY = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
})  # fmt: skip


def as_html(text: str) -> str:
    return _CLOSES_ITSELF.sub(_closed, _without_declarations(text))


def _without_declarations(text: str) -> str:
    begins = _TYPE.search(text, 0, _HEAD)
    ends = _TYPE_ENDS.search(text, begins.end()) if begins else None
    return text[: begins.start()] + text[ends.end() :] if begins and ends else text


def _closed(found: re.Match[str]) -> str:
    name = found[1]
    return found[0] if name.lower() in _EMPTY else f"<{name}{found[2]}></{name}>"
