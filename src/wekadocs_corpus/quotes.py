"""The sentences that answer a question, out of a few passages: chosen by words, verbatim, with their place.

`plain` is the simple overlap of seed 000 §4.6.1, to the letter. `weighted` counts rare words more, knows stems, prefers
passages that ranked higher and words that stand together; it is the default. Both are deterministic.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from . import evidence, tokens
from .lexical import document_terms

RERANKED = 24  # spans a second look may see
_RANK, _PAIRS, _CONTEXT = 0.15, 0.10, 0.10
_WORD = re.compile(r"[^\W_]+")
_CODE = re.compile(r"^(```|~~~)")


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


@dataclass(frozen=True)
class _Candidate:
    source: int
    span: tuple[int, int]
    score: float

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
    return _quotes(sorted(candidates, key=lambda each: each.order)[:most], sources, max_tokens, context)


def weighted(
    weights: Mapping[int, float],
    pairs: Sequence[tuple[int, int]],
    sources: Sequence[Source],
    most: int,
    max_tokens: int,
    context: int = 0,
) -> list[Quote]:
    """`weights` are the question's terms with their rarity, `pairs` those that stand side by side in it."""
    total = sum(weights.values())
    if not total:
        return []
    candidates = [
        _Candidate(number, span, score)
        for number, source in enumerate(sources)
        for span, score in _scored(source, 1.0 / (number + 1), weights, total, pairs)
        if score > 0
    ]
    best = sorted(candidates, key=lambda each: each.order)
    return _quotes(_apart(best, most), sources, max_tokens, context)


def _scored(
    source: Source, prior: float, weights: Mapping[int, float], total: float, pairs: Sequence[tuple[int, int]]
) -> list[tuple[tuple[int, int], float]]:
    around = _share(set(document_terms("", (), source.heading)), weights, total)
    found = []
    for span in evidence.spans(source.text):
        text = source.text[span[0] : span[1]]
        terms = set(document_terms("", (), text))
        share = _share(terms, weights, total)
        if share > 0:
            together = sum(a in terms and b in terms for a, b in pairs) / len(pairs) if pairs else 0.0
            found.append((span, share + _PAIRS * together + _CONTEXT * around + _RANK * prior + _form(text)))
    return found


def _share(terms: set[int], weights: Mapping[int, float], total: float) -> float:
    return math.fsum(weight for term, weight in weights.items() if term in terms) / total


def _form(text: str) -> float:
    """A heading alone answers nothing; a very short span seldom does."""
    stripped = text.strip()
    if stripped.startswith("#"):
        return -0.25
    return -0.1 if len(stripped) < 25 else 0.0


def _apart(best: Sequence[_Candidate], most: int) -> list[_Candidate]:
    """No span twice, whatever passages overlap."""
    chosen: list[_Candidate] = []
    for each in best:
        if len(chosen) == most:
            break
        if all(each.source != other.source or not _overlap(each.span, other.span) for other in chosen):
            chosen.append(each)
    return chosen


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _quotes(chosen: Sequence[_Candidate], sources: Sequence[Source], max_tokens: int, context: int) -> list[Quote]:
    quotes = []
    for each in chosen:
        text = sources[each.source].text
        core = evidence.clip(text, each.span, max_tokens)
        quotes.append(Quote(each.source, core, widened(text, core, context // 2, context - context // 2), each.score))
    return quotes


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
