"""What a caller says beside the question: constraints lift what keeps to them, what is known already counts less."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from wekadocs_corpus import Passage, terms_of

_LIFT, _FORM = 0.12, 0.05  # at most, by words and by form
_KNOWN = 0.5  # of its relevance goes where all of it is known
_RUN = 3  # words that stand together are known together
_PHRASES = re.compile(
    r"\b(?:must|should|please|only|need(?:s)? to|has to|have to|focus(?:ing)? on|includ(?:e|ing)|prefer|with|about)\b",
    re.I,
)
_CODE = re.compile(r"\b(?:code|snippets?|examples?|commands?|syntax)\b", re.I)
_NUMBERS = re.compile(r"\b(?:benchmarks?|numbers?|figures?|statistics|performance|metrics|tables?)\b", re.I)
_STEPS = re.compile(r"^\s*(?:\d{1,3}[.)]|[-*])\s|^```", re.M)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Wishes:
    kind: str
    constraints: Sequence[str] = ()
    known: str = ""
    _heard: dict[str, float] = field(default_factory=dict)

    def weighed(self, passage: Passage, relevance: float) -> float:
        """Its relevance with what the caller wishes; what is not relevant stays so."""
        if relevance <= 0:
            return 0.0
        lifted = relevance + min(relevance, 1.0) * (self._kept(passage) + self._formed(passage))
        return min(1.0, lifted * (1 - _KNOWN * self._known_share(passage.text)))

    @cached_property
    def _wanted(self) -> frozenset[int]:
        return terms_of(_PHRASES.sub(" ", " ".join(self.constraints))) if self.constraints else frozenset()

    def _kept(self, passage: Passage) -> float:
        if not self._wanted:
            return 0.0
        said = terms_of(f"{passage.heading}\n{passage.text}")
        return _LIFT * len(self._wanted & said) / len(self._wanted)

    def _formed(self, passage: Passage) -> float:
        """The form that is wished for: code, figures, steps."""
        wished = " ".join(self.constraints)
        code = bool(_CODE.search(wished)) and "```" in passage.text
        table = bool(_NUMBERS.search(wished)) and bool(re.search(r"\d", passage.text))
        steps = self.kind == "how_to" and bool(_STEPS.search(passage.text))
        opens = self.kind == "exploratory" and passage.start == 0  # a page's beginning tells what there is
        return _FORM * (code + table) + 0.5 * _FORM * (steps + opens)

    @cached_property
    def _known_runs(self) -> frozenset[tuple[str, ...]]:
        return _runs(self.known)

    def _known_share(self, text: str) -> float:
        """Which share of what it says, word by word, the caller knows."""
        if not self._known_runs:
            return 0.0
        own = _runs(text)
        return len(own & self._known_runs) / len(own) if own else 0.0


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = [word.lower() for word in _WORD.findall(text)]
    return frozenset(tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))
