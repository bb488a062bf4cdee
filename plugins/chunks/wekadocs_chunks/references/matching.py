"""Which reference a chunk belongs to: by citekey, else by DOI, else by title."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..filters import plain_doi
from .records import Record

_WORD = re.compile(r"\w+")
_ALIKE = 0.8  # of the words of two titles, those that both have


class References:
    """Of one file."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._records = list(records)
        self._by_key = {each.citekey: each for each in reversed(self._records) if each.citekey}
        self._by_doi = {plain_doi(each.doi): each for each in reversed(self._records) if each.doi}
        self._titles = [(_words(each.title), each) for each in self._records if each.title]

    def match(self, citekey: str, doi: str, title: str) -> Record | None:
        if citekey and (found := self._by_key.get(citekey)):
            return found
        if doi and (found := self._by_doi.get(plain_doi(doi))):
            return found
        return self._titled(_words(title)) if title else None

    def by_key(self, citekey: str) -> Record | None:
        return self._by_key.get(citekey)

    def _titled(self, words: frozenset[str]) -> Record | None:
        scored = [(_jaccard(words, each), record) for each, record in self._titles]
        best, found = max(scored, key=lambda pair: pair[0], default=(0.0, None))
        return found if best >= _ALIKE else None


def _words(title: str) -> frozenset[str]:
    return frozenset(_WORD.findall(title.lower()))


def _jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    return len(first & second) / len(first | second) if first and second else 0.0
