"""How something is done: the steps below the heading that says what was asked."""

from __future__ import annotations

import re
from collections.abc import Mapping

from wekadocs_corpus.lexical import terms_of
from wekadocs_corpus.tuning import TUNING

from .sentences import is_heading
from .units import share

_STEP = re.compile(r"[ \t]*(?:\d{1,3}[.)][ \t]|```|~~~)")
_WORTH, _EACH_LESS = TUNING.sentences.step_worth, TUNING.sentences.each_step_less
_ENOUGH = TUNING.sentences.heading_says


class Topic:
    """The nearest heading that says something of the question: what stands below it need not repeat it.

    For a question of how, a heading below it that says nothing of the question ("Steps") is part of it.
    """

    def __init__(self, headings: str, shares: Mapping[int, float], *, how: bool) -> None:
        self._shares, self._how, self._steps = shares, how, 0
        said = (share(terms_of(line), shares) for line in reversed(headings.splitlines())) if how else iter(())
        self._share = next((each for each in said if each), 0.0)
        self._level = 1 if self._share >= _ENOUGH else 0

    def __bool__(self) -> bool:
        return self._level > 0

    def read(self, text: str, terms: frozenset[int]) -> None:
        """Goes on over what stands next, if that is a heading."""
        if not is_heading(text):
            return
        level = len(text) - len(text.lstrip("#"))
        if terms:
            self._level, self._share = level, share(terms, self._shares)
        elif level <= self._level or not self._how:
            self._level = 0

    def worth(self, text: str) -> float:
        """More than its words say when it is a step of what was asked."""
        if not (self._how and self._level and self._share >= _ENOUGH and _STEP.match(text)):
            return 0.0
        self._steps += 1
        return self._share * max(0.0, _WORTH - _EACH_LESS * (self._steps - 1))
