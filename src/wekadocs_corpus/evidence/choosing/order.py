"""In which order units are quoted: a larger answer is a smaller one and more.

The likeliest unit first, then whatever is likeliest for the room it takes, when words that are said already count less.
While the quotes so far are shorter than a quote should be, what adjoins them and is nearly as good comes before
anything elsewhere: a passage that answers is read on before another one is begun. The order depends on no limit, and an
answer is as much of its beginning as there is room for; so a larger limit never returns less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from wekadocs_corpus.evidence.sentences import Span
from wekadocs_corpus.tuning import TUNING

from .weighing import Weighed

_COVERED = TUNING.units.covered
_QUOTE = TUNING.units.whole
_NEARLY = TUNING.units.nearly


class Piece(NamedTuple):
    """What can be quoted next, and what it is a part of."""

    source: int
    span: Span
    of: Weighed


def in_order(found: Sequence[Weighed], shares: Mapping[int, float]) -> Iterator[Piece]:
    worth = {(each.source, each.number): each.worth for each in found}
    units = {(each.source, each.number): each for each in found}
    quotes: dict[tuple[int, int], int] = {}  # the units taken, and which quote each is in
    covered: set[int] = set()
    spent = 0
    while worth:
        count = len(set(quotes.values()))
        best = max(worth, key=worth.__getitem__) if quotes else max(worth, key=lambda place: units[place].score)
        if spent < _QUOTE * count:
            beside = [place for place in worth if _joins(place, quotes) and worth[place] >= _NEARLY * worth[best]]
            best = max(beside, key=worth.__getitem__, default=best)
        del worth[best]
        each, number = units[best], _joins(best, quotes)
        quotes[best] = number or count + 1
        if (best[0], best[1] + 1) in quotes and number:  # two become one
            other = quotes[best[0], best[1] + 1]
            quotes.update({place: number for place, of in quotes.items() if of == other})
        backwards = number and (best[0], best[1] - 1) not in quotes  # towards what it adjoins
        for span in reversed(each.unit.pieces) if backwards else each.unit.pieces:
            yield Piece(best[0], span, each)
        spent += each.unit.tokens
        for term in each.terms - covered:
            for place in worth:
                if term in units[place].terms:
                    worth[place] -= _COVERED * shares[term]
        covered |= each.terms


def _joins(place: tuple[int, int], quotes: Mapping[tuple[int, int], int]) -> int:
    """Which quote it adjoins; 0 is none."""
    source, number = place
    return quotes.get((source, number - 1)) or quotes.get((source, number + 1)) or 0
