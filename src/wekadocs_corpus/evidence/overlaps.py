"""No text is quoted twice: of quotes that overlap, and of context that two could have, the better one has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wekadocs_corpus.evidence.quotes import Quote, QuoteSource

Span = tuple[int, int]


def without_overlaps(chosen: Sequence[Quote], sources: Sequence[QuoteSource]) -> list[Quote]:
    """In the same order, best first; what better ones have as a whole is left out."""
    kept: list[Quote] = []
    for quote in chosen:
        core = _beside(quote, kept, sources)
        if core[0] < core[1]:
            kept.append(replace(quote, core=core, cut=quote.cut or core != quote.core))
    clear = [replace(quote, span=quote.core) for quote in kept]
    for place, quote in enumerate(kept):
        clear[place] = replace(quote, span=_around(quote, [*clear[:place], *clear[place + 1 :]], sources))
    return clear


def _beside(quote: Quote, better: Sequence[Quote], sources: Sequence[QuoteSource]) -> Span:
    """What of its core no better one has: the longer part where one stands inside of it."""
    text, core = sources[quote.source].text, quote.core
    for first, last in _places(better, quote, sources, "core"):
        if first < core[1] and core[0] < last:
            parts = (_stripped(text, core[0], first), _stripped(text, last, core[1]))
            core = max(parts, key=lambda part: part[1] - part[0])
    return core


def _around(quote: Quote, others: Sequence[Quote], sources: Sequence[QuoteSource]) -> Span:
    """As much of its context as reaches no other quote."""
    low, high = quote.span
    for first, last in _places(others, quote, sources, "span"):
        low, high = (low, min(high, first)) if first >= quote.core[1] else (max(low, last), high)
    text = sources[quote.source].text
    before, after = _stripped(text, low, quote.core[0]), _stripped(text, quote.core[1], high)
    return min(before[0], quote.core[0]), max(after[1], quote.core[1])


def _places(others: Sequence[Quote], quote: Quote, sources: Sequence[QuoteSource], which: str) -> Iterator[Span]:
    """Where those of the same document stand, in characters of this one's source."""
    from wekadocs_corpus.evidence.quotes import place_of  # with all that chooses; plugins are imported without it

    document, start = place_of(sources, quote.source)
    for other in others:
        same, begin = place_of(sources, other.source)
        if same == document:
            first, last = getattr(other, which)
            yield first + begin - start, last + begin - start


def _stripped(text: str, start: int, end: int) -> Span:
    piece = text[max(0, start) : max(0, end)]
    begin = max(0, start) + len(piece) - len(piece.lstrip())
    return begin, max(begin, max(0, start) + len(piece.rstrip()))
