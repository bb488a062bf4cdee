"""Where a quote begins and ends: what was chosen, cut to what it may cost, with what stands around it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from wekadocs_corpus import tokens
from wekadocs_corpus.lexical import terms_of

from . import spans as evidence
from .coverage import Candidate
from .sentences import Span
from .units import share

_PIECE = re.compile(r"[^\n]{60,120}?(?:[ \t|]+|$)|[^\n]*\n?", re.M)  # a line, or some words of a long one
_MOST_PIECES = 600  # of a block that is too long to quote whole


def placed_plainly(text: str, span: Span, max_tokens: int, context: int) -> tuple[Span, Span]:
    """Cut at its end, by tokens and characters; half of the context in words on either side."""
    core = evidence.clip(text, span, max_tokens)
    return core, evidence.widened(text, core, context // 2, context - context // 2)


def placed(text: str, each: Candidate, max_tokens: int, shares: Mapping[int, float]) -> Span:
    """Cut to what a quote may cost, around what it was chosen for."""
    core = evidence.clip(text, each.span, max_tokens, None)
    if core[1] < each.span[1] and each.terms - terms_of(text[slice(*core)]):  # it would lose what it was chosen for
        return telling_part(text, each.span, shares, max_tokens)
    return core


def telling_part(text: str, span: Span, shares: Mapping[int, float], max_tokens: int) -> Span:
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
