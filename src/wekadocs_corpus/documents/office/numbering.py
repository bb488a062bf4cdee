"""The lists of a Word document: how deep an item stands, whether it has a number, and which."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from .xml import parsed

_DEEPEST = 8


class Numbering:
    def __init__(self, data: bytes | None) -> None:
        self._bullets: dict[str, dict[str, bool]] = {}  # list → depth → whether it has bullets
        self._counts: dict[int, int] = {}  # of the items that are open, by depth
        root = parsed(data) if data else None
        kinds = {each.get("abstractNumId", ""): _kinds(each) for each in _all(root, "abstractNum")}
        for each in _all(root, "num"):
            self._bullets[each.get("numId", "")] = kinds.get(_said(each, "abstractNumId"), {})

    def item(self, properties: Element | None, of_style: Element | None) -> tuple[int, bool] | None:
        """Depth from 0, and whether it is numbered; None for what is no list item."""
        own = properties.find("numPr") if properties is not None else None
        number = own if own is not None else of_style
        identity = _said(number, "numId")
        if number is None or identity in ("", "0"):
            return None
        depth = _said(number, "ilvl") or "0"
        bullets = self._bullets.get(identity, {}).get(depth, True)
        return min(_DEEPEST, int(depth) if depth.isdecimal() else 0), not bullets

    def next(self, depth: int) -> int:
        self._counts = {at: count for at, count in self._counts.items() if at <= depth}
        self._counts[depth] = self._counts.get(depth, 0) + 1
        return self._counts[depth]

    def begin_anew(self) -> None:
        """After a paragraph of the text proper numbers begin at one."""
        self._counts = {}


def _all(root: Element | None, tag: str) -> list[Element]:
    return [each for each in root if each.tag == tag] if root is not None else []


def _said(element: Element | None, name: str) -> str:
    found = element.find(name) if element is not None else None
    return found.get("val", "") if found is not None else ""


def _kinds(abstract: Element) -> dict[str, bool]:
    found = {}
    for each in abstract:
        if each.tag == "lvl":
            form = each.find("numFmt")
            found[each.get("ilvl", "")] = form is None or form.get("val") in ("bullet", "none")
    return found
