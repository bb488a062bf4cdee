"""Quotes that read on with the tokens that are left: what was cut first, then each to the size of a quote, then on."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from wekadocs_corpus import tokens

from . import spans as evidence
from .quotes import Quote, Source, place_of
from .sentences import Span, is_heading
from .units import spans_of

_FENCES = ("```", "~~~")


def read_on(quotes: Sequence[Quote], sources: Sequence[Source], each: int, total: int) -> list[Quote]:
    """The same ones, longer, and those that then adjoin as one; all cores together cost no more than `total` tokens.

    Best first: where two could read the same, the better one does.
    """
    grown = list(quotes)
    sizes = [_size(sources[quote.source].text, quote.core) for quote in grown]
    for way, most in ((_completed, total), (_further, each), (_to_its_ends, total)):
        for place, quote in enumerate(grown):
            room = min(most, sizes[place] + total - sum(sizes))
            text = sources[quote.source].text
            core = way(text, quote.core, _free(grown, place, sources), room) if room > sizes[place] else quote.core
            sizes[place] = _size(text, core)
            span = min(quote.span[0], core[0]), max(quote.span[1], core[1])
            grown[place] = replace(quote, core=core, span=span, cut=_is_cut(text, core))
    return _joined(grown, sources)


def _size(text: str, span: Span) -> int:
    return tokens.count(text[span[0] : span[1]])


def _free(quotes: Sequence[Quote], place: int, sources: Sequence[Source]) -> Span:
    """Between which characters of its source no other quote stands."""
    quote = quotes[place]
    document, offset = place_of(sources, quote.source)
    low, high = 0, len(sources[quote.source].text)
    for other in (*quotes[:place], *quotes[place + 1 :]):
        same, begin = place_of(sources, other.source)
        first, last = (begin - offset + each for each in other.span)
        if same == document:
            low, high = (low, min(high, first)) if first >= quote.core[1] else (max(low, last), high)
    return low, high


def _completed(text: str, core: Span, free: Span, most: int) -> Span:
    """The whole of what it is a part of, or more of it."""
    spans = spans_of(text)
    start, end = spans[max(0, bisect_right(spans, (core[0], len(text))) - 1)] if spans else core
    if not start <= core[0] < core[1] <= end or (start, end) == core or start < free[0] or end > free[1]:
        return core
    if _size(text, (start, end)) <= most:
        return start, end
    return evidence.clip(text, (core[0], end), most, None)


def _further(text: str, core: Span, free: Span, most: int) -> Span:
    """To the next heading. What is announced by a colon, or is code, may be cut; anything else is read whole."""
    if _is_cut(text, core):
        return core
    spans = spans_of(text)
    for start, end in spans[bisect_left(spans, (core[1], 0)) :]:
        if is_heading(text, start) or end > free[1]:
            break
        if _size(text, (core[0], end)) > most:
            announced = text.startswith(_FENCES, start) or text[core[0] : core[1]].rstrip("*").endswith(":")
            return evidence.clip(text, (core[0], end), most, None) if announced else core
        core = core[0], end
    return core


def _to_its_ends(text: str, core: Span, free: Span, most: int) -> Span:
    return _back(text, _further(text, core, free, most), free, most)


def _back(text: str, core: Span, free: Span, most: int) -> Span:
    """To the heading above."""
    spans = spans_of(text)
    for start, _ in reversed(spans[: bisect_left(spans, (core[0], 0))]):
        if is_heading(text, core[0]) or start < free[0] or _size(text, (start, core[1])) > most:
            break
        core = start, core[1]
    return core


def _is_cut(text: str, core: Span) -> bool:
    """Whether it begins or ends inside of what would be quoted whole."""
    spans = spans_of(text)
    around = spans[max(0, bisect_left(spans, (core[0], 0)) - 1) : bisect_left(spans, (core[1], 0))]
    return any(start < edge < end for start, end in around for edge in core)


def _joined(quotes: list[Quote], sources: Sequence[Source]) -> list[Quote]:
    """Two between which nothing stands, no heading either, are one. The better one says what it is worth."""
    in_text = sorted(range(len(quotes)), key=lambda each: (quotes[each].source, quotes[each].core))
    for before, after in pairwise(in_text):
        one, two = quotes[before], quotes[after]
        text = sources[one.source].text
        apart = one.source != two.source or text[one.span[1] : two.span[0]].strip() or one.cut
        if not apart and not is_heading(text, two.span[0]):
            first, second = sorted((before, after))
            core, span = (one.core[0], two.core[1]), (one.span[0], two.span[1])
            quotes[first] = replace(quotes[first], core=core, span=span, cut=two.cut)
            return _joined(quotes[:second] + quotes[second + 1 :], sources)
    return quotes
