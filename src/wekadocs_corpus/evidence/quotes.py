"""The sentences that answer a question, out of a few passages: chosen by words, verbatim, with their place.

`plain` is the simple overlap of seed 000 §4.6.1, to the letter. `weighted` counts rare words more, knows stems, prefers
passages that ranked higher and words that stand together, looks for what earlier quotes leave open, and joins sentences
that adjoin; it is the default. Both are deterministic. The figures are in docs/explanation/evidence.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wekadocs_corpus.lexical import terms_of
from wekadocs_corpus.tuning import TUNING

from . import spans as evidence
from .borders import placed, placed_plainly
from .coverage import Candidate, covering
from .sentences import is_heading
from .steps import Topic
from .units import share, units

if TYPE_CHECKING:
    from wekadocs_corpus.retrieval.question import Question

RERANKED = 24  # spans that come into question once scored
_RANK, _PAIRS, _HEADING = TUNING.sentences.rank, TUNING.sentences.pairs, TUNING.sentences.heading
_SAYS_NOTHING = TUNING.sentences.says_nothing
_NO_SENTENCE = ("#", "---", "<", "import ")  # headings, rules, tags and what MDX has before its text
_DEFINES = TUNING.sentences.defines
_ONLY_A_LINK = re.compile(r"(?:[-*+•]|\d{1,9}[.)])?\s*\[{1,2}[^\[\]\n]{1,200}\]{1,2}\([^()\s]{1,500}\)[.,;:*]{0,3}")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class QuoteSource:
    """A passage to quote from, best first."""

    text: str
    heading: str = ""  # title and headings above it, a line each
    opening: bool = False  # of a page whose title is the question: its first sentence tells what that is
    document: str = ""  # where it stands: passages of one document may overlap
    start: int = 0
    title: str = ""
    found: tuple[int, int] | None = None  # which characters were found; the others stand around them
    table: str = ""  # header of the table that it begins in the middle of


def place_of(sources: Sequence[QuoteSource], number: int) -> tuple[str | int, int]:
    """Its document, or itself where none is named, and where in it it begins."""
    source = sources[number]
    return (source.document, source.start) if source.document else (number, 0)


@dataclass(frozen=True)
class Quote:
    """`core` is what was chosen, `span` the core with its context; both are characters of the source's text."""

    source: int
    core: tuple[int, int]
    span: tuple[int, int]
    score: float
    share: float = 0.0  # of the question's words, by weight, that the core has
    behind: float = 0.0  # how far its score is from the best one
    lead: float = 0.0  # how much more of the question its passage has than any other one
    words: int = 1  # of the question
    cut: bool = False  # it ends, or begins, inside of what would be quoted whole
    header: str = ""  # of the table whose rows it begins with


def plain(question: str, sources: Sequence[QuoteSource], most: int, max_tokens: int, context: int = 0) -> list[Quote]:
    """The algorithm of the seed: the share of the question's words that a span contains, as substrings."""
    words = list(dict.fromkeys(word for word in _WORD.findall(question.lower()) if len(word) >= 3))
    candidates = []
    for number, source in enumerate(sources):
        for span in evidence.spans(source.text, plain=True):
            text = source.text[span[0] : span[1]].lower()
            candidates.append(Candidate(number, span, sum(word in text for word in words) / max(1, len(words))))
    best = sorted(candidates, key=lambda each: each.order)[:most]
    return [_plain_quote(each, best[0].score, sources[each.source].text, max_tokens, context) for each in best]


def _plain_quote(each: Candidate, best: float, text: str, max_tokens: int, context: int) -> Quote:
    core, span = placed_plainly(text, each.span, max_tokens, context)
    return Quote(each.source, core, span, each.score, each.score, best - each.score, cut=core != each.span)


