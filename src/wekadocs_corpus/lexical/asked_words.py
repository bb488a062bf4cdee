"""The words of a question, read once: which of them tell, what is exact about them, and its sparse vector."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, repeat

from wekadocs_corpus.tuning import TUNING, WordTuning

from .analyser import UNSPACED, VERSION, analyse, surfaces
from .bm25 import term_id
from .worth import worth

NAME = re.compile(r"[_/\\:.@#]|\d[^\W\d]|[^\W\d]\d")
FLAG = re.compile(r"(?<!\S)--?[A-Za-z][\w-]*(?:\.[\w-]+)*")
IDENTIFIER = re.compile(r"_|[a-z][A-Z][a-z]|[A-Za-z]\.[A-Za-z]|[A-Za-z]-?\d{3}|\d{3}-?[A-Za-z]")
CODE = re.compile(r"`[^`]+`|\b\w+(?=\(\))")
ENGLISH = "en"

Written = tuple[str, tuple[str, ...]]  # a word as it is written, its index words


@dataclass(frozen=True)
class AskedWords:
    """What is asked for by words. Stop words only count when nothing else is there."""

    text: str
    tuning: WordTuning = TUNING.words

    @cached_property
    def terms(self) -> dict[int, float]:
        """The sparse vector: exact names weigh more, words that tell little anywhere weigh less.

        Where nothing but exact names is asked for, each is asked for as a whole only: its parts are others.
        """
        return self.whole_terms if self._all_exact else self._weighed(split=True)

    @cached_property
    def whole_terms(self) -> dict[int, float]:
        """The same with every compound as a whole only."""
        return self._weighed(split=False)

    @cached_property
    def exactness(self) -> float:
        """Which share of the words are names for one thing: identifiers, flags, paths, codes, versions."""
        told = [words for _, words in self._telling(frozenset())]
        return min(1.0, (sum(map(_is_name, told)) + len(self._flags)) / len(told)) if told else 0.0

    @cached_property
    def names(self) -> list[str]:
        """Options, configuration keys, codes and identifiers as written, flags without their dashes; not S3 or IPv4."""
        flags = (flag.lstrip("-") for flag in self._flags)
        return list(dict.fromkeys((*flags, *(word for word, _ in self._written if IDENTIFIER.search(word)))))

    @cached_property
    def tells(self) -> bool:
        """Whether it has any word beside stop words."""
        return any(analyse(surface)[0] not in self.tuning.stop_words for surface, _ in self._written)

    @cached_property
    def language(self) -> str:
        """By its stop words; English unless it has more of another one's."""
        words = [surface.lower() for surface, _ in self._written]
        counts = {name: sum(map(own.__contains__, words)) for name, own in self.tuning.foreign_stop_words.items()}
        best = max(counts, key=counts.__getitem__)
        return best if counts[best] > max(1, sum(map(self.tuning.stop_words.__contains__, words))) else ENGLISH

    @property
    def is_foreign(self) -> bool:
        """Whether it tells a language other than English."""
        return self.language != ENGLISH

    @cached_property
    def has_stop_words(self) -> bool:
        """English ones; without any, a question does not tell that it is English."""
        return not self.tuning.stop_words.isdisjoint(surface.lower() for surface, _ in self._written)

    @cached_property
    def _written(self) -> Sequence[Written]:
        return [(surface, _asked(analyse(surface))) for surface in surfaces(self.text)]

    @cached_property
    def _flags(self) -> Sequence[str]:
        return FLAG.findall(self.text)

    @cached_property
    def _marked(self) -> frozenset[str]:
        """Words that are marked as code."""
        return frozenset(surface for code in CODE.findall(self.text) for surface in surfaces(code))

    @cached_property
    def told(self) -> Sequence[Written]:
        """Those that tell, or all where none does."""
        return self._telling(self._marked)

    def _telling(self, marked: frozenset[str]) -> Sequence[Written]:
        native = self.tuning.stop_words
        foreign = self.tuning.foreign_stop_words.get(self.language, frozenset())
        stopped = (each for each in self._written if each[1][0] in native or each[0].lower() in foreign)
        stops = {surface for surface, _ in stopped} - marked
        return [each for each in self._written if each[0] not in stops] or self._written

    @cached_property
    def _all_exact(self) -> bool:
        """Whether all of it are identifiers, codes, versions, flags or what is marked as code."""
        named = self._marked.union(surface for flag in self._flags for surface in surfaces(flag))
        return all(
            surface in named or IDENTIFIER.search(surface) or VERSION.fullmatch(surface.lower())
            for surface, _ in self.told
        )

    def _weighed(self, *, split: bool) -> dict[int, float]:
        weights: dict[int, float] = {}
        plain = (surface for surface, words in self.told if _is_plain(words) and surface not in self._marked)
        factors = worth(plain)
        for surface, words in self.told:
            whole = factors.get(surface, self.tuning.exact)
            for word, weight in zip(words if split else words[:1], chain([whole], repeat(1.0)), strict=False):
                weights[term_id(word)] = weights.get(term_id(word), 0.0) + weight
        return weights


def query_terms(query: str, *, split: bool = True) -> dict[int, float]:
    """The sparse vector of a question that nothing else is asked of."""
    words = AskedWords(query)
    return words.terms if split else words.whole_terms


def _asked(words: tuple[str, ...]) -> tuple[str, ...]:
    """Of Japanese without the pairs that begin with a particle or an ending, which kana write."""
    return tuple(word for word in words if not "\u3041" <= word[0] <= "\u309f") or words


def _is_plain(words: tuple[str, ...]) -> bool:
    return len(words) == 1 and words[0].isalpha()


def _is_name(words: tuple[str, ...]) -> bool:
    """camelCase has parts but no separator; a hyphen alone makes an ordinary compound."""
    return NAME.search(words[0]) is not None or (
        len(words) > 1 and words[0].isalnum() and not UNSPACED.search(words[0])
    )
