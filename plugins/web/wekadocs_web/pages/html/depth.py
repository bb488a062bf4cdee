"""Pages that are nested deeper than any reader could follow: parsers take the square of it, so it is cut first."""

from __future__ import annotations

import re

_DEEPEST = 2_000
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]{0,30})(?:[^<>]{0,4000})>?")
# What has no inside, or is closed by the next of its kind.
# fmt: off
_FLAT = frozenset({
    "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta", "option", "p",
    "param", "rp", "rt", "source", "tbody", "td", "tfoot", "th", "thead", "tr", "track", "wbr", "html", "body", "head",
})
# fmt: on


def flattened(html: str) -> str:
    """The page without the tags beyond that depth; their words stay."""
    if html.count("<") - html.count("</") <= _DEEPEST:
        return html
    kept: list[str] = []
    depth = last = 0
    for tag in _TAG.finditer(html):
        if tag[2].lower() in _FLAT or tag[0].endswith("/>"):
            continue
        if tag[1]:
            depth = max(0, depth - 1)
        else:
            depth += 1
        if depth > _DEEPEST:
            kept.append(html[last : tag.start()])
            last = tag.end()
    return "".join(kept) + html[last:] if kept else html
