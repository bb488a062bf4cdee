"""Feeds, RSS, Atom and JSON Feed, as a page: a heading for each entry, with its link, its date and what it says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from xml.parsers import expat

from wekadocs_text import without_invisible

from .addresses import absolute
from .links import links_of
from .page import NotAPage, Page

_MOST_ENTRIES, _MOST_LETTERS = 500, 5_000_000
_LOOKS_LIKE = re.compile(r"<(?:\w+:)?(?:rss|feed|RDF)\b")
_TOLD = frozenset(("title", "link", "description", "summary", "content", "encoded", "pubdate", "published", "updated"))
_TOLD |= {"date", "id", "guid", "subtitle"}
Told = Mapping[str, str]  # what a feed or an entry tells, by the names that RSS and Atom have for it


def is_feed(text: str) -> bool:
    return _LOOKS_LIKE.search(text[:2000]) is not None


class _Feed:
    """Collects what the feed and each entry tell; entities and documents from elsewhere are refused."""

    def __init__(self) -> None:
        self.head: dict[str, str] = {}
        self.entries: list[dict[str, str]] = []
        self._open: list[str] = []
        self._words: list[str] = []
        self._size = 0

    def start(self, name: str, its: dict[str, str]) -> None:
        tag = name.rpartition(":")[2].lower()
        self._open.append(tag)
        self._words = []
        if tag in ("item", "entry"):
            self.entries.append({})
        elif tag == "link" and its.get("href") and its.get("rel", "alternate") == "alternate":
            self._at.setdefault("link", its["href"])

    def data(self, words: str) -> None:
        self._size += len(words)
        if self._size <= _MOST_LETTERS:
            self._words.append(words)

    def end(self, name: str) -> None:
        tag = name.rpartition(":")[2].lower()
        said = "".join(self._words).strip()
        if tag in _TOLD and said and not {"image", "author", "source", "textinput"} & set(self._open[:-1]):
            self._at.setdefault(tag, said)
        self._words = []
        if self._open:
            self._open.pop()

    @property
    def _at(self) -> dict[str, str]:
        inside = "item" in self._open or "entry" in self._open
        return self.entries[-1] if inside and self.entries else self.head


def read_feed(text: str, address: str) -> Page:
    feed = _parsed(text)
    return written(feed.head, feed.entries, address)


def written(head: Told, entries: Sequence[Told], address: str) -> Page:
    parts = [f"# {_plain(head.get('title', '')) or 'Feed'}", *_said(head, address)]
    for entry in entries[:_MOST_ENTRIES]:
        parts += _entry(entry, address)
    markdown = without_invisible("\n\n".join(parts) + "\n")
    return Page(_plain(head.get("title", "")), markdown, links=links_of(markdown, address))


def _parsed(text: str) -> _Feed:
    feed = _Feed()
    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = feed.start, feed.end
    parser.CharacterDataHandler = feed.data
    parser.EntityDeclHandler = _refuse
    try:
        parser.Parse(text.encode("utf-8", "replace").replace(b"\0", b""), True)
    except expat.ExpatError:
        if not feed.entries:
            raise NotAPage("the feed is not well-formed XML") from None
    return feed


def _refuse(*_: object) -> None:
    raise NotAPage("the feed declares entities, which are not read")


def _entry(entry: Told, address: str) -> list[str]:
    title = _plain(entry.get("title", "")) or "Untitled"
    target = absolute(address, entry.get("link") or entry.get("id", "") or entry.get("guid", ""))
    label = title.replace("[", "(").replace("]", ")")
    said = [f"## {title}", f"[{label}]({target})" if target else ""]
    said.append(next((entry[key] for key in ("published", "pubdate", "updated", "date") if key in entry), ""))
    return [each for each in [*said, *_said(entry, address)] if each]


def _said(told: Told, address: str) -> list[str]:
    """Its fullest text; HTML in it becomes Markdown, with headings below its own."""
    from .html import read_html

    texts = [told[key] for key in ("encoded", "content", "description", "summary", "subtitle") if key in told]
    if not texts:
        return []
    text = read_html(f"<main>{max(texts, key=len)}</main>", address).text.strip()
    return [re.sub(r"^(#{1,4}) ", r"##\1 ", text, flags=re.M)] if text else []


def _plain(words: str) -> str:
    return " ".join(re.sub(r"<[^<>]{0,500}>", " ", words).split())[:300]
