"""How likely a quote holds the answer, and the corpus does: logistic curves, measured by bench/corpus/evidence.py.

Of quotes that say 0.8, 8 in 10 held the answer; docs/explanation/evidence.md has what was said and what was.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wekadocs_corpus.evidence.quotes import Quote, Ranked
    from wekadocs_corpus.retrieval.question import Question

# Over `features` and `signs`, the constant last; fitted on one half of the open sets by `evidence.py --fit`.
_QUOTE = (4.0, 0.55, 0.67, 1.53, 0.49, -5.22)
_ANSWER = (1.93, 3.41, 1.58, 1.13, 0.36, -0.87, 4.5, -6.35)
ANSWERABLE = 0.24
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"(?<=[^.?!\s]\s)[A-Z][\w-]+")  # a capital inside a sentence


def features(quote: Quote) -> tuple[float, ...]:
    """Share of the question, its passage's rank, whether it is the best, its passage's lead, the question's length."""
    best = float(quote.behind <= 0)
    return quote.share, 1.0 / (quote.source + 1), best, quote.lead, math.log(max(1, quote.words))


def confidence(quote: Quote) -> float:
    return _logistic(_QUOTE, features(quote))


def signs(
    question: Question, chosen: Sequence[Quote], ranked: Ranked, legs: Sequence[tuple[float, float]]
) -> tuple[float, ...]:
    """What tells whether the corpus holds an answer; `legs` are each passage's scores by words and by vectors."""
    passages = ranked.passages
    first = max(range(len(passages)), key=passages.__getitem__)
    return (
        max(quote.share for quote in chosen),
        passages[first],
        ranked.lead(first),
        math.log(sum(question.words.terms.values()) or 1.0),
        float(_agreed(legs)),
        _missing(question, ranked.sources[chosen[0].source].text + " " + ranked.sources[chosen[0].source].heading),
        ranked.titled(),
    )


def answer_confidence(
    question: Question, chosen: Sequence[Quote], ranked: Ranked, legs: Sequence[tuple[float, float]]
) -> float:
    if not (chosen and ranked.passages and question.words.tells):
        return 0.0
    return _logistic(_ANSWER, signs(question, chosen, ranked, legs))


def _agreed(legs: Sequence[tuple[float, float]]) -> bool:
    """Whether words and vectors have the same passage first."""
    by_words, by_vectors = ([leg[side] for leg in legs] for side in (0, 1))
    return bool(legs) and by_words.index(max(by_words)) == by_vectors.index(max(by_vectors))


def _missing(question: Question, text: str) -> float:
    """Which share of the question's names and numbers the text lacks."""
    named = [*_NUMBER.findall(question.text), *_NAME.findall(question.text), *question.words.names]
    low = text.lower()
    return sum(each.lower() not in low for each in named) / len(named) if named else 0.0


def _logistic(curve: Sequence[float], values: Sequence[float]) -> float:
    at = sum(weight * value for weight, value in zip(curve, (*values, 1.0), strict=True))
    return round(1.0 / (1.0 + math.exp(-at)), 2)