@dataclass(frozen=True)
class Ranked:
    """The spans that come into question, best first, and how much of the question each passage has as a whole."""

    question: Question
    sources: Sequence[QuoteSource]
    best: Sequence[Candidate]
    passages: tuple[float, ...]

    def quotes(self, most: int, max_tokens: int) -> list[Quote]:
        shares, known = self.question.shares, self.question.known
        return [
            self._quote(each, known * share(each.terms, shares), max_tokens)
            for each in covering(self.best, shares, [source.text for source in self.sources], most, max_tokens)
        ]

    def _quote(self, each: Candidate, share: float, max_tokens: int) -> Quote:
        text = self.sources[each.source].text
        core = placed(text, each, max_tokens, self.question.shares)
        behind = self.best[0].score - each.score
        lead, words = self.lead(each.source), self.question.length
        return Quote(each.source, core, core, each.score, share, behind, lead, words, core != each.span)

    def lead(self, source: int) -> float:
        """How much more of the question this passage has than any other one; alone it leads nobody."""
        others = [share for number, share in enumerate(self.passages) if number != source]
        return self.passages[source] - max(others) if others else 0.0


def ranked(question: Question, sources: Sequence[QuoteSource]) -> Ranked:
    shares = question.shares
    candidates: list[Candidate] = []
    passages = []
    for number, source in enumerate(sources if shares else ()):
        above = terms_of(source.heading)
        found = list(_scored(number, source, above, shares, question))
        candidates += found
        passages.append(question.known * share(above.union(*(each.terms for each in found)), shares))
    in_order = sorted(candidates, key=lambda each: each.order)
    best = in_order[:RERANKED]
    if best and sources[0].text.strip() and all(each.source for each in best):  # nothing of what ranked first
        own = (each for each in in_order[RERANKED:] if not each.source)
        best = [*best[: RERANKED - 1], next(own, None) or _opening(sources[0])]
    return Ranked(question, sources, best, tuple(passages))


def _opening(source: QuoteSource) -> Candidate:
    """Its first real sentence: the passage was found by its headings or its vector."""
    spans = evidence.spans(source.text) or [(0, len(source.text))]
    place = _first_sentence(source)
    return Candidate(0, spans[place], 0.0, place, place)


def _first_sentence(source: QuoteSource) -> int:
    spans = (span for span, _, _ in units(source.text))
    return next((place for place, span in enumerate(spans) if not source.text.startswith(_NO_SENTENCE, span[0])), 0)


def weighted(question: Question, sources: Sequence[QuoteSource], most: int, max_tokens: int) -> list[Quote]:
    return ranked(question, sources).quotes(most, max_tokens)


def _scored(
    number: int, source: QuoteSource, heading: frozenset[int], shares: Mapping[int, float], question: Question
) -> Iterator[Candidate]:
    pairs, entry = question.pairs, question.entry
    above = _RANK / (number + 1) + _HEADING * share(heading, shares)
    topic = Topic(source.heading, shares, how=question.how)
    defined: frozenset[int] | None = None  # terms of a heading that is a name: what follows tells what that means
    first, asked = _first_sentence(source) if source.opening else -1, frozenset(shares)
    for place, (span, its_terms, said) in enumerate(units(source.text)):
        terms = (its_terms | (heading if place == first else defined or frozenset())) & asked
        text = source.text[span[0] : span[1]]
        head = is_heading(text)
        if terms or topic:
            beside = sum(a in terms and b in terms for a, b in pairs) if len(terms) > 1 else 0
            together = beside / len(pairs) if pairs else 0.0
            form = _SAYS_NOTHING if said <= asked else _form(text)
            score = share(terms, shares) + _PAIRS * together + above + form + topic.worth(text)
            if place == first or defined or (entry and not head and entry.match(text)):
                score += _DEFINES
            yield Candidate(number, span, score, place, place, terms)
        defined = its_terms if head and entry and entry.match(text) else None
        topic.read(text, terms)


def _form(text: str) -> float:
    """A heading or a link alone answers nothing; a very short span seldom does."""
    stripped = text.strip()
    if is_heading(stripped) or _ONLY_A_LINK.fullmatch(stripped):
        return _SAYS_NOTHING
    return -0.1 if len(stripped) < 25 else 0.0
