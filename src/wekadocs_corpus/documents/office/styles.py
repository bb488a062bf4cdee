"""What the styles of a Word document say: which are headings, lists, code."""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.etree.ElementTree import Element

from .xml import parsed

_HEADING = re.compile(r"(?:heading|überschrift|titre|título|titolo|kop|rubrik|overskrift)\s*([1-9])\Z", re.I)
_CODE = re.compile(r"\b(?:code|source|preformatted|verbatim|listing)\b", re.I)
_DEEPEST = 10  # styles that are based on styles


class _Style(NamedTuple):
    name: str
    based_on: str
    level: int  # of the outline, from 1; 0: none
    numbering: Element | None


class Styles:
    def __init__(self, data: bytes | None) -> None:
        found = parsed(data) if data else ()
        self._styles = {each.get("styleId", ""): _style(each) for each in found if each.tag == "style"}

    def heading(self, style: str) -> int:
        for each in self._chain(style):
            named = _HEADING.match(each.name)
            if named:
                return min(6, int(named[1]))
            if each.name.lower() == "title":
                return 1
            if each.level:
                return each.level
        return 0

    def numbering(self, style: str) -> Element | None:
        return next((each.numbering for each in self._chain(style) if each.numbering is not None), None)

    def is_code(self, style: str) -> bool:
        return any(_CODE.search(each.name) for each in self._chain(style)[:2])

    def _chain(self, style: str) -> list[_Style]:
        """The style and those it is based on, which may go round in a circle."""
        found: list[_Style] = []
        while style in self._styles and len(found) < _DEEPEST:
            found.append(self._styles[style])
            style = found[-1].based_on
        return found


def _style(element: Element) -> _Style:
    def value(name: str) -> str:
        found = element.find(name)
        return found.get("val", "") if found is not None else ""

    properties = element.find("pPr")
    level = properties.find("outlineLvl") if properties is not None else None
    said = level.get("val", "") if level is not None else ""
    number = properties.find("numPr") if properties is not None else None
    return _Style(value("name"), value("basedOn"), int(said) + 1 if said.isdecimal() and int(said) < 6 else 0, number)
