"""Pages that were not read: which links lead to them, and what is known of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from wekadocs_web.pages import FRAME, INDEX, Link

_NO_PAGE = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|ico|css|js|zip|gz|tgz|bz2|xz|exe|dmg|iso|mp[34]|avi|mov|woff2?|ttf|whl|jar)(?:\?|$)",
    re.I,
)
_NOT_READ = re.compile(
    r"/(?:login|log-in|signin|sign-in|signup|logout|register|cart|account|search|edit|tag|tags)(?:/|\?|$)", re.I
)


@dataclass
class Candidate:
    """A page that was not read, and what is known of it."""

    url: str
    found_on: str
    depth: int
    words: list[str] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    title: str = ""
    links: int = 0  # of pages of this call
    said: float = 0.0  # share of what is looked for, by the index of its site's search


class Candidates:
    """All that the pages of this call lead to."""

    def __init__(self) -> None:
        self._found: dict[str, Candidate] = {}
        self._pages: set[str] = set()

    def has(self, page: str) -> bool:
        """Whether it is known where this one leads."""
        return page in self._pages

    def add(self, page: str, depth: int, links: Iterable[Link]) -> None:
        """What a page leads to, or its site."""
        self._pages.add(page)
        for link in links:
            if link.text in (FRAME, INDEX) or _NO_PAGE.search(link.target) or _NOT_READ.search(link.target):
                continue
            known = self._found.setdefault(link.target, Candidate(link.target, page, depth + 1))
            known.links += 1
            if link.text not in known.words:  # menus say the same on every page
                known.words.append(link.text)
                known.sentences.append(link.sentence)

    def found(self, page: str, depth: int, hits: Iterable[tuple[str, str, float]]) -> None:
        """By the index of its site's search, on which the page led."""
        for url, title, said in hits:
            known = self._found.setdefault(url, Candidate(url, page, depth + 1))
            known.said = max(known.said, said)
            known.title = known.title or title

    def said_by(self, url: str) -> float:
        known = self._found.get(url)
        return known.said if known is not None else 0.0

    def name(self, titles: Mapping[str, str]) -> None:
        """Titles of pages that were read before, for another question."""
        for url, title in titles.items():
            if url in self._found:
                self._found[url].title = title

    def within(self, visited: set[str], deepest: int) -> list[Candidate]:
        """Those that may be read, in the order in which they were found."""
        return [each for each in self._found.values() if each.url not in visited and each.depth <= deepest]


_OWN_LINKS = 5  # as a menu of each page has
_PARTS = re.compile(r"\s[-\u2013\u2014|\u00b7\u00bb]\s")


def by_name(url: str, title: str, headings: Sequence[str], said: float) -> Candidate:
    """A page that was read, as a link to it would look."""
    names = [*headings, _PARTS.split(title)[0]]
    return Candidate(url, "", 1, list(dict.fromkeys(filter(None, names))), links=_OWN_LINKS, said=said)


def above(url: str) -> Sequence[str]:
    """The pages in whose folders it stands."""
    parts = urlsplit(url)
    steps = [step for step in parts.path.split("/") if step][:-1]
    return [f"{parts.scheme}://{parts.netloc}/{'/'.join(steps[:at])}/" for at in range(len(steps), 0, -1)]


def site_of(url: str) -> str:
    return urlsplit(url).netloc.removeprefix("www.")
