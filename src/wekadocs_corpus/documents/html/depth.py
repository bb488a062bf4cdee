"""Pages that are nested deeper than any reader could follow: parsers take the square of it, so it is cut first."""

from __future__ import annotations

import re
from collections import Counter

_DEEPEST = 2_000
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]{0,30})(?:[^<>]{0,4000})>?")
# What has no inside, or is closed by the next of its kind.
# fmt: off
_FLAT = frozenset({
    "a", "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta", "option", "p",
    "param", "rp", "rt", "source", "tbody", "td", "tfoot", "th", "thead", "tr", "track", "wbr", "html", "body", "head",
})
# fmt: on


def without_deep_tags(html: str) -> str:
    """The page without the tags beyond that depth; their words stay."""
    if html.count("<") <= _DEEPEST:
        return html
    kept: list[str] = []
    last = depth = 0
    inside: Counter[str] = Counter()
    for tag in _TAG.finditer(html):
        name = tag[2].lower()
        if name in _FLAT or tag[0].endswith("/>") or (tag[1] and not inside[name]):  # or closes nothing
            continue
        step = -1 if tag[1] else 1
        inside[name] += step
        depth += step
        if depth > _DEEPEST:
            kept.append(html[last : tag.start()])
            last = tag.end()
    return "".join(kept) + html[last:] if kept else html
