"""EPUB: the chapters of a book in the order they are read, each read as the HTML that it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from wekadocs_corpus.documents.blocks import Outline
from wekadocs_corpus.documents.decoding import Unreadable, decode
from wekadocs_corpus.documents.html import read_html
from wekadocs_corpus.documents.paged import Allowance, Paged, UnreadPage

from .archive import Archive, beside
from .joining import join
from .xml import parsed

_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_CHAPTERS = frozenset({"application/xhtml+xml", "text/html", "text/x-oeb1-document"})
_FONTS = re.compile(r"#(?:RC|mangle|obfuscation)|/font", re.I)


class _Book(NamedTuple):
    chapters: list[str]  # names in the archive
    facts: dict[str, object]
    language: str


def read_epub(data: bytes, allowance: Allowance | None = None) -> Paged:
    """Without page numbers: where pages end is decided by whoever shows it."""
    archive = Archive(data, "EPUB book")
    book = _book(archive)
    locked, unread, parts = _locked(archive), list[UnreadPage](), []
    for number, name in enumerate(book.chapters, 1):
        try:
            (allowance or Allowance()).check()
            if name in locked:
                raise Unreadable("it is encrypted (DRM)")
            parts.append((number, _chapter(archive, name)))
        except Unreadable as error:
            unread.append(UnreadPage(number, f"chapter {name.rpartition('/')[2][:80]}: {error}"))
    if book.chapters and len(unread) == len(book.chapters):
        raise Unreadable(f"none of its {len(unread):,} chapters can be read: {unread[0].reason}")
    outline, _ = join(parts)
    outline.front_matter, outline.language = book.facts, outline.language or book.language
    return Paged(outline, None, unread=tuple(unread))


def _chapter(archive: Archive, name: str) -> Outline:
    return read_html(decode(archive.read(name), html=True))


def _book(archive: Archive) -> _Book:
    container = parsed(archive.read(_CONTAINER))
    named = next((each.get("full-path", "") for each in container.iter("rootfile")), "")
    package = parsed(archive.read(named))
    items = {each.get("id", ""): each for each in package.iter("item")}
    listed = [items.get(each.get("idref", "")) for each in package.iter("itemref")]
    chapters = [
        beside(named, unquote(each.get("href", "")))
        for each in listed
        if each is not None and each.get("media-type") in _CHAPTERS and "nav" not in each.get("properties", "").split()
    ]
    if not chapters:
        raise Unreadable("it is no EPUB book: it lists no chapters")
    return _Book(list(dict.fromkeys(chapters)), _facts(package), _first(package, "language")[:2].lower())


def _facts(package: Element) -> dict[str, object]:
    identifiers = [(each.text or "").strip() for each in package.iter("identifier")]
    doi = next((each.lower().removeprefix("doi:") for each in identifiers if "10." in each and "/" in each), "")
    told = {"title": _first(package, "title"), "author": "; ".join(_all(package, "creator")), "doi": doi}
    return {name: value for name, value in told.items() if value}


def _all(package: Element, tag: str) -> list[str]:
    return [words for each in package.iter(tag) if (words := " ".join((each.text or "").split()))]


def _first(package: Element, tag: str) -> str:
    return next(iter(_all(package, tag)), "")


def _locked(archive: Archive) -> set[str]:
    """Members that are encrypted; fonts are, in many books that are not."""
    data = archive.find(_ENCRYPTION)
    return set(_encrypted(parsed(data))) if data else set()


def _encrypted(root: Element) -> Iterator[str]:
    for each in root.iter("EncryptedData"):
        method = next(iter(each.iter("EncryptionMethod")), None)
        if method is not None and _FONTS.search(method.get("Algorithm", "")):
            continue
        for target in each.iter("CipherReference"):
            yield unquote(target.get("URI", ""))
