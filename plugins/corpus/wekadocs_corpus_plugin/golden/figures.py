"""What a run amounts to. Shares are between 0 and 1; costs are means per question that has an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from .asking import Asked, holds, keyword_share

PERCENTILES = (50, 95, 99)


@dataclass(frozen=True)
class Figure:
    name: str
    meaning: str
    of: Callable[[Sequence[Asked]], float | None]  # None: nothing to measure it on
    lower_is_better: bool = False


def _share(of: Callable[[Asked], float], among: Callable[[Asked], bool]) -> Callable[[Sequence[Asked]], float | None]:
    def figure(asked: Sequence[Asked]) -> float | None:
        taken = [each for each in asked if among(each)]
        return round(fmean(of(each) for each in taken), 4) if taken else None

    return figure


def _has_answer(each: Asked) -> bool:
    return each.question.answered


def _any(_: Asked) -> bool:
    return True


QUALITY = (
    Figure("hit@5", "the pages that are needed are in the list of a search", _share(lambda e: e.hit, _has_answer)),
    Figure("mrr", "1 / rank of the first of them", _share(lambda e: 1 / e.rank if e.rank else 0.0, _has_answer)),
    Figure("page_in_evidence", "the pages are among the quotes", _share(lambda e: e.page_in_evidence, _has_answer)),
    Figure(
        "answer_in_evidence",
        "the answer (or every keyword) stands in the quotes of the first call",
        _share(lambda e: holds(e.question, e.evidence), _has_answer),
    ),
    Figure("answered", "it is in hand within three calls", _share(lambda e: e.in_hand, _has_answer)),
    Figure(
        "keyword_recall",
        "share of the keywords in the quotes",
        _share(lambda e: keyword_share(e.question, e.evidence), lambda e: bool(e.question.keywords)),
    ),
    Figure(
        "answerable_precision",
        "of what is said to be answerable, what is",
        _share(lambda e: e.question.answered, lambda e: e.answerable),
    ),
    Figure(
        "answerable_recall", "of what is answerable, what is said to be", _share(lambda e: e.answerable, _has_answer)
    ),
    Figure(
        "refused", "of what is not, what is refused", _share(lambda e: not e.answerable, lambda e: not _has_answer(e))
    ),
    Figure(
        "wishes_met",
        "questions whose own wishes (first, max_calls, max_bytes) held",
        _share(lambda e: not e.unmet, _any),
    ),
)
COSTS = (
    Figure("tool_calls", "calls per answer", _share(lambda e: e.calls, _has_answer), True),
    Figure("bytes", "of structured answers, per answer", _share(lambda e: e.size_bytes, _has_answer), True),
    Figure("text_tokens", "that a model reads, per answer", _share(lambda e: e.text_tokens, _has_answer), True),
    Figure("json_tokens", "of the structure, per answer", _share(lambda e: e.json_tokens, _has_answer), True),
    Figure("cursor_use", "cursors followed per search", _share(lambda e: e.cursors, _any), True),
    Figure("truncation_rate", "questions with an answer cut to its budget", _share(lambda e: e.truncated, _any), True),
)
FIGURES = {each.name: each for each in (*QUALITY, *COSTS)}


def measured(asked: Sequence[Asked]) -> dict[str, float]:
    found = {name: figure.of(asked) for name, figure in FIGURES.items()}
    return {name: value for name, value in found.items() if value is not None}


def by_kind(asked: Sequence[Asked]) -> dict[str, dict[str, float]]:
    kinds = dict.fromkeys(each.question.kind for each in asked if each.question.kind)
    return {kind: measured([each for each in asked if each.question.kind == kind]) for kind in kinds}


def latencies(asked: Iterable[Asked]) -> dict[str, dict[str, float]]:
    """Milliseconds per tool; they belong to the machine and are never compared with a baseline."""
    seconds: dict[str, list[float]] = {}
    for each in asked:
        for tool, spent in each.seconds.items():
            seconds.setdefault(tool, []).extend(spent)
    return {tool: _percentiles(spent) for tool, spent in sorted(seconds.items())}


def _percentiles(spent: Sequence[float]) -> dict[str, float]:
    ordered = sorted(spent)
    at = {f"p{each}": ordered[min(len(ordered) - 1, len(ordered) * each // 100)] for each in PERCENTILES}
    return {name: round(value * 1000, 2) for name, value in at.items()}


def rows(asked: Iterable[Asked]) -> list[dict[str, Any]]:
    return [
        {
            "id": each.question.id,
            "rank": each.rank,
            "page_in_evidence": each.page_in_evidence if each.question.answered else None,
            "answer_in_evidence": holds(each.question, each.evidence) if each.question.answered else None,
            "answered": each.in_hand if each.question.answered else None,
            "answerable": each.answerable,
            "calls": each.calls,
            "bytes": each.size_bytes,
            "text_tokens": each.text_tokens,
            "unmet": each.unmet,
        }
        for each in asked
    ]


def worse(now: Mapping[str, float], before: Mapping[str, float], tolerance: float) -> list[str]:
    """Shares that fell below the baseline by more than the tolerance; a cost has limits of its own."""
    found = []
    for name in [each.name for each in QUALITY if each.name in before]:
        was, is_now = before[name], now.get(name)
        if is_now is None:
            found.append(f"{name} could not be measured; the baseline has {was:g}")
        elif was - is_now > tolerance + 1e-9:
            found.append(f"{name} is {is_now:g}, the baseline {was:g}")
    return found
