"""A question, read once and handed on: from the words it is found by to the sentences that answer it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from wekadocs_corpus.lexical import AskedWords, query_terms, terms_of
from wekadocs_corpus.model import Scope

from . import asked_for

_WRITTEN = re.compile(r"[^\W\d_]{4,}")
_NAMED = 0.8  # of a question, by weight


@dataclass(frozen=True)
class Question:
    """What is asked within a scope. Costly or seldom needed parts are read when first asked for, and then kept.

    `unknown` counts the terms that no document has: each makes every share of the question smaller by the rarest word's
    weight. It changes no choice, only how much of the question a quote can be said to answer.
    """

    words: AskedWords
    scope: Scope
    weights: Mapping[int, float]  # of its terms, those that some document of the scope has: how much by how rare
    rewrite: bool = True  # identifiers and compounds may be found by their parts
    note: str = ""  # what was read differently from how it is written, for the caller
    written: Question | None = None  # as it was written, where it is asked differently

    @property
    def text(self) -> str:
        """As it is asked of the documents."""
        return self.words.text

    @property
    def as_written(self) -> Question:
        return self.written or self

    @property
    def searched(self) -> Mapping[int, float]:
        """The sparse vector that finds passages by words."""
        return self.words.terms if self.rewrite else self.words.whole_terms

    @cached_property
    def pairs(self) -> Sequence[tuple[int, int]]:
        """Terms that stand side by side in it."""
        return list(pairwise(term for term in self.words.terms if term in self.weights))

    @property
    def unknown(self) -> int:
        return len(self.words.terms) - len(self.weights)

    @property
    def length(self) -> int:
        """In terms."""
        return len(self.words.terms)

    @cached_property
    def known(self) -> float:
        """Which share of the question, by weight, any document has."""
        total = sum(self.weights.values())
        return total / (total + self.unknown * max(self.weights.values())) if total else 0.0

    @cached_property
    def shares(self) -> Mapping[int, float]:
        """Of each known term, by weight."""
        total = sum(self.weights.values())
        return {term: weight / total for term, weight in self.weights.items()} if total else {}

    @cached_property
    def unknown_words(self) -> Sequence[str]:
        """Words that no document has, as written."""
        if not self.unknown:
            return []
        written = dict.fromkeys(_WRITTEN.findall(self.text))
        return [word for word in written if (terms := query_terms(word)) and not terms.keys() & self.weights.keys()]

    @cached_property
    def entry(self) -> re.Pattern[str] | None:
        """Finds what tells what a name in it means, or what it asks the meaning of."""
        return asked_for.entry_of(self.text, self.words.names)

    @cached_property
    def how(self) -> bool:
        """It asks how something is done."""
        return asked_for.asks_how(self.text)

    @cached_property
    def history(self) -> bool:
        """It asks what changed, or when."""
        return asked_for.asks_for_history(self.text)

    @cached_property
    def acronyms(self) -> Sequence[str]:
        return asked_for.acronyms(self.text)

    def is_said_by(self, title: str) -> bool:
        """Whether a title says the question, as far as any document does."""
        weights = self.weights
        said = sum(weights[term] for term in terms_of(title) & weights.keys())
        return bool(weights) and said >= _NAMED * sum(weights.values())
