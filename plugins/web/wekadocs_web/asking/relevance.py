"""How relevant a chunk is to a question, between 0 and 1: the second look at what the corpus found.

How much of the question the chunk says, how much of it stands in one place, how nearly it means the same. Words that
only name a link count little: `See the calibration guide` does not tell how to calibrate.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from wekadocs_corpus import Passage, Question, terms_of

from .sentences import whole_sentences

_NEAR, _WHOLE, _MEANT = 0.55, 0.25, 0.20  # what each is worth
_ONLY_MEANT = 0.6  # of what means the same in other words
_ABOUT = 0.57  # at most, where it is only about the same thing: no question is answered by that
_ABOVE = 0.6  # of a word that stands only in the headings
_ONLY_LINKED = 0.1  # of a word that only names a link
_SENTENCE = 6  # words beside its links make a sentence that says something itself
_MANY_LINKS = 3  # as an encyclopedia has in every sentence, among as many words; alone they are a menu
_POINTS = re.compile(
    r"\b(?:see|read|refer|consult|check|visit|go to|head to|jump to|learn|more|details?|described|explained|covered"
    r"|documented|found|click|follow|here|guide|tutorial|next|previous|related|further)\b",
    re.I,
)
_ALIKE = (0.25, 0.75)  # likeness that counts as none, and as all
_LINK = re.compile(r"(?<!!)\[((?:[^\[\]\\]|\\.){1,300})\]\(https?://[^\s()]{1,2000}\)")
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_OTHER_NUMBER = 0.3  # of its relevance goes
_TELLING = 3  # words of a question that stand in one chunk are hardly there by chance
Likeness = Callable[[str, Sequence[str]], Sequence[float]]


# Words that questions have and answers need not.
_ASKING = (
    "many much often long far old kind type sort way difference differ between compare versus mean means meaning used"
    " work works explain describe tell show give list example best good need want happen happens purpose reason"
)


@cache
def _asking() -> frozenset[int]:
    return terms_of(_ASKING)


@dataclass(frozen=True)
class Said:
    """What a chunk says, sentence by sentence: its own words, and those that only name links."""

    own: tuple[frozenset[int], ...]
    linked: tuple[frozenset[int], ...]
    above: frozenset[int]
    told: str  # without the sentences that only point elsewhere


@lru_cache(maxsize=4096)
def said_by(text: str, heading: str) -> Said:
    own, linked, told = [], [], []
    for start, end in whole_sentences(text):
        sentence = text[start:end]
        if sentence.lstrip().startswith("#"):
            continue
        bare = _LINK.sub(" ", sentence)
        everything = terms_of(_LINK.sub(lambda found: f" {found[1]} ", sentence))
        whole = _says_something(bare, sentence.count("]("))
        own.append(everything if whole else terms_of(bare))
        linked.append(frozenset() if whole else everything)
        told.append(sentence if whole else bare)
    return Said(tuple(own), tuple(linked), terms_of(heading), " ".join(told))


def _says_something(bare: str, links: int) -> bool:
    """Whether a sentence with links tells anything itself, or only where it is told."""
    if not links:
        return True
    words = len(_WORD.findall(bare))
    return not _POINTS.search(bare) and (words >= _SENTENCE or words >= links >= _MANY_LINKS)


def _read(passage: Passage) -> str:
    """What its meaning is looked for in."""
    return f"{passage.heading}\n{said_by(passage.text, passage.heading).told}"[:4000]


@dataclass(frozen=True)
class Weighing:
    """One question, read within the pages of the call."""

    question: Question
    likeness: Likeness
    chunks: int  # of the pages

    @cached_property
    def shares(self) -> Mapping[int, float]:
        """Of each word of the question; those that no page has count as the rarest of all."""
        known, words = self.question.weights, self.question.words.terms
        rarest = math.log(1 + (self.chunks + 0.5) / 0.5)
        asked = {term: known.get(term, rarest * weight) for term, weight in words.items()}
        telling = {term: weight for term, weight in asked.items() if term in known or term not in _asking()}
        asked = telling or asked
        total = sum(asked.values())
        return {term: weight / total for term, weight in asked.items()} if total else {}

    def relevances(self, passages: Sequence[Passage]) -> list[float]:
        """Of each, in their order."""
        if not passages or not self.shares:
            return [0.0] * len(passages)
        alike = self.likeness(self.question.text, [_read(each) for each in passages])
        return [self._one(each, like) for each, like in zip(passages, alike, strict=True)]

    def covered(self, passage: Passage) -> frozenset[int]:
        """The words of the question that it says itself."""
        said = said_by(passage.text, passage.heading)
        return frozenset(self.shares).intersection(frozenset[int]().union(*said.own, said.above))

    def said_share(self, passage: Passage) -> float:
        """Of the question's words, each counting alike; none where they are too few to tell, or a number is missing."""
        said = self.covered(passage)
        return len(said) / len(self.shares) if len(said) >= _TELLING and self._exact(passage) == 1.0 else 0.0

    def told_by(self, passage: Passage) -> bool:
        """Whether it says more than one of the question's words, where it has more, and all of its numbers."""
        return len(self.covered(passage)) >= min(2, len(self.shares)) and self._exact(passage) == 1.0

    def _one(self, passage: Passage, like: float) -> float:
        said = said_by(passage.text, passage.heading)
        whole = self._share(frozenset[int]().union(*said.own), said.above, frozenset[int]().union(*said.linked))
        near = max((self._window(said, at) for at in range(len(said.own))), default=0.0)
        low, high = _ALIKE
        meant = min(1.0, max(0.0, (like - low) / (high - low)))
        only = min(_ONLY_MEANT * meant, _ABOUT if self._about_something_else(passage) else 1.0)
        return self._exact(passage) * min(1.0, max(_NEAR * near + _WHOLE * whole + _MEANT * meant, only))

    def _about_something_else(self, passage: Passage) -> bool:
        """Whether it means the same for the words that it shares, while others of the question stand on no page."""
        unsaid = self.shares.keys() - self.question.weights.keys()
        return bool(unsaid) and len(self.covered(passage)) > 1

    @cached_property
    def _numbers(self) -> frozenset[str]:
        return frozenset(_NUMBER.findall(self.question.text))

    def _exact(self, passage: Passage) -> float:
        """Less where a number of the question is another one here: `setting 3` says nothing of setting 7."""
        if not self._numbers:
            return 1.0
        missing = self._numbers - frozenset(_NUMBER.findall(f"{passage.heading} {passage.text}"))
        return 1.0 - _OTHER_NUMBER * len(missing) / len(self._numbers)

    def _window(self, said: Said, at: int) -> float:
        """Two sentences that follow each other, under their headings."""
        own = said.own[at] | (said.own[at + 1] if at + 1 < len(said.own) else frozenset())
        return self._share(own, said.above, said.linked[at])

    def _share(self, own: frozenset[int], above: frozenset[int], linked: frozenset[int]) -> float:
        total = 0.0
        for term, share in self.shares.items():
            if term in own:
                total += share
            elif term in above and own:
                total += _ABOVE * share
            elif term in linked:
                total += _ONLY_LINKED * share
        return total
