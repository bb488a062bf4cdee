"""A batch with what its project's bibliography tells; what matches nothing is a warning, never an error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..rendering import named, part
from . import batch

if TYPE_CHECKING:
    from ..references.bibliographies import Bibliography
    from .batch import Judged


def with_references(bibliography: Bibliography | None, items: Sequence[Judged]) -> tuple[list[Judged], list[str]]:
    """One warning for each document without a reference."""
    if bibliography is None:
        return list(items), []
    if not bibliography.references:
        return list(items), bibliography.unreadable
    filled: list[Judged] = []
    missing: dict[str, str] = {}
    nameless = 0
    for item in items:
        zotero, title = part(item.payload, "zotero"), part(item.payload, "source").get("title") or ""
        found = bibliography.match(zotero.get("citekey") or "", zotero.get("doi") or "", title)
        name = zotero.get("citekey") or zotero.get("doi") or title
        if found is None and name:
            missing.setdefault(item.doc, f"no reference matches {named(name)} (from items[{item.place}] on)")
        nameless += not name
        filled.append(batch.with_zotero(item, found.known) if found else item)
    return filled, [*bibliography.unreadable, *missing.values(), *_nameless(nameless)]


def _nameless(count: int) -> list[str]:
    what = "have neither citekey nor DOI nor title, so that no reference was looked for"
    return [f"{count} items {what}"] if count else []
