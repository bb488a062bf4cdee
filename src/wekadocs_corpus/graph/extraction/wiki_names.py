"""`[[page]]`: a page called by its file's name, its title or the end of its path, in any case."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from unicodedata import normalize

WIKI = "[["  # what the target of such a link begins with; no path does
_ENDINGS = (".md", ".markdown", ".mdx", ".html", ".rst", ".adoc", ".txt")  # that a link may leave away


def wiki_name(written: str) -> str:
    """One spelling for all that mean the same page."""
    name = " ".join(normalize("NFC", written).casefold().replace("\\", "/").split())
    return _bare(name.removeprefix("./").strip("/ "))


def wiki_names(path: str, title: str) -> Iterator[str]:
    """What a document is called: the nearest to its path first."""
    yield from dict.fromkeys((*_ends(_bare(wiki_name(path))), wiki_name(title)))


def _bare(name: str) -> str:
    stem, ending = posixpath.splitext(name)
    return stem if ending in _ENDINGS and stem else name


def _ends(path: str) -> Iterator[str]:
    """`a/b/c`, `b/c`, `c`."""
    while path:
        yield path
        path = path.partition("/")[2]
