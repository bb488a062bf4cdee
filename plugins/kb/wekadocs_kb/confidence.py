"""How likely a quote holds the answer, as measured by bench/corpus/evidence.py: of quotes that say 0.8, 8 in 10 did."""

from __future__ import annotations

import math

from wekadocs_corpus.quotes import Quote

# A logistic curve over `features`, the constant last; fitted on one half of the open sets by `evidence.py --fit`.
# docs/explanation/evidence.md has what it says and what was, on the other half.
_CURVE = (3.76, 1.58, 0.73, -4.74)
ANSWERABLE = 0.25


def features(quote: Quote) -> tuple[float, ...]:
    """How much of the question it has, how high its passage ranked, whether it is the best of its answer."""
    return quote.share, 1.0 / (quote.source + 1), float(quote.behind <= 0)


def confidence(quote: Quote) -> float:
    at = sum(weight * value for weight, value in zip(_CURVE, (*features(quote), 1.0), strict=True))
    return round(1.0 / (1.0 + math.exp(-at)), 2)
