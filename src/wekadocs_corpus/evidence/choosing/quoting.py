"""As much of the best pieces as there is room for, those that adjoin as one quote: one order, whatever the room."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING

from wekadocs_corpus import tokens
from wekadocs_corpus.evidence.borders import telling_part
from wekadocs_corpus.evidence.sentences import Span
from wekadocs_corpus.evidence.spans import clip
from wekadocs_corpus.evidence.units import share
from wekadocs_corpus.evidence.unsaid import ALL_SAID, Unsaid, unsaid
from wekadocs_corpus.lexical import terms_of
from wekadocs_corpus.tuning import TUNING

from .order import Piece, in_order
from .weighing import Likeness, Weighed

if TYPE_CHECKING:
    from wekadocs_corpus.evidence.quotes import Quote, QuoteSource
    from wekadocs_corpus.retrieval.question import Question

_TELLING = TUNING.units.telling
_ONE, _FIRST, _EACH = TUNING.units.one, TUNING.units.first, TUNING.units.each
_LARGEST = _FIRST + 6 * _EACH  # of an answer, unless more quotes are asked for
_SECOND, _LATER = TUNING.units.least_second, TUNING.units.least_later


@dataclass(frozen=True)
class Run:
    """Pieces with nothing between them: a quote to be. `header` is that of the table whose rows begin it."""

    source: int
    text: str  # of the source
    span: Span
    best: Weighed
    terms: frozenset[int]
    header: str = ""
    cut: bool = False

    @cached_property
    def size(self) -> int:
        """In tokens; counted once, as every piece that is tried asks for it."""
        return tokens.count(self.text[slice(*self.span)]) + tokens.count(self.header)


@dataclass(frozen=True)
class Evidence:
    """The units of a question's passages, weighed: asked for quotes as often as one likes."""

    question: Question
    sources: Sequence[QuoteSource]
    weighed: Sequence[Weighed]
    unsaid: Unsaid = ALL_SAID  # by the passage of the likeliest unit
    _seen: list[list[Run]] = field(default_factory=list)
    _tried: dict[tuple[int, Span], Run] = field(default_factory=dict)

    @classmethod
    def of(
        cls, question: Question, sources: Sequence[QuoteSource], found: Sequence[Weighed], likeness: Likeness
    ) -> Evidence:
        if not found:
            return cls(question, sources, found)
        first = sources[max(found, key=lambda each: each.score).source]
        return cls(question, sources, found, unsaid(question, f"{first.text} {first.heading}", likeness))

    @cached_property
    def shares(self) -> list[float]:
        """How much of the question each passage has as a whole, with its headings."""
        known, shares = self.question.known, self.question.shares
        said: list[set[int]] = [set(terms_of(source.heading)) for source in self.sources]
        for each in self.weighed:
            if each.signs.found:
                said[each.source] |= each.unit.terms
        return [known * share(frozenset(terms), shares) for terms in said]

    def growing(self) -> Iterator[list[Run]]:
        """What is quoted with every piece more: the same ones every time, weighed against each other once."""
        at = 0
        while True:
            if at == len(self._seen):
                following = next(self._grown, None)
                if following is None:
                    return
                self._seen.append(following)
            yield self._seen[at]
            at += 1

    @cached_property
    def _grown(self) -> Iterator[list[Run]]:
        return self._grow(in_order(self.weighed, self.question.shares))

    def _grow(self, order: Iterator[Piece]) -> Iterator[list[Run]]:
        """The best quote is read on until it has its room; only then a second may begin, and so on. So what few quotes
        say is the beginning of what more of them say, whatever the limits."""
        runs, passed = list[Run](), deque[Piece]()
        for most in count(1):
            again, passed, waits = passed, deque(), 0.0
            room, least = min(_ONE * most, _FIRST + _EACH * most), _SECOND if most == 1 else _LATER
            while piece := again.popleft() if again else next(order, None):
                longer, score = self._with(runs, piece), piece.of.score
                fits = _size(longer) <= room
                if fits and len(longer) <= most and not score < least * waits:  # what is no number is less than nothing
                    runs = longer
                    yield runs
                else:
                    passed.append(piece)
                if not fits and not (0 < _size(runs) < _FIRST and _size(longer) > _LARGEST):
                    break  # what answers hardly ever have room for is not waited for
                if len(longer) > most:
                    waits = max(waits, score)
            passed += again
            if not passed:
                return

    def covered(self, quotes: Sequence[Quote]) -> float:
        """The most of the question that one of the quotes has, with the title and headings that it stands under."""
        known, shares = self.question.known, self.question.shares
        said = ((self.sources[each.source], each.core) for each in quotes)
        terms = (terms_of(f"{source.text[slice(*core)]} {source.title} {source.heading}") for source, core in said)
        return max((known * share(each, shares) for each in terms), default=0.0)

    def quotes(self, most: int, total: int) -> list[Quote]:
        """At most so many, of so many tokens in all: as much of what grows as the limits allow."""
        runs: list[Run] = []
        for longer in self.growing():
            if len(longer) > most or _size(longer) > total:
                break
            runs = longer
        return [self._quote(run) for run in runs or self._cut(total)]

    def _with(self, runs: Sequence[Run], piece: Piece) -> list[Run]:
        """The runs with this piece; where it closes a gap, one less. The first that it joins keeps its place."""
        new = self._alone(piece)
        beside = [run for run in runs if self._adjoin(run, new)]
        if not beside:
            return [*runs, new]
        joined = _joined([*beside, new])
        return [joined if run is beside[0] else run for run in runs if run not in beside[1:]]

    def _alone(self, piece: Piece) -> Run:
        """Remembered: while there is no room for it, it is tried again and again."""
        found = self._tried.get((piece.source, piece.span))
        if found is None:
            source = self.sources[piece.source]
            found = Run(piece.source, source.text, piece.span, piece.of, piece.of.terms, _header(source, piece))
            self._tried[piece.source, piece.span] = found
        return found

    def _adjoin(self, one: Run, other: Run) -> bool:
        if one.source != other.source:
            return False
        first, second = sorted((one.span, other.span))
        return not self.sources[one.source].text[first[1] : second[0]].strip()

    def _cut(self, total: int) -> list[Run]:
        """Of what is longer than the room for all, the part that says most of the question."""
        (first,) = next(self.growing(), [None])
        if first is None or total < 1:
            return []
        start, _ = telling_part(first.text, first.span, self.question.shares, _TELLING)
        span = clip(first.text, (start, first.span[1]), total, None)
        return [replace(first, span=span, header="", cut=True)]

    def _quote(self, run: Run) -> Quote:
        from wekadocs_corpus.evidence.quotes import Quote

        shares, known = self.question.shares, self.question.known
        behind = max(each.score for each in self.weighed) - run.best.score
        return Quote(
            run.source,
            run.span,
            run.span,
            run.best.score,
            known * share(run.terms, shares),
            behind,
            words=self.question.length,
            cut=run.cut,
            header=run.header,
        )


def _size(runs: Sequence[Run]) -> int:
    return sum(run.size for run in runs)


def _header(source: QuoteSource, piece: Piece) -> str:
    """Of the table whose row this is, where it does not stand right above it."""
    unit = piece.of.unit
    if unit.header:
        return source.text[slice(*unit.header)]
    continued = source.table and all(line.startswith("|") for line in source.text[: piece.span[1]].splitlines() if line)
    return source.table if continued else ""


def _joined(runs: Sequence[Run]) -> Run:
    first = min(runs, key=lambda run: run.span)
    best = max((run.best for run in runs), key=lambda each: each.score)
    span = (first.span[0], max(run.span[1] for run in runs))
    terms = frozenset[int]().union(*(run.terms for run in runs))
    return Run(first.source, first.text, span, best, terms, first.header)
