"""What else says the same as a question's words: their other forms in its language, what is configured as synonyms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wekadocs_corpus.lexical.synonyms import Synonyms

from .question import Question

if TYPE_CHECKING:
    from wekadocs_corpus.lexical import AskedWords
    from wekadocs_corpus.model import Scope

Weights = Mapping[int, float]
Others = Mapping[int, int]  # a term, and the one of the question that it stands for


@dataclass(frozen=True)
class Wording:
    synonyms: Synonyms = field(default_factory=Synonyms)
    language: str = ""  # of questions that do not tell theirs

    def others(self, words: AskedWords) -> Others:
        """None for most questions: those in English without a synonym."""
        found = {**self._forms(words), **self.synonyms.terms(words.text)}
        asked = words.terms
        return {term: said for term, said in found.items() if said in asked and term != said}

    def _forms(self, words: AskedWords) -> Others:
        language = words.language if words.is_foreign or words.has_stop_words else self.language
        if not language or language == "en":
            return {}
        from wekadocs_corpus.lexical.inflection import forms  # few questions need it

        return {form: said for form, said in forms(words.text, language).items() if form not in words.terms}


def asked_for(words: AskedWords, others: Others) -> Weights:
    """The sparse vector with what says the same beside each term."""
    return {**{term: words.terms[said] for term, said in others.items()}, **words.terms}


def worded(words: AskedWords, scope: Scope, weights: Weights, others: Others) -> Question:
    """A question whose terms may be said otherwise: all that say one count as much as the commonest of them does."""
    least: dict[int, float] = {}
    for term, weight in weights.items():
        said = others.get(term, term)
        least[said] = min(weight, least.get(said, weight))
    even = {term: least[others.get(term, term)] for term in weights}
    asked = asked_for(words, others)
    searched = {term: asked[term] * even[term] / weight for term, weight in weights.items() if weight > 0}
    return Question(words, scope, even, others=others, wider=searched)
