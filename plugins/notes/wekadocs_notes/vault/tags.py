"""Tags: of the front matter, and `#written/in-the-text`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from .code import Code
from .model import name_key

# Not where a link of Markdown names a heading: `[text](#heading)`, `[name]: #heading`.
_INLINE = re.compile(r"(?<![^\s(])(?<!\]\()(?<!\]: )#([\w/\-\u2600-\u27bf\U0001f000-\U0001faff]+)")
_LINK = re.compile(r"\[\[[^\[\]\n]+\]\]")
_BETWEEN = re.compile(r"[,\s]+")


def stated(value: object) -> list[str]:
    """Of a list what is text; a text may name several."""
    if isinstance(value, str):
        return [tag for each in _BETWEEN.split(value) if (tag := _plain(each))]
    if isinstance(value, list):
        return [tag for each in value if isinstance(each, str) and (tag := _plain(each))]
    return []


def inline(source: str, body_start: int, code: Code) -> list[str]:
    links = [match.span() for match in _LINK.finditer(source, body_start)] if "#" in source else []
    found = []
    for match in _INLINE.finditer(source, body_start):
        tag, place = match[1].strip("/"), match.start()
        if any(not letter.isdigit() for letter in tag) and not code.has(place) and not _is_within(links, place):
            found.append(tag)
    return found


def _is_within(spans: Sequence[tuple[int, int]], place: int) -> bool:
    """Of spans in order: `[[note #heading]]` has no tag."""
    at = bisect_right(spans, (place,)) - 1
    return at >= 0 and place < spans[at][1]


def told_once(said: Iterable[str], written: Iterable[str]) -> tuple[tuple[str, ...], list[str]]:
    """Each tag once, as first spelled, and what the front matter says twice."""
    first: dict[str, str] = {}
    twice: dict[str, str] = {}
    for tag in said:
        if first.setdefault(name_key(tag), tag) is not tag:
            twice.setdefault(name_key(tag), tag)
    for tag in written:
        first.setdefault(name_key(tag), tag)
    return tuple(first.values()), list(twice.values())


def matches(tag: str, wanted: str) -> bool:
    """Both as keys; `project` is found by `project/alpha` too."""
    return tag == wanted or tag.startswith(f"{wanted}/")


def wanted_key(tag: str) -> str:
    return name_key(_plain(tag))


def _plain(tag: str) -> str:
    return tag.strip().removeprefix("#").strip().strip("/")
