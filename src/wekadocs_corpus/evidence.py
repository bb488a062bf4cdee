"""Which parts of a passage can be quoted. Scoring and choosing belong to the tool that quotes."""

from __future__ import annotations

from . import tokens
from .sentences import Span, plain_spans, sentences

MAX_QUOTE_CHARACTERS = 500


def spans(text: str, *, plain: bool = False) -> list[Span]:
    """The quotable spans in order; `plain` splits exactly where seed 000 §4.6.1 names it."""
    return plain_spans(text) if plain else sentences(text)


def clip(text: str, span: Span, max_tokens: int, max_characters: int = MAX_QUOTE_CHARACTERS) -> Span:
    """The span cut at its end so that it costs no more than allowed; never empty when something is allowed."""
    start, end = span
    end = min(end, start + max_characters)
    end = start + tokens.truncate(text[start:end], max_tokens)
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
