"""Pages that only send their readers on: `<meta http-equiv=refresh content="0; url=…">`, as sites leave them behind."""

from __future__ import annotations

import html
import re

_LOOKED_AT = 1 << 14  # bytes: it stands in the head
_LONGEST_WAIT = 10.0  # seconds; what waits longer is to be read first
_HIDDEN = re.compile(rb"<!--.*?(?:-->|\Z)|<(script|style|noscript|textarea|template)\b.*?(?:</\1\s*>|\Z)", re.S | re.I)
_META = re.compile(rb"<meta\b([^>]{1,4000})>", re.I)
_IS_REFRESH = re.compile(r"""http-equiv\s*=\s*["']?\s*refresh\b""", re.I)
_CONTENT = re.compile(r"""\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.I)
_SAID = re.compile(r"""\s*(\d{0,9}(?:\.\d*)?)\s*[;,\s]\s*(?:url\s*=\s*)?["']?\s*([^"'\s]+)""", re.I)


def leads_to(body: bytes) -> str | None:
    """Where it sends its readers at once; None where it is to be read itself."""
    for found in _META.finditer(_HIDDEN.sub(b" ", body[:_LOOKED_AT])):
        said = found[1].decode("utf-8", "replace")
        content = _CONTENT.search(said) if _IS_REFRESH.search(said) else None
        place = _SAID.match(html.unescape(next(filter(None, content.groups()), ""))) if content else None
        if place and float(place[1].strip(".") or 0) <= _LONGEST_WAIT:
            return place[2]
    return None
