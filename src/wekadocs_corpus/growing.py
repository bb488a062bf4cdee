"""A quote that reads on: below the same heading, as far as one quote may go and where no other quote stands."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from . import evidence
from .covering import fits
from .quotes import Quote, Source
from .sentences import Span, is_heading
from .units import spans_of

_FENCES = ("```", "~~~")


def read_on(quote: Quote, others: Sequence[Quote], sources: Sequence[Source], max_tokens: int) -> Quote:
    """The same one, longer at its end; what it reads takes the place of the context there."""
    text = sources[quote.source].text
    taken = [other.span for other in others if other.source == quote.source and other is not quote]
    core = _grown(text, quote.core, taken, max_tokens)
    return quote if core == quote.core else replace(quote, core=core, span=(quote.span[0], max(quote.span[1], core[1])))


def _grown(text: str, core: Span, taken: Sequence[Span], max_tokens: int) -> Span:
    """What is announced by a colon, or is code, may be cut; anything else is read whole."""
    spans = spans_of(text)
    for start, end in spans[bisect_left(spans, (core[1], 0)) :]:
        if is_heading(text, start) or any(one < end and core[1] < other for one, other in taken):
            break
        if not fits(text, (core[0], end), max_tokens):
            announced = text.startswith(_FENCES, start) or text[core[0] : core[1]].rstrip("*").endswith(":")
            return evidence.clip(text, (core[0], end), max_tokens) if announced else core
        core = core[0], end
    return core
