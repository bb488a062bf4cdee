"""What a Zotero library holds, as plain values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape

_TAG = re.compile(r"<[^>]*>")
_BREAK = re.compile(r"(?i)<(?:br|/p|/div|/li|/h[1-6]|/blockquote|/tr)\b[^>]*>")
_KINDS = {1: "highlight", 2: "sticky_note", 3: "image", 4: "ink", 5: "underline", 6: "text"}
ITEM_NOTE = "item_note"
_TITLES = ("title", "caseName", "nameOfAct", "subject")
_COLOURS = {
    "#ffd400": "yellow",
    "#ff6666": "red",
    "#5fb236": "green",
    "#2ea8e5": "blue",
    "#a28ae5": "purple",
    "#e56eee": "magenta",
    "#f19837": "orange",
    "#aaaaaa": "gray",
}


@dataclass(frozen=True)
class Attachment:
    key: str
    title: str
    content_type: str
    path: str  # below Zotero's folder where Zotero keeps it, else as Zotero has it


@dataclass(frozen=True)
class Annotation:
    """What a reader marked in an attachment, or wrote in a note of the item."""

    key: str
    kind: str
    text: str
    modified: str
    tags: tuple[str, ...]
    comment: str = ""
    colour: str = ""
    page_label: str = ""
    page: int | None = None  # counted from 1, whatever is printed on it
    attachment: str = ""  # its key
    order: str = ""


@dataclass
class Item:
    key: str
    kind: str
    library: str
    modified: str
    fields: Mapping[str, str] = field(default_factory=dict)
    people: list[tuple[str, str, str]] = field(default_factory=list)  # (role, family, given)
    tags: list[str] = field(default_factory=list)
    collections: list[str] = field(default_factory=list)  # paths
    attachments: list[Attachment] = field(default_factory=list)
    annotations: list[Annotation] = field(default_factory=list)
    citekey: str = ""

    @property
    def title(self) -> str:
        return next(
            (self.fields[name] for name in ("title", "caseName", "nameOfAct", "subject") if name in self.fields), ""
        )

    @property
    def year(self) -> int | None:
        found = re.search(r"(?<!\d)(\d{4})(?!\d)", self.fields.get("date", ""))
        return int(found[1]) if found and int(found[1]) else None

    @property
    def authors(self) -> list[str]:
        """Who wrote it; the first role there is, where nobody is called an author."""
        roles = [role for role, _, _ in self.people]
        role = "author" if "author" in roles or not roles else roles[0]
        return [", ".join(filter(None, (family, given))) for each, family, given in self.people if each == role]


@dataclass(frozen=True)
class Collection:
    key: str
    path: str  # names from the outermost on
    library: str
    items: int


def kind_of(number: object) -> str:
    return _KINDS.get(number, "other") if isinstance(number, int) else "other"


def colour_name(colour: str) -> str:
    return _COLOURS.get(colour.lower(), "")


def plain(html: str) -> str:
    """A note's text without its markup."""
    lines = unescape(_TAG.sub("", _BREAK.sub("\n", html))).splitlines()
    return "\n".join(" ".join(line.split()) for line in lines if line.strip())
