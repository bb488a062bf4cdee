"""Headings of a note and what stands under each."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...vault import name_key
from ...vault.code import Code

_ATX = r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*"
# Underlined: a line of text, which no quote, table or list begins, and below it a line of = or -.
_SETEXT = r"(?! {0,3}(?:[#>|]|[-*+][ \t]))([^\n]*\S[^\n]*?)[ \t]*\r?\n {0,3}(=+|-{2,})[ \t]*"
_HEADING = re.compile(rf"^\ufeff?(?:{_ATX}|{_SETEXT})\r?$", re.M)


class Section(NamedTuple):
    """`start` and `end` bound what stands under the heading, up to the next one of its level or above."""

    title: str
    level: int
    start: int
    end: int
    path: tuple[str, ...]


def sections(source: str, body_start: int) -> list[Section]:
    code = Code(source)
    found: list[tuple[str, int, int, int]] = []
    for match in _HEADING.finditer(source, body_start if body_start > 1 else 0):  # a mark may stand before the text
        if not code.has(match.start()):
            level = len(match[1]) if match[1] else 1 if match[4][0] == "=" else 2
            found.append((match[2] or match[3] or "", level, match.start(), _next_line(source, match.end())))
    made: list[Section] = []
    for place, (title, level, _, after) in enumerate(found):
        end = next((begin for _, other, begin, _ in found[place + 1 :] if other <= level), len(source))
        parents = [each for each in made if each.end >= end and each.level < level]
        made.append(Section(title.strip(), level, after, end, (*(each.title for each in parents), title.strip())))
    return made


def _next_line(source: str, place: int) -> int:
    end = source.find("\n", place)
    return len(source) if end < 0 else end + 1


def named(some: list[Section], heading: str) -> list[Section]:
    """`Tasks`, `## Tasks`, or with the headings above it: `Plan > Tasks`, `Plan#Tasks`."""
    wanted = re.sub(r"^#{1,6}[ \t]+", "", heading.strip())
    exact = [each for each in some if name_key(each.title) == name_key(wanted)]
    if exact:
        return exact
    parts = [name_key(part.strip()) for part in re.split(r"\s*>\s*|#", wanted) if part.strip()]
    return [each for each in some if [name_key(part) for part in each.path][-len(parts) :] == parts] if parts else []
