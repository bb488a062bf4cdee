"""Where a quotation stands in a document, or what stands there instead; at a cost that no text can raise."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from difflib import Match, SequenceMatcher
from itertools import accumulate
from typing import NamedTuple

from wekadocs_corpus.model import fingerprint
from wekadocs_corpus.stopping import check

_NEAR = 0.6
_BY_LETTERS = 400  # longer texts are compared by words
_MOST = 2_000_000  # pairs of equal words, or letters, that one comparison looks at: about half a second
_WORD = re.compile(r"\S+")


class Verdict(NamedTuple):
    """What a citation is worth; `span` is where the words are, or nearly are."""

    verified: bool
    reason: str
    span: tuple[int, int] | None
    similarity: float


def verify(text: str, quote: str, start: int | None, cited: str | None) -> Verdict:
    """`start` and `cited` are the place and fingerprint as they were given, if they were."""
    if start is not None and text.startswith(quote, start) and cited in (None, fingerprint(quote)):
        return Verdict(True, "exact", (start, start + len(quote)), 1.0)
    at = text.find(quote)
    if at >= 0:
        as_cited = start is None and cited in (None, fingerprint(quote))
        return Verdict(True, "exact" if as_cited else "moved", (at, at + len(quote)), 1.0)
    check()
    places = [match.span() for match in _WORD.finditer(text)]
    words = [text[first:last] for first, last in places]
    wanted = quote.split()
    if not words or not wanted:
        return Verdict(False, "absent", None, 0.0)
    return _spaced(words, places, wanted) or _nearest(text, words, places, quote, wanted)


def _spaced(words: Sequence[str], places: Sequence[tuple[int, int]], wanted: Sequence[str]) -> Verdict | None:
    """The same but for white space; it may begin and end within a word."""
    flat, asked = " ".join(words), " ".join(wanted)
    at = flat.find(asked)
    if at < 0:
        return None
    begins = [0, *accumulate(len(word) + 1 for word in words)]

    def place(character: int) -> int:
        number = bisect_right(begins, character) - 1
        return places[number][0] + character - begins[number]

    return Verdict(True, "spacing", (place(at), place(at + len(asked) - 1) + 1), 1.0)


def _nearest(
    text: str, words: Sequence[str], places: Sequence[tuple[int, int]], quote: str, wanted: Sequence[str]
) -> Verdict:
    """The most similar stretch of the document, if any is; word by word, since by letters it can take minutes."""
    longest = _Bounded(words, wanted, _too_common(words, wanted)).find_longest_match()
    if not longest.size:
        return Verdict(False, "absent", None, 0.0)
    first = max(0, longest.a - longest.b)
    last = min(len(words), first + len(wanted)) - 1
    span = places[first][0], places[last][1]
    similarity = _similarity(text[slice(*span)], quote)
    if similarity < _NEAR:
        return Verdict(False, "absent", None, similarity)
    return Verdict(False, "changed", span, similarity)


def _too_common(words: Sequence[str], wanted: Sequence[str]) -> frozenset[str]:
    """Words that stand too often in both to look at every pair: where they stand is found from the rarer ones."""
    here, there = Counter(words), Counter(wanted)
    pairs = {word: here[word] * count for word, count in there.items()}
    cheapest = sorted(pairs, key=lambda word: pairs[word])
    sums = accumulate(pairs[word] for word in cheapest)
    return frozenset(word for word, total in zip(cheapest, sums, strict=True) if total > _MOST)


def _similarity(one: str, other: str) -> float:
    if max(len(one), len(other)) <= _BY_LETTERS:
        return _Bounded(one, other).ratio()
    words, wanted = one.split(), other.split()
    return _Bounded(words, wanted, _too_common(words, wanted)).ratio()


class _Bounded(SequenceMatcher[str]):
    """Compares until it has looked at so many pairs; what it did not get to counts as different."""

    def __init__(self, one: Sequence[str], other: Sequence[str], common: frozenset[str] = frozenset()) -> None:
        super().__init__(common.__contains__ if common else None, one, other, autojunk=False)
        often = Counter(each for each in other if each not in common)
        self._costs = [0, *accumulate(often[each] + 1 for each in one)]
        self._left = 2 * _MOST

    def find_longest_match(self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None) -> Match:
        check()
        self._left -= self._costs[-1 if ahi is None else ahi] - self._costs[alo]
        return super().find_longest_match(alo, ahi, blo, bhi) if self._left >= 0 else Match(alo, blo, 0)
