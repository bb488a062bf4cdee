"""Which linked page to read next: by its link's words, the sentence around them, its title, its path, how often it is
linked to and how far it is."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from wekadocs_corpus import terms_of

from .candidates import Candidate

_PATH, _TITLE, _SENTENCE, _LINKED, _NEAR = 0.15, 0.40, 0.30, 0.05, 0.10
_FOUND = 0.40  # what the index of its site's search adds for a page that says all
_MEANT, _ALIKE = 0.25, 0.15  # what likeness adds, from which on
_COMPARED = 500  # links whose meaning is looked at
_OFTEN = 5  # links that make a page as well known as can be
_FARTHER = 0.2  # less for each step from the first page
_LOOKED_AT = 5  # of its links
_COMMON, _FEW = 0.3, 10  # share of links that a word may stand in, among so many at least, to tell anything
Words = Mapping[int, float]


@dataclass(frozen=True)
class Need:
    """A part of the question that is not answered: its words by weight, and itself."""

    words: Words
    question: str


@dataclass(frozen=True)
class Wanted:
    """All that is still looked for; a page that promises one part of it is worth reading."""

    needs: Sequence[Need]
    likeness: Callable[[str, Sequence[str]], Sequence[float]]

    def ranked(self, candidates: Sequence[Candidate]) -> list[tuple[float, Candidate]]:
        """The most promising first; equal ones by what they mean, then in the order in which they were found."""
        told = Telling(candidates)
        by_words = {each.url: max(score(each, need.words, told) for need in self.needs) for each in candidates}
        first = sorted(candidates, key=lambda each: (-by_words[each.url], each.depth))
        alike = self._alike(first[:_COMPARED], told)
        scored = [(by_words[each.url] + _meant(alike.get(each.url, 0.0)), each) for each in first]
        return sorted(scored, key=lambda pair: (-pair[0], pair[1].depth, -alike.get(pair[1].url, 0.0)))

    def _alike(self, candidates: Sequence[Candidate], told: Telling) -> dict[str, float]:
        """How nearly links mean what is asked in other words: `prices` for what something costs."""
        if not candidates:
            return {}
        labels = [told.apart(" ".join(filter(None, (each.title, *each.words[:2])))) for each in candidates]
        around = [told.apart(next(filter(None, each.sentences), "")) for each in candidates]
        rows = [self.likeness(told.apart(need.question), [*labels, *around]) for need in self.needs]
        alike, count = [max(column) for column in zip(*rows, strict=True)], len(candidates)
        best = [max(alike[at] if labels[at] else 0.0, alike[count + at] if around[at] else 0.0) for at in range(count)]
        return {each.url: like for each, like in zip(candidates, best, strict=True)}


def _meant(likeness: float) -> float:
    return _MEANT * likeness if likeness >= _ALIKE else 0.0


class Telling:
    """How well a word tells these links apart: one that most of them say, as a product's name, tells nothing."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self._links = max(1, len(candidates))
        self._saying = Counter(term for each in candidates for term in _label(each))

    def worth(self, term: int) -> float:
        return math.log(1 + self._links / (1 + self._saying[term])) / math.log(1 + self._links)

    def apart(self, text: str) -> str:
        """Without the words that tell nothing; as it is where there are few links."""
        most = _COMMON * self._links
        if self._links < _FEW:
            return text
        words = [word for word in text.split() if not any(self._saying[term] > most for term in terms_of(word))]
        return " ".join(words)


def _label(candidate: Candidate) -> frozenset[int]:
    said = map(terms_of, (candidate.title, *candidate.words[:_LOOKED_AT]))
    return _own_path(candidate).union(*said)


def score(candidate: Candidate, asked: Words, told: Telling) -> float:
    """`asked` are the words that are looked for, by weight."""
    words, sentences = candidate.words[:_LOOKED_AT], candidate.sentences[:_LOOKED_AT]
    titles = [alike(terms_of(said), asked, told) for said in (candidate.title, *words) if said]
    around = [alike(terms_of(sentence), asked, told) for sentence in sentences if sentence]
    title = max(titles, default=0.0)
    return (
        _PATH * alike(_own_path(candidate), asked, told)
        + _TITLE * title
        + _SENTENCE * max(around, default=title)
        + _LINKED * min(1.0, candidate.links / _OFTEN)
        + _NEAR * max(0.0, 1.0 - _FARTHER * (candidate.depth - 1))
        + _FOUND * candidate.said
    )


def _own_path(candidate: Candidate) -> frozenset[int]:
    """What tells it apart from the page that links to it."""
    return _path_words(candidate.url) - _path_words(candidate.found_on)


@lru_cache(maxsize=4096)
def _path_words(url: str) -> frozenset[int]:
    return terms_of(re.sub(r"[/._\-+?=&]+", " ", unquote(urlsplit(url).path)))


def alike(said: frozenset[int], asked: Words, told: Telling) -> float:
    """Half how much of what is looked for it says, half how little else it says; each word by what it tells."""
    if not said or not asked:
        return 0.0
    worth = {term: told.worth(term) for term in said | asked.keys()}
    both = said & asked.keys()
    covered = sum(asked[term] * worth[term] for term in both) / sum(asked[term] * worth[term] for term in asked)
    return 0.5 * covered + 0.5 * sum(worth[term] for term in both) / sum(worth.values())
