"""How much a word tells wherever it stands, beside how rare it is in these documents: `way` little, `quorum` much.

The static model sums the vectors of a text's words, and was trained so that a word which says little has a short one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from wekadocs_corpus.tuning import TUNING

from .analyser import LONGEST_WHOLE

if TYPE_CHECKING:
    from wekadocs_corpus.embedding.static import Vocabulary

_REMEMBERED = 50_000
_known: dict[str, float] = {}


def worth(words: Iterable[str]) -> dict[str, float]:
    """A factor for each word, 1 for a usual one; case makes no difference."""
    found = {word: _known.get(word) for word in words}
    new = [word for word, factor in found.items() if factor is None]
    if new:
        found.update(_learned(new))
    return found  # type: ignore[return-value]  # none is None any more


def is_word(word: str) -> bool:
    """Whether the model knows it whole, in small letters: then it is no slip of the pen."""
    return word in _vocabulary()


def rarity(word: str) -> float:
    """How seldom it is anywhere, from 0 to 1: what a small corpus cannot tell of a word that it has once."""
    return _vocabulary().rarity(word.lower())


def _learned(words: Sequence[str]) -> dict[str, float]:
    if len(_known) > _REMEMBERED:
        _known.clear()
    lengths = _vocabulary().lengths([word.lower() for word in words])
    most, usual = TUNING.words.most_worth, TUNING.words.usual_length
    new = {word: min(most, (length / usual) ** 0.5) for word, length in zip(words, lengths, strict=True)}
    _known.update((word, factor) for word, factor in new.items() if len(word) <= LONGEST_WHOLE)
    return new


@cache
def _vocabulary() -> Vocabulary:
    from wekadocs_corpus.embedding import static

    return static.Vocabulary(static.DATA)
