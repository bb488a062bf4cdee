"""A passage as the sentences that can be quoted, each with its terms."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache

from wekadocs_corpus.lexical import terms_of

from . import spans
from .sentences import Span

_LINK_TARGET = re.compile(r"\]\([^()\s]*\)")


def spans_of(text: str) -> list[Span]:
    return [span for span, _, _ in units(text)]


@lru_cache(maxsize=512)
def units(text: str) -> tuple[tuple[tuple[int, int], frozenset[int], frozenset[int]], ...]:
    """The spans of a passage with their terms, and those without where links lead to.

    A passage is often asked again: searched, quoted, asked differently.
    """
    return tuple((span, *_terms(text[span[0] : span[1]])) for span in spans.spans(text))


def _terms(text: str) -> tuple[frozenset[int], frozenset[int]]:
    terms = terms_of(text)
    return terms, terms_of(_LINK_TARGET.sub("]", text)) if "](" in text else terms


def share(terms: frozenset[int], shares: Mapping[int, float]) -> float:
    return math.fsum(map(shares.__getitem__, terms & shares.keys()))
