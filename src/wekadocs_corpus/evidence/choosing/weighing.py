"""How likely each unit of the passages holds the answer: by its words, its likeness, where it stands, what it is.

The curve was fitted by bench/answers/fit.py; docs/explanation/evidence.md says on what, and what each part is worth.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from wekadocs_corpus.evidence.units import share
from wekadocs_corpus.evidence.unsaid import has, telling
from wekadocs_corpus.lexical import terms_of
from wekadocs_corpus.tuning import TUNING

from .meaning import Unit, units_of

if TYPE_CHECKING:
    from wekadocs_corpus.embedding.likeness import Compared, Placed
    from wekadocs_corpus.evidence.quotes import QuoteSource
    from wekadocs_corpus.retrieval.question import Question


class Likeness(Protocol):
    def __call__(self, question: str, texts: Sequence[str], /) -> Sequence[float]:
        """How nearly each text means what is asked."""

    def nearest(self, words: Sequence[str], others: Sequence[str], /) -> Sequence[float]:
        """For each word how near the nearest of the others is."""

    def compared(self, question: str, words: Sequence[str], those: Sequence[Placed], /) -> Sequence[Compared]:
        """How nearly texts mean what is asked, as a whole and word by word."""


_NUMBER = re.compile(r"\d")
_ENOUGH = TUNING.sentences.heading_says
_COMPARED = TUNING.units.compared
_FEW = TUNING.units.few
_USUAL, _COSTS = TUNING.units.usual, TUNING.units.costs


class Signs(NamedTuple):
    """What is known of a unit, each about between 0 and 1."""

    said: float  # share of the question in it
    above: float  # share of the question in its title and headings, and not in it
    before: float  # share of the question in the unit before it
    rank: float  # one over its passage's
    found: float  # it stands in what was found, not around it
    unlike: float  # how much less alike to the question than the most alike one, each in its place
    alone: float  # the same without the title and headings that it stands under
    amount: float  # a number, where one is asked for
    length: float  # logarithm of its tokens
    defines: float  # it tells what a name in the question means
    steps: float  # steps below the heading that says what is asked how to do
    section: float  # share of the question that others below its heading have, and not it, where it has some
    like_words: float  # share of the question that it says in like words alone
    less: float  # of the question, like words and headings counted: how much less than the one that has most


CURVE = TUNING.units.curve


class Weighed(NamedTuple):
    """A unit that comes into question; `number` is its place among those of its passage."""

    source: int
    number: int
    unit: Unit
    terms: frozenset[int]
    signs: Signs
    like: float  # to the question, by the static model
    score: float  # how likely it has the answer
    worth: float  # the same for the room it takes

    def scored(self, score: float) -> Weighed:
        return self._replace(score=score, worth=score * max(1.0, self.unit.tokens / _USUAL) ** -_COSTS)


def weighed(question: Question, sources: Sequence[QuoteSource], likeness: Likeness) -> list[Weighed]:
    """In the order of the passages; what an earlier passage of the document has as well, or another one says in the
    same words, is left out."""
    places = list(_once(sources))
    if not places or not question.shares:
        return []
    before: dict[tuple[int, int], float] = {}
    sections = _sections(places)
    found = []
    for source, number, unit in places:
        others = sections[_section(source, unit)] - unit.terms
        signs = _signs(question, sources[source], source, number, unit, before, others)
        new = Weighed(source, number, unit, unit.terms & question.shares.keys(), signs, 0.0, 0.0, 0.0)
        found.append(new.scored(likely(signs)))
    return _compared(question, sources, found, likeness)


def _signs(
    question: Question,
    source: QuoteSource,
    rank: int,
    number: int,
    unit: Unit,
    said: dict[tuple[int, int], float],
    others: frozenset[int],
) -> Signs:
    """All but its likeness; `said` are the shares of the units so far, `others` what else its section says."""
    own = said[rank, number] = share(_said(source, unit, number), question.shares)
    return Signs(
        own,
        share(_above(source, unit) - unit.terms, question.shares),
        said.get((rank, number - 1), 0.0),
        1.0 / (rank + 1),
        float(_inside(unit, source.found)),
        _FEW,
        _FEW,
        float(question.amount and _NUMBER.search(source.text, unit.start, unit.end) is not None),
        math.log(1 + unit.tokens),
        float(_defines(question, source, unit, number)),
        _steps(question, source, unit),
        share(others, question.shares) if own else 0.0,
        0.0,
        1.0,
    )


def _sections(places: Sequence[tuple[int, int, Unit]]) -> dict[tuple[int, object], frozenset[int]]:
    """What is said below each heading."""
    said: dict[tuple[int, object], set[int]] = {}
    for source, _, unit in places:
        said.setdefault(_section(source, unit), set()).update(unit.terms)
    return {section: frozenset(terms) for section, terms in said.items()}


def _section(source: int, unit: Unit) -> tuple[int, object]:
    return source, unit.above[-1] if unit.above else None


def _compared(
    question: Question, sources: Sequence[QuoteSource], found: list[Weighed], likeness: Likeness
) -> list[Weighed]:
    """With their likeness, the likeliest of them: the others are as good as not alike."""
    order = sorted(range(len(found)), key=lambda place: -found[place].score)[:_COMPARED]
    told = list(telling(question))
    total = sum(weight for _, _, weight in told) or 1.0
    asked = [(word.lower(), parts, weight / total) for word, parts, weight in told]
    those = [_placed(sources[found[at].source], found[at].unit) for at in order]
    like = likeness.compared(question.text, [word for word, _, _ in asked], those)
    by_words = [_in_like_words(asked, found[at].unit, each) for at, each in zip(order, like, strict=True)]
    most, most_alone = max(each.placed for each in like), max(each.alone for each in like)
    most_said = max(all_of_it for _, all_of_it in by_words)
    for at, each, (like_words, all_of_it) in zip(order, like, by_words, strict=True):
        signs = found[at].signs._replace(
            unlike=min(_FEW, most - each.placed),
            alone=min(_FEW, most_alone - each.alone),
            like_words=like_words,
            less=most_said - all_of_it if asked else 1.0,
        )
        found[at] = found[at]._replace(signs=signs, like=each.placed).scored(likely(signs))
    return found


def _in_like_words(
    asked: Sequence[tuple[str, tuple[int, ...], float]], unit: Unit, like: Compared
) -> tuple[float, float]:
    """Which share of the question it says in like words alone, and how much it and its headings say in all."""
    alike = all_of_it = 0.0
    for (_, parts, part), own, above in zip(asked, like.said, like.above, strict=True):
        said = float(has(unit.terms, parts))
        alike += part * (max(said, own) - said)
        all_of_it += part * max(said, own, above)
    return alike, all_of_it


def likely(signs: Signs, curve: Sequence[float] = CURVE) -> float:
    at = sum(weight * value for weight, value in zip(curve, (*signs, 1.0), strict=True))
    return 1.0 / (1.0 + math.exp(-at))


def _once(sources: Sequence[QuoteSource]) -> Iterator[tuple[int, int, Unit]]:
    read: dict[str, list[tuple[int, int]]] = {}
    said: set[str] = set()
    for place, source in enumerate(sources):
        ranges = read.setdefault(source.document or str(place), [])
        for number, unit in enumerate(units_of(source.text)):
            start, end = source.start + unit.start, source.start + unit.end
            words = " ".join(source.text[unit.start : unit.end].split())
            if words not in said and not any(first < end and start < last for first, last in ranges):
                said.add(words)
                yield place, number, unit
        ranges.append((source.start, source.start + len(source.text)))


def _placed(source: QuoteSource, unit: Unit) -> Placed:
    from wekadocs_corpus.embedding.likeness import Placed

    headings = "\n".join(source.text[slice(*span)] for span in unit.above) or source.heading
    return Placed(source.title, headings, source.text[unit.start : unit.end])


def _above(source: QuoteSource, unit: Unit) -> frozenset[int]:
    if not unit.above:
        return _terms(source.heading)
    return _terms(source.title).union(*(_terms(source.text[slice(*span)]) for span in unit.above))


@lru_cache(maxsize=1024)
def _terms(heading: str) -> frozenset[int]:
    """Of a heading, which many units stand under."""
    return terms_of(heading)


def _said(source: QuoteSource, unit: Unit, number: int) -> frozenset[int]:
    """Its words; what a page begins with that is called as the question says what its title names."""
    return unit.terms | terms_of(source.heading) if source.opening and not number else unit.terms


def _inside(unit: Unit, found: tuple[int, int] | None) -> bool:
    return found is None or (found[0] <= unit.start and unit.end <= found[1])


def _defines(question: Question, source: QuoteSource, unit: Unit, number: int) -> bool:
    if source.opening and not number:
        return True
    entry = question.entry
    return entry is not None and entry.search(source.text, unit.start, unit.end) is not None


def _steps(question: Question, source: QuoteSource, unit: Unit) -> float:
    if not question.how or unit.kind not in ("step", "code"):
        return 0.0
    lines = [source.text[slice(*span)] for span in unit.above] or source.heading.splitlines()
    best = max((share(_terms(line), question.shares) for line in lines), default=0.0)
    return best if best >= _ENOUGH else 0.0
