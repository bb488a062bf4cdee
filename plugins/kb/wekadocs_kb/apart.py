"""Quotes that stand near each other do not repeat each other: what two of them have around them is sent once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from wekadocs_corpus.covering import fits
from wekadocs_corpus.sentences import is_heading

if TYPE_CHECKING:
    from wekadocs_corpus.quotes import Quote


def apart(chosen: Sequence[Quote], passages: Sequence[Any], max_tokens: int) -> list[Quote]:
    """In the same order; `passages` are those that quotes name by number, each with its document, start and text."""
    places = [(each.document_id, each.start) for each in passages]
    kept: list[Quote] = []
    for quote in chosen:
        if not any(_inside(quote, other, places) for other in kept):  # passages of one document may overlap
            kept.append(quote)
    spans = {number: quote.span for number, quote in enumerate(kept)}
    in_text = sorted(spans, key=lambda number: _place(kept[number], places))
    for before, after in pairwise(in_text):
        one, two = kept[before], kept[after]
        if places[one.source][0] == places[two.source][0]:
            shift = places[one.source][1] - places[two.source][1]  # from one passage's characters to the other's
            border = min(spans[before][1] + shift, two.core[0])
            if spans[after][0] < border and one.core[1] + shift <= border:
                spans[before] = _stripped(passages[one.source].text, spans[before][0], border - shift)
                spans[after] = _first_word(passages[two.source].text, border, two.core[0]), spans[after][1]
    return _joined([replace(quote, span=spans[number]) for number, quote in enumerate(kept)], passages, max_tokens)


def _joined(quotes: list[Quote], passages: Sequence[Any], max_tokens: int) -> list[Quote]:
    """Two between which nothing stands, no heading either, are one where one quote may be so long.

    The better one says what it is worth.
    """
    in_text = sorted(range(len(quotes)), key=lambda each: (quotes[each].source, quotes[each].core))
    for before, after in pairwise(in_text):
        one, two = quotes[before], quotes[after]
        text, between = passages[one.source].text, slice(one.span[1], two.span[0])
        if one.source == two.source and not text[between].strip() and not is_heading(text, between.stop):
            core = one.core[0], two.core[1]
            if fits(text, core, max_tokens):
                first, second = sorted((before, after))
                quotes[first] = replace(quotes[first], core=core, span=(one.span[0], two.span[1]))
                return _joined(quotes[:second] + quotes[second + 1 :], passages, max_tokens)
    return quotes


def _place(quote: Quote, places: Sequence[tuple[str, int]]) -> tuple[str, int]:
    document, start = places[quote.source]
    return document, start + quote.core[0]


def _inside(quote: Quote, other: Quote, places: Sequence[tuple[str, int]]) -> bool:
    (document, start), (same, begin) = places[quote.source], places[other.source]
    return (
        document == same
        and begin + other.core[0] <= start + quote.core[0]
        and (start + quote.core[1] <= begin + other.core[1])
    )


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    return start, start + len(text[start:end].rstrip())


def _first_word(text: str, start: int, most: int) -> int:
    while start < most and text[start].isspace():
        start += 1
    return start
