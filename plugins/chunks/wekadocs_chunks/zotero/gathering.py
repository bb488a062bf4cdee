"""What both ways to a library end with: keys, order, and which of its entries are items of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from .items import Collection, Item

Loaded = tuple[list[Item], list[Collection]]
_NO_ITEMS = ("attachment", "note", "annotation")
_PINNED = re.compile(r"(?im)^\s*citation key\s*:\s*(\S+)\s*$")


def gathered(everything: Iterable[Item]) -> list[Item]:
    """Those that stand for a work, or have something hanging on them; annotations in the order of pages."""
    found = []
    for item in everything:
        pinned = _PINNED.search(item.fields.get("extra", ""))
        item.citekey = item.fields.get("citationKey") or (pinned[1] if pinned else "")
        item.annotations.sort(key=lambda each: (not each.attachment, each.attachment, each.order, each.key))
        if item.kind not in _NO_ITEMS or item.annotations or item.attachments:
            found.append(item)
    return found


def in_order(collections: Iterable[Collection]) -> list[Collection]:
    return sorted(collections, key=lambda each: (each.library, each.path))


def path_of(name: object, names: dict[object, tuple[str, object]]) -> str:
    """Of a collection, by (name, parent) of each: names from the outermost on."""
    path: list[str] = []
    seen: set[object] = set()
    while name in names and name not in seen:
        seen.add(name)
        path.append(names[name][0])
        name = names[name][1]
    return " / ".join(reversed(path))


def kept_at(key: str, name: str) -> str:
    """Below Zotero's folder."""
    return f"storage/{key}/{name}"


def page_at(position: object) -> int | None:
    try:
        index = json.loads(str(position)).get("pageIndex")
    except (ValueError, AttributeError):
        return None
    return index + 1 if type(index) is int and index >= 0 else None
