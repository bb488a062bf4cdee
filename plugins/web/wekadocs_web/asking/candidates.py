"""Which linked page to read next: by its link's words, the sentence around them, its title, its path, how often it is
linked to and how far it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from wekadocs_corpus import terms_of
from wekadocs_web.pages import FRAME, Link

_PATH, _TITLE, _SENTENCE, _LINKED, _NEAR = 0.15, 0.40, 0.30, 0.05, 0.10
_MEANT, _ALIKE = 0.25, 0.15  # what likeness adds, from which on
_COMPARED = 500  # links whose meaning is looked at
_OFTEN = 5  # links that make a page as well known as can be
_FARTHER = 0.2  # less for each step from the first page
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


@dataclass(frozen=True)
class Wanted:
    """What is looked for: its words by weight, and the question they come from."""

    words: Mapping[int, float]
    question: str
    likeness: Callable[[str, Sequence[str]], Sequence[float]]

    def meant(self, candidates: Sequence[Candidate]) -> dict[str, float]:
        """What links gain by meaning the same in other words: `prices` for what something costs."""
        if not candidates:
            return {}
        labels = [" ".join(filter(None, (each.title, *each.words[:2]))) for each in candidates]
        around = [next(filter(None, each.sentences), "") for each in candidates]
        alike = self.likeness(self.question, [*labels, *around])
        count = len(candidates)
        best = [max(alike[at] if labels[at] else 0.0, alike[count + at] if around[at] else 0.0) for at in range(count)]
        return {each.url: _MEANT * like for each, like in zip(candidates, best, strict=True) if like >= _ALIKE}


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
            if link.text == FRAME or _NO_PAGE.search(link.target) or _NOT_READ.search(link.target):
                continue
            known = self._found.setdefault(link.target, Candidate(link.target, page, depth + 1))
            known.links += 1
            known.words.append(link.text)
            known.sentences.append(link.sentence)

    def name(self, titles: Mapping[str, str]) -> None:
        """Titles of pages that were read before, for another question."""
        for url, title in titles.items():
            if url in self._found:
                self._found[url].title = title

    def best(self, wanted: Wanted, visited: set[str], deepest: int) -> list[tuple[float, Candidate]]:
        """The most promising first; equal ones in the order in which they were found."""
        able = [each for each in self._found.values() if each.url not in visited and each.depth <= deepest]
        scored = [(score(each, wanted.words), each) for each in able]
        scored.sort(key=lambda pair: (-pair[0], pair[1].depth))
        meant = wanted.meant([each for _, each in scored[:_COMPARED]])
        scored = [(by_words + meant.get(each.url, 0.0), each) for by_words, each in scored]
        return sorted(scored, key=lambda pair: (-pair[0], pair[1].depth))


def score(candidate: Candidate, asked: Mapping[int, float]) -> float:
    """Between 0 and 1. `asked` are the words that are looked for, by weight."""
    path = _path_words(candidate.url) - _path_words(candidate.found_on)  # what tells it apart
    titles = [alike(terms_of(words), asked) for words in (candidate.title, *candidate.words[:5]) if words]
    around = [alike(terms_of(sentence), asked) for sentence in candidate.sentences[:5] if sentence]
    title = max(titles, default=0.0)
    return (
        _PATH * alike(path, asked)
        + _TITLE * title
        + _SENTENCE * max(around, default=title)
        + _LINKED * min(1.0, candidate.links / _OFTEN)
        + _NEAR * max(0.0, 1.0 - _FARTHER * (candidate.depth - 1))
    )


@lru_cache(maxsize=4096)
def _path_words(url: str) -> frozenset[int]:
    return terms_of(re.sub(r"[/._\-+?=&]+", " ", unquote(urlsplit(url).path)))


def alike(said: frozenset[int], asked: Mapping[int, float]) -> float:
    """Half how much of what is looked for it says, half how little else it says."""
    if not said or not asked:
        return 0.0
    both = said & asked.keys()
    covered = sum(asked[term] for term in both) / sum(asked.values())
    return 0.5 * covered + 0.5 * len(both) / len(said | asked.keys())


def above(url: str) -> Sequence[str]:
    """The pages in whose folders it stands."""
    parts = urlsplit(url)
    steps = [step for step in parts.path.split("/") if step][:-1]
    return [f"{parts.scheme}://{parts.netloc}/{'/'.join(steps[:at])}/" for at in range(len(steps), 0, -1)]
