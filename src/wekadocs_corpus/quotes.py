"""The sentences that answer a question, out of a few passages: chosen by words, verbatim, with their place.

`plain` is the simple overlap of seed 000 §4.6.1, to the letter. `weighted` counts rare words more, knows stems, prefers
passages that ranked higher and words that stand together, looks for what earlier quotes leave open, and joins sentences
that adjoin; it is the default. Both are deterministic. The figures are in docs/explanation/evidence.md.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from . import evidence, tokens
from .lexical import document_terms

RERANKED = 24  # spans that come into question once scored
_RANK, _PAIRS, _HEADING = 0.15, 0.10, 0.10
_COVERED = 0.8  # what a word counts less once another quote has it
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Source:
    """A passage to quote from, best first."""

    text: str
    heading: str = ""  # title and headings above it


@dataclass(frozen=True)
class Quote:
    """`core` is what was chosen, `span` the core with its context; both are characters of the source's text."""

    source: int
    core: tuple[int, int]
    span: tuple[int, int]
    score: float
    share: float = 0.0  # of the question's words, by weight, that the core has
    behind: float = 0.0  # how far its score is from the best one


@dataclass(frozen=True, eq=False)
class _Candidate:
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


def plain(question: str, sources: Sequence[Source], most: int, max_tokens: int, context: int = 0) -> list[Quote]:
    """The algorithm of the seed: the share of the question's words that a span contains, as substrings."""
    words = list(dict.fromkeys(word for word in _WORD.findall(question.lower()) if len(word) >= 3))
    candidates = []
    for number, source in enumerate(sources):
        for span in evidence.spans(source.text, plain=True):
            text = source.text[span[0] : span[1]].lower()
            candidates.append(_Candidate(number, span, sum(word in text for word in words) / max(1, len(words))))
    best = sorted(candidates, key=lambda each: each.order)[:most]
    return [_quote(each, each.score, best[0], sources, max_tokens, context) for each in best]


def weighted(
    weights: Mapping[int, float],
    pairs: Sequence[tuple[int, int]],
    sources: Sequence[Source],
    most: int,
    max_tokens: int,
    context: int = 0,
    unknown: int = 0,
) -> list[Quote]:
    """`weights` are the question's terms with their rarity, `pairs` those that stand side by side in it.

    `unknown` counts the question's terms that no document has: each makes every share smaller by the rarest word's
    weight. It changes no choice, only how much of the question a quote can be said to answer.
    """
    total = sum(weights.values())
    if not total:
        return []
    shares = {term: weight / total for term, weight in weights.items()}
    candidates = [each for number in range(len(sources)) for each in _scored(number, sources[number], shares, pairs)]
    best = sorted(candidates, key=lambda each: each.order)[:RERANKED]
    known = total / (total + unknown * max(weights.values()))
    return [
        _quote(each, known * _share(each.terms, shares), best[0], sources, max_tokens, context)
        for each in _covering(best, shares, sources, most, max_tokens)
    ]


def _scored(
    number: int, source: Source, shares: Mapping[int, float], pairs: Sequence[tuple[int, int]]
) -> Iterator[_Candidate]:
    above = _RANK / (number + 1) + _HEADING * _share(_terms(source.heading), shares)
    for place, span in enumerate(evidence.spans(source.text)):
        text = source.text[span[0] : span[1]]
        terms = _terms(text) & shares.keys()
        if terms:
            together = sum(a in terms and b in terms for a, b in pairs) / len(pairs) if pairs else 0.0
            score = _share(terms, shares) + _PAIRS * together + above + _form(text)
            yield _Candidate(number, span, score, place, place, terms)


def _terms(text: str) -> frozenset[int]:
    return frozenset(document_terms("", (), text))


def _share(terms: frozenset[int], shares: Mapping[int, float]) -> float:
    return math.fsum(shares[term] for term in terms & shares.keys())


def _form(text: str) -> float:
    """A heading alone answers nothing; a very short span seldom does."""
    stripped = text.strip()
    if stripped.startswith("#"):
        return -0.25
    return -0.1 if len(stripped) < 25 else 0.0


def _covering(
    best: Sequence[_Candidate], shares: Mapping[int, float], sources: Sequence[Source], most: int, max_tokens: int
) -> list[_Candidate]:
    """One after the other what is best beside those already taken; what adjoins one of them becomes part of it."""
    worth = {each: each.score for each in best}
    chosen: list[_Candidate] = []
    covered: frozenset[int] = frozenset()
    while worth:
        following = max(worth, key=worth.__getitem__)  # the first of equals
        del worth[following]
        if not _taken(chosen, following, sources, most, max_tokens):
            break
        for term in sorted(following.terms - covered):
            for each in worth:
                if term in each.terms:
                    worth[each] -= _COVERED * shares[term]
        covered |= following.terms
    return chosen


def _taken(
    chosen: list[_Candidate], following: _Candidate, sources: Sequence[Source], most: int, max_tokens: int
) -> bool:
    for at, other in enumerate(chosen):
        joined = _joined(other, following)
        if joined and _fits(sources[joined.source].text, joined.span, max_tokens):
            chosen[at] = joined
            return True
    if len(chosen) < most:
        chosen.append(following)
        return True
    return False


def _joined(one: _Candidate, other: _Candidate) -> _Candidate | None:
    """Both as one span when nothing stands between them."""
    first, second = sorted((one, other), key=lambda each: each.first)
    if one.source != other.source or first.last + 1 != second.first:
        return None
    span = (first.span[0], second.span[1])
    return replace(one, span=span, first=first.first, last=second.last, terms=one.terms | other.terms)


def _fits(text: str, span: tuple[int, int], max_tokens: int) -> bool:
    start, end = span
    return end - start <= evidence.MAX_QUOTE_CHARACTERS and tokens.count(text[start:end]) <= max_tokens


def _quote(
    each: _Candidate, share: float, best: _Candidate, sources: Sequence[Source], max_tokens: int, context: int
) -> Quote:
    text = sources[each.source].text
    core = evidence.clip(text, each.span, max_tokens)
    span = widened(text, core, context // 2, context - context // 2)
    return Quote(each.source, core, span, each.score, share, best.score - each.score)


def widened(text: str, span: tuple[int, int], before: int, after: int) -> tuple[int, int]:
    """The span with so many tokens more on either side, on word boundaries; what one side lacks stays lacking."""
    start, end = span
    if after:
        end += tokens.truncate(text[end : end + 12 * after + 200], after)
        while end > span[1] and text[end - 1].isspace():
            end -= 1
    if before:
        left = text[max(0, start - 12 * before - 200) : start]
        start -= _tail(left, before)
        while start < span[0] and text[start].isspace():
            start += 1
    return start, end


def _tail(text: str, most: int) -> int:
    """How many characters at the end of the text cost no more than so many tokens, from a word's beginning on."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if tokens.count(text[len(text) - middle :]) <= most:
            low = middle
        else:
            high = middle - 1
    start = len(text) - low
    if 0 < start < len(text) and not text[start - 1].isspace():
        inside = re.compile(r"\s").search(text, start)
        return len(text) - inside.end() if inside else 0
    return low
