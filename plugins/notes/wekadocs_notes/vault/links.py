"""Wikilinks, each with its exact place."""

from __future__ import annotations

import re

from .code import Code
from .model import Link

_LINK = re.compile(r"\[\[([^\[\]\n]+)\]\]")


def links_in(source: str, body_start: int, code: Code) -> tuple[Link, ...]:
    """Of the whole file; in front matter only those inside quotes, where YAML would else see lists in lists."""
    found = []
    for match in _LINK.finditer(source):
        start = match.start()
        if _is_escaped(source, start) or code.has(start):
            continue
        if start < body_start and not _is_quoted(source, start):
            continue
        found.append(_link(source, match))
    return tuple(found)


def _link(source: str, match: re.Match[str]) -> Link:
    """`target#fragment|display`; in tables the bar is written `\\|`."""
    inner, at = match[1], match.start(1)
    address, bar, display = inner.partition("|")
    if bar and address.endswith("\\"):
        address = address[:-1]
    target, _, fragment = address.partition("#")
    start = at + len(target) - len(target.lstrip())
    end = at + len(target.rstrip())
    is_embed = match.start() > 0 and source[match.start() - 1] == "!"
    shown = display.strip() if bar else None
    return Link(target.strip(), fragment.strip(), shown, match.start(), match.end(), start, max(start, end), is_embed)


def _is_escaped(source: str, place: int) -> bool:
    """By an odd number of backslashes before the first bracket, or one before the second."""
    before = source[:place] if place < 8 else source[place - 8 : place]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def _is_quoted(source: str, place: int) -> bool:
    line = source[source.rfind("\n", 0, place) + 1 : place]
    return line.count('"') % 2 == 1 or line.count("'") % 2 == 1
