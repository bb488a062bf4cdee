"""Where a quote begins and ends: what was chosen, cut to what it may cost, with what stands around it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from wekadocs_corpus import tokens
from wekadocs_corpus.lexical import terms_of

from . import spans as evidence
from .coverage import Candidate
from .sentences import Span, is_heading
from .units import share, spans_of

_PIECE = re.compile(r"[^\n]{60,120}?(?:[ \t|]+|$)|[^\n]*\n?", re.M)  # a line, or some words of a long one
_MOST_PIECES = 600  # of a block that is too long to quote whole


def placed_plainly(text: str, span: Span, max_tokens: int, context: int) -> tuple[Span, Span]:
    """Cut at its end, by tokens and characters; half of the context in words on either side."""
    core = evidence.clip(text, span, max_tokens)
    return core, evidence.widened(text, core, context // 2, context - context // 2)


def placed(text: str, each: Candidate, max_tokens: int, context: int, shares: Mapping[int, float]) -> tuple[Span, Span]:
    """Its core, cut to what a quote may cost, and that with the whole sentences around it."""
    core = evidence.clip(text, each.span, max_tokens, None)
    cut = core[1] < each.span[1]
    if cut and each.terms - terms_of(text[core[0] : core[1]]):  # it would lose what it was chosen for
        core = _telling_part(text, each.span, shares, max_tokens)
    return core, _surrounded(text, core, context) if context and not cut else core


def _surrounded(text: str, core: Span, most: int) -> Span:
    """With the sentences beside it that cost no more than so many tokens, in turn from the side that has fewer so far:
    from the heading above to the next."""
    spans = spans_of(text)
    above = reversed(spans[: bisect_left(spans, (core[0], 0))]) if not is_heading(text, core[0]) else iter(())
    sides = [_costs(text, core, above), _costs(text, core, iter(spans[bisect_left(spans, (core[1], 0)) :]))]
    ends, spent, following = list(core), [0, 0], [next(side, None) for side in sides]
    while any(following):
        side = min((each for each in (0, 1) if following[each]), key=lambda each: spent[each])
        place, cost = following[side] or (0, 0)
        if cost + spent[1 - side] > most:
            following[side] = None
            continue
        ends[side], spent[side], following[side] = place, cost, next(sides[side], None)
    return ends[0], ends[1]


def _costs(text: str, core: Span, spans: Iterator[Span]) -> Iterator[tuple[int, int]]:
    """How far it could go on this side, sentence by sentence, and for how many tokens."""
    for start, end in spans:
        before = end <= core[0]
        if is_heading(text, start) and not before:
            return
        yield (start, tokens.count(text[start : core[0]])) if before else (end, tokens.count(text[core[1] : end]))
        if is_heading(text, start):
            return


def _telling_part(text: str, span: Span, shares: Mapping[int, float], max_tokens: int) -> Span:
    """From the piece of a long block on after which a quote's length has most of the question; the first of equals."""
    pieces = _pieces(text, span, shares)

    def gained(first: int) -> float:
        left, inside = max_tokens, frozenset[int]()
        for _, terms, cost in pieces[first:]:
            if left <= 0:
                break
            left, inside = left - cost, inside | terms
        return share(inside, shares) + share(pieces[first][1], shares)

    best = max((place for place, piece in enumerate(pieces) if piece[1]), key=gained, default=0)
    start = pieces[best][0] if pieces else span[0]
    return evidence.clip(text, (start, span[1]), max_tokens, None)


def _pieces(text: str, span: Span, shares: Mapping[int, float]) -> Sequence[tuple[int, frozenset[int], int]]:
    """Where each begins, which of the question's terms it has, what it costs."""
    found: list[tuple[int, frozenset[int], int]] = []
    for piece in _PIECE.finditer(text, *span):
        if len(found) == _MOST_PIECES:
            break
        found.append((piece.start(), terms_of(piece[0]) & shares.keys(), tokens.count(piece[0])))
    return found
