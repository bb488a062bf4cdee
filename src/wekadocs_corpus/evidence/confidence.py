"""How likely a quote holds the answer, and the corpus does: logistic curves, measured by bench/corpus/evidence.py.

Of quotes that say 0.8, 8 in 10 held the answer; docs/explanation/evidence.md has what was said and what was.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from wekadocs_corpus.tuning import TUNING

if TYPE_CHECKING:
    from wekadocs_corpus.evidence.choosing.quoting import Evidence
    from wekadocs_corpus.evidence.quotes import Quote
    from wekadocs_corpus.retrieval.question import Question

# Over `features` and `AnswerSigns`, the constant last; fitted by bench/answers/fit.py.
_QUOTE = TUNING.confidence.quote
_ANSWER = TUNING.confidence.answer
_EXISTS = TUNING.confidence.exists
ANSWERABLE = TUNING.confidence.answerable
_COVERS = TUNING.confidence.covers
_UNSAID = TUNING.confidence.unsaid
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"(?<=[^.?!\s]\s)[A-Z][\w-]+")  # a capital inside a sentence


class AnswerSigns(NamedTuple):
    """What tells whether the passages hold an answer."""

    ahead: float  # how much likelier the best unit has it than the best of any other document
    passage: float  # of the question in the best passage and its headings
    words: float  # logarithm of how much the question tells
    agreed: float  # words and vectors have the same passage first
    missing: float  # share of the question's names and numbers that the best unit's passage lacks
    like: float  # of the unit that is most alike
    known: float  # share of the question, by weight, that any document has
    unsaid: float  # share of the most telling word that the best unit's passage has no like of


def features(quote: Quote) -> tuple[float, ...]:
    """Share of the question, its passage's rank, whether it is the best, its passage's lead, the question's length."""
    best = float(quote.behind <= 0)
    return quote.share, 1.0 / (quote.source + 1), best, quote.lead, math.log(max(1, quote.words))


def confidence(quote: Quote) -> float:
    return _logistic(_QUOTE, features(quote))


def answer_signs(evidence: Evidence, legs: Sequence[tuple[float, float]]) -> AnswerSigns:
    """`legs` are each passage's scores by words and by vectors."""
    question, sources = evidence.question, evidence.sources
    best = max(evidence.weighed, key=lambda each: each.score)
    document = sources[best.source].document
    others = [each.score for each in evidence.weighed if sources[each.source].document != document]
    first = sources[best.source]
    return AnswerSigns(
        best.score - max(others, default=0.0),
        max(evidence.shares),
        math.log(sum(question.words.terms.values()) or 1.0),
        float(_agreed(legs)),
        _missing(question, f"{first.text} {first.heading}"),
        max(each.like for each in evidence.weighed),
        question.known,
        evidence.unsaid.share,
    )


class Verdict(NamedTuple):
    """Of a whole answer."""

    confidence: float = 0.0  # how often the text of such answers held the answer
    likely: float = 0.0  # how often the documents answered such questions at all

    @property
    def answerable(self) -> bool:
        return self.likely >= ANSWERABLE


def verdict(evidence: Evidence, legs: Sequence[tuple[float, float]]) -> Verdict:
    """A question of stop words alone is never answerable."""
    if not (evidence.weighed and evidence.question.words.tells):
        return Verdict()
    signs = answer_signs(evidence, legs)
    return Verdict(_logistic(_ANSWER, signs), _logistic(_EXISTS, signs))


def covers(evidence: Evidence, quotes: Sequence[Quote]) -> bool:
    """Whether one of the quotes says so much of the question that nobody may be told it is not answered."""
    return evidence.question.words.tells and evidence.covered(quotes) >= _COVERS


def left_unsaid(evidence: Evidence) -> str:
    """The word of the question, as written, that the passage of the best unit leaves out and that tells much of it."""
    return evidence.unsaid.word if evidence.unsaid.share >= _UNSAID else ""


def _agreed(legs: Sequence[tuple[float, float]]) -> bool:
    """Whether words and vectors have the same passage first."""
    by_words, by_vectors = ([leg[side] for leg in legs] for side in (0, 1))
    return bool(legs) and by_words.index(max(by_words)) == by_vectors.index(max(by_vectors))


def _missing(question: Question, text: str) -> float:
    """Which share of the question's names and numbers the text lacks."""
    named = [*_NUMBER.findall(question.without_amounts), *_NAME.findall(question.text), *question.words.names]
    low = text.lower()
    return sum(each.lower() not in low for each in named) / len(named) if named else 0.0


def _logistic(curve: Sequence[float], values: Sequence[float]) -> float:
    at = sum(weight * value for weight, value in zip(curve, (*values, 1.0), strict=True))
    return round(1.0 / (1.0 + math.exp(-at)), 2)
