"""Whether more pages are to be read: rules in order, the first that holds decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, pvariance

from .tuning import Tuning

_TOP = 10
_NAMED = 0.2  # as a link, a page whose name has no word of the question comes to 0.15


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
    said: float = 0.0  # share of the question's words that the best chunk says; 0 where that tells nothing
    tells: bool = False  # the best chunk says enough of the question's words to be the answer
    own_link: float = 1.0  # how promising the pages of the call would look as links


@dataclass(frozen=True)
class Decision:
    expand: bool
    reason: str


def decide(now: Standing, tuning: Tuning) -> Decision:
    top = now.scores[0] if now.scores else 0.0
    mediocre = now.answered < tuning.answered or outshone(now, tuning)
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
    if looks_best(now, tuning):
        return "the page itself tells of it — no linked page looks more promising"
    if now.best_link < tuning.strong_link and told_by_page(now.iteration, now.answered, now.said, tuning):
        return "the page itself tells of it — the question's words stand in one place"
    if now.fill > tuning.fill and now.redundancy <= tuning.redundancy and now.answered >= tuning.relevance_floor:
        return "token budget nearly full"
    if not now.best_link:
        return "no linked page looks relevant"
    known = now.answered >= tuning.relevance_floor
    if known and now.barren and now.best_link < tuning.strong_link:
        return "score plateau — the last pages brought nothing better"
    return ""


def told_by_page(iteration: int, answered: float, said: float, tuning: Tuning) -> bool:
    """Whether the pages of the call seem to be the ones: judged before any other is read."""
    return not iteration and min(answered, (answered + said) / 2) >= tuning.own_page


def outshone(now: Standing, tuning: Tuning) -> bool:
    """Whether a link looks so much better than the pages of the call that what these say is not enough yet."""
    sure = now.answered >= tuning.answered + tuning.outshone
    return not now.iteration and not sure and now.best_link - now.own_link > tuning.outshone


def looks_best(now: Standing, tuning: Tuning) -> bool:
    """Whether the pages of the call say something, and by their names no linked page would say more."""
    named = now.own_link >= _NAMED and now.own_link + tuning.plateau >= now.best_link
    return not now.iteration and named and now.tells and now.answered >= tuning.own_best


def wants_links(now: Standing, tuning: Tuning) -> bool:
    """Whether it is worth looking for links beyond those of the pages."""
    told = looks_best(now, tuning) or told_by_page(now.iteration, now.answered, now.said, tuning)
    return now.answered < tuning.answered and not told


def redundancy(scores: Sequence[float]) -> float:
    """Which share of neighbours in the order are as good as equal."""
    pairs = list(pairwise(scores))
    return sum(first - second <= 0.005 for first, second in pairs) / len(pairs) if pairs else 0.0
