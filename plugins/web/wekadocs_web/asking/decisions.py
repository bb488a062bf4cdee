"""Whether more pages are to be read: rules in order, the first that holds decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, pvariance

from .tuning import Tuning

_TOP = 10


@dataclass(frozen=True)
class Standing:
    """What is known after a step."""

    iteration: int
    scores: Sequence[float]  # best first
    answered: float  # the best score of the part of the question that is answered worst
    fill: float  # share of the token budget that the evidence takes
    redundancy: float  # share of neighbouring scores that tell nothing apart
    documents: int
    barren: int  # steps since one brought more evidence near the top, or a better one
    best_link: float  # 0 where none comes into question


@dataclass(frozen=True)
class Decision:
    expand: bool
    reason: str


def decide(now: Standing, tuning: Tuning) -> Decision:
    top = now.scores[0] if now.scores else 0.0
    mediocre = now.answered < tuning.answered
    stop = _stop(now, tuning, mediocre)
    if stop:
        return Decision(False, stop)
    if top - (now.scores[4] if len(now.scores) > 4 else 0.0) > tuning.cliff and not mediocre:
        return Decision(False, "score cliff — the best chunks stand apart")
    if not now.scores or top < tuning.relevance_floor:
        return Decision(True, "scores below floor — the pages do not seem to answer the question")
    part = "one part of the question" if now.answered < top else "the question"
    return Decision(True, f"mediocre scores — {part} is not fully answered")


def _stop(now: Standing, tuning: Tuning, mediocre: bool) -> str:
    """Why no more is read; empty where nothing speaks against it."""
    if not mediocre:
        first = now.scores[:_TOP]
        if len(first) > 2 and pvariance(first) < tuning.variance and fmean(first) >= tuning.relevance_floor:
            return "score plateau — top-10 variance below threshold"
        return "the question is answered — scores above threshold"
    if now.fill > tuning.fill and now.redundancy <= tuning.redundancy and now.answered >= tuning.relevance_floor:
        return "token budget nearly full"
    if not now.best_link:
        return "no linked page looks relevant"
    known = now.answered >= tuning.relevance_floor
    if known and now.barren and now.best_link < tuning.strong_link:
        return "score plateau — the last pages brought nothing better"
    return ""


def redundancy(scores: Sequence[float]) -> float:
    """Which share of neighbours in the order are as good as equal."""
    pairs = list(pairwise(scores))
    return sum(first - second <= 0.005 for first, second in pairs) / len(pairs) if pairs else 0.0
