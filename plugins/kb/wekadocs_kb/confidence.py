"""How likely a quote holds the answer, as measured by bench/corpus/evidence.py: 0.8 was right 8 times in 10."""

from __future__ import annotations

import math

# A logistic curve over the score of quotes.weighted, fitted on the training halves of the open sets.
_SLOPE, _MIDDLE = 4.0, 0.95
ANSWERABLE = 0.25


def confidence(score: float) -> float:
    return round(1.0 / (1.0 + math.exp(-_SLOPE * (score - _MIDDLE))), 2)
