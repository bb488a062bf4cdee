"""Where a quote begins and ends: what was chosen, cut to what it may cost, with whole sentences around it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping

from . import evidence, tokens
from .covering import Candidate
from .lexical import terms_of
from .sentences import Span, is_heading
from .units import share, spans_of

_MOST_LINES = 300  # of a block that is too long to quote whole


def placed(
    text: str, each: Candidate, max_tokens: int, context: int, shares: Mapping[int, float] | None = None
) -> tuple[Span, Span]:
    """Its core, cut to what a quote may cost, and that with its context."""
    core = evidence.clip(text, each.span, max_tokens)
    cut = core[1] < each.span[1]
    if shares and cut and each.terms - terms_of(text[core[0] : core[1]]):  # it would lose what it was chosen for
        core = evidence.clip(text, _telling_lines(text, each.span, shares), max_tokens)
    return core, _surrounded(text, core, context) if context else core


def _surrounded(text: str, core: Span, most: int) -> Span:
    """With the whole sentences beside it that cost no more than so many tokens: from the heading above to the next."""
    spans = spans_of(text)
    start, end = core
    for sentence in reversed(spans[: bisect_left(spans, (start, 0))]):
        if is_heading(text, start) or tokens.count(text[sentence[0] : core[0]]) > most:
            break
        start = sentence[0]
    left = most - tokens.count(text[start : core[0]])
    for sentence in spans[bisect_left(spans, (end, 0)) :]:
        if is_heading(text, sentence[0]) or tokens.count(text[core[1] : sentence[1]]) > left:
            break
        end = sentence[1]
    return start, end


def _telling_lines(text: str, span: tuple[int, int], shares: Mapping[int, float]) -> tuple[int, int]:
    """From the line of a long block on after which a quote's length has most of the question; the first of equals."""
    lines: list[tuple[int, frozenset[int]]] = []
    start = span[0]
    for line in text[span[0] : span[1]].splitlines(keepends=True)[:_MOST_LINES]:
        lines.append((start, terms_of(line) & shares.keys()))
        start += len(line)

    def gained(first: int) -> float:
        until = lines[first][0] + evidence.MAX_QUOTE_CHARACTERS
        inside = (terms for start, terms in lines[first:] if start < until)
        return share(frozenset().union(*inside), shares) + share(lines[first][1], shares)

    best = max((place for place, (_, terms) in enumerate(lines) if terms), key=gained, default=0)
    return (lines[best][0] if lines else span[0]), span[1]
