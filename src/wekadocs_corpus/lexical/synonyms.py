"""Words and phrases that an operator says mean the same, found in a question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .analyser import analyse, surfaces
from .bm25 import term_id

Terms = tuple[int, ...]


class Synonyms:
    """Groups of them; in any form of their words, any case."""

    def __init__(self, groups: Sequence[Sequence[str]] = ()) -> None:
        self._starting: dict[int, list[tuple[Terms, Sequence[str]]]] = {}
        for group in groups:
            for terms in filter(None, map(_terms, group)):
                self._starting.setdefault(terms[0], []).append((terms, group))

    def terms(self, text: str) -> Mapping[int, int]:
        """Single words that mean the same as a word of the text, each with that word, as terms."""
        found: dict[int, int] = {}
        for said, group in self._said(text):
            others = (terms[0] for terms in map(_terms, group) if len(terms) == 1 and terms != said)
            found.update((term, said[0]) for term in others if len(said) == 1 and term not in found.values())
        return {term: word for term, word in found.items() if word not in found}

    def phrases(self, text: str) -> list[str]:
        """What else the text could say, as it is configured, and does not."""
        said = _terms(text)
        others = (each for _, group in self._said(text) for each in group if not _stands_in(_terms(each), said))
        return list(dict.fromkeys(others))

    def _said(self, text: str) -> Iterator[tuple[Terms, Sequence[str]]]:
        if not self._starting:
            return
        words = _terms(text)
        for place, word in enumerate(words):
            for terms, group in self._starting.get(word, ()):
                if words[place : place + len(terms)] == terms:
                    yield terms, group


def _terms(text: str) -> Terms:
    return tuple(term_id(analyse(surface)[0]) for surface in surfaces(text))


def _stands_in(terms: Terms, words: Terms) -> bool:
    return any(words[place : place + len(terms)] == terms for place in range(len(words)))
