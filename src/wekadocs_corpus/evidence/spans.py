"""Which parts of a passage can be quoted, cut or widened to what they may cost. Choosing among them is quotes.py's."""

from __future__ import annotations

import re

from wekadocs_corpus import tokens

from .sentences import Span, plain_spans, sentences

MAX_QUOTE_CHARACTERS = 500
PER_TOKEN = 40  # characters: rulers and blanks cost next to nothing, and have an end all the same
_BLANK = re.compile(r"\s")


def spans(text: str, *, plain: bool = False) -> list[Span]:
    """The quotable spans in order; `plain` splits exactly where seed 000 §4.6.1 names it."""
    return plain_spans(text) if plain else sentences(text)


def clip(text: str, span: Span, max_tokens: int, max_characters: int | None = MAX_QUOTE_CHARACTERS) -> Span:
    """The span cut at its end so that it costs no more than allowed; never empty when something is allowed."""
    start, end = span
    end = min(end, start + (max_characters or PER_TOKEN * max_tokens))
    end = start + tokens.truncate(text[start:end], max_tokens)
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def widened(text: str, span: Span, before: int, after: int) -> Span:
    """The span with so many tokens more on either side, on word boundaries; what one side lacks stays lacking."""
    start, end = span
    if after:
        end += tokens.truncate(text[end : end + 12 * after + 200], after)
        while end > span[1] and text[end - 1].isspace():
            end -= 1
    if before:
        left = text[max(0, start - 12 * before - 200) : start]
        start -= _tail(left, before)
        while start < span[0] and text[start].isspace():
            start += 1
    return start, end


def _tail(text: str, most: int) -> int:
    """How many characters at the end of the text cost no more than so many tokens, from a word's beginning on."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if tokens.count(text[len(text) - middle :]) <= most:
            low = middle
        else:
            high = middle - 1
    start = len(text) - low
    if 0 < start < len(text) and not text[start - 1].isspace():
        inside = _BLANK.search(text, start)
        return len(text) - inside.end() if inside else 0
    return low
