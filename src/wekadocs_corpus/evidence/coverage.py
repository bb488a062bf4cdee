"""Of the spans that come into question, those that together say most: one after the other, each beside those before."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from wekadocs_corpus import tokens
from wekadocs_corpus.tuning import TUNING

from . import spans
from .sentences import is_heading

_COVERED = TUNING.sentences.covered
_OF_ONE = TUNING.sentences.of_one


@dataclass(frozen=True, eq=False)
class Candidate:
    source: int
    span: tuple[int, int]
    score: float
    first: int = 0  # which spans of its source it is made of
    last: int = 0
    terms: frozenset[int] = frozenset()

    @property
    def order(self) -> tuple[float, int, int, int]:
        """Best score, then shorter, then earlier."""
        return (-self.score, self.span[1] - self.span[0], self.source, self.span[0])


def covering(
    best: Sequence[Candidate], shares: Mapping[int, float], texts: Sequence[str], most: int, max_tokens: int
) -> list[Candidate]:
    """One after the other what is best beside those already taken; what adjoins one of them becomes part of it."""
    worth = {each: each.score for each in best}
    chosen: list[Candidate] = []
    covered: frozenset[int] = frozenset()
    while worth:
        following = max(worth, key=worth.__getitem__)  # the first of equals
        del worth[following]
        if not _taken(chosen, following, texts, most, max_tokens):
            break
        for term in sorted(following.terms - covered):
            for each in worth:
                if term in each.terms:
                    worth[each] -= _COVERED * shares[term]
        covered |= following.terms
    return _with_the_first(chosen, best, most)


def _with_the_first(chosen: list[Candidate], best: Sequence[Candidate], most: int) -> list[Candidate]:
    """The passage that ranked first is always heard: what its title says may be missing in its sentences."""
    its_best = next((each for each in best if each.source == 0), None)
    if its_best is None or any(each.source == 0 for each in chosen):
        return chosen
    return [*chosen[: max(1, most - 1)], its_best][:most]


def _taken(chosen: list[Candidate], following: Candidate, texts: Sequence[str], most: int, max_tokens: int) -> bool:
    for at, other in enumerate(chosen):
        joined = _joined(other, following, texts[following.source])
        if joined and fits(texts[joined.source], joined.span, max_tokens):
            chosen[at] = joined
            return True
    if len(chosen) == most:
        return False
    if any(_same(other, following, texts) for other in chosen):
        return True
    of_one = math.ceil(most * max(_OF_ONE, 1 / len(texts)))
    if sum(other.source == following.source for other in chosen) < of_one:
        chosen.append(following)
    return True


def _same(one: Candidate, other: Candidate, texts: Sequence[str]) -> bool:
    """Two documents may hold the same sentence: another version of a page, a page that prints all."""
    said, again = (" ".join(texts[each.source][slice(*each.span)].split()) for each in (one, other))
    return again in said


def _joined(one: Candidate, other: Candidate, text: str) -> Candidate | None:
    """Both as one span when nothing stands between them; a heading begins a quote of its own."""
    first, second = (one, other) if one.first <= other.first else (other, one)
    if one.source != other.source or first.last + 1 != second.first or is_heading(text, second.span[0]):
        return None
    span = (first.span[0], second.span[1])
    return replace(one, span=span, first=first.first, last=second.last, terms=one.terms | other.terms)


def fits(text: str, span: tuple[int, int], max_tokens: int) -> bool:
    start, end = span
    return end - start <= spans.PER_TOKEN * max_tokens and tokens.count(text[start:end]) <= max_tokens
