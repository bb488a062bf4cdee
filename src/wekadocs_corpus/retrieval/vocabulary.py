"""Words that titles and headings use, for whoever misspelt one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from wekadocs_corpus.lexical.worth import is_word
from wekadocs_corpus.model import Area, Scope

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.interface import Truth

    from .question import Question

_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_]{4,40}(?![^\W\d_])")  # of a longer one nobody knows how it is spelt
_ROWS = 50_000


def nearest(truth: Truth, question: Question, words: Sequence[str]) -> dict[str, str]:
    """Each word that looks like one of the headings' in this scope, with that one."""
    known = list(_headings(*_state(truth, question.scope)))
    near = {
        word: get_close_matches(word.lower(), known, 1, question.tuning.rewriting.nearest)
        for word in words
        if _WORD.fullmatch(word)
    }
    return {word: found[0] for word, found in near.items() if found and found[0] != word.lower()}


def mistyped(truth: Truth, question: Question, words: Sequence[str]) -> dict[str, str]:
    """Each that is no word and is one of the headings' but for a letter, or two that changed places; the commonest."""
    shortest = question.tuning.rewriting.shortest_mistyped
    long = [word for word in words if len(word) >= shortest and not is_word(word)]
    if not long:
        return {}
    state = _state(truth, question.scope)
    known, shaped = _headings(*state), _shaped(*state)
    near = {word: [each for each in _alike(word, shaped) if _one_off(word, each)] for word in long}
    return {word: max(found, key=lambda each: (known[each], each)) for word, found in near.items() if found}


def _alike(word: str, shaped: Mapping[tuple[str, int], Sequence[str]]) -> Iterator[str]:
    return chain.from_iterable(shaped.get((word[0], len(word) + more), ()) for more in (-1, 0, 1))


def _one_off(one: str, other: str) -> bool:
    """For words of nearly the same length."""
    pairs = zip(one, other, strict=False)
    start = next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
    one, other = one[start:], other[start:]
    return one[1:] == other[1:] or one[1:] == other or one == other[1:] or one[:2] + other[2:] == other[1::-1] + one[2:]


def _state(truth: Truth, scope: Scope) -> tuple[Truth, Area, int]:
    area = Area(scope.project_id, scope.environment, tuple(scope.doc_tags), tuple(scope.repositories))
    return truth, area, truth.sequence()


@lru_cache(maxsize=8)
def _shaped(truth: Truth, area: Area, sequence: int) -> Mapping[tuple[str, int], Sequence[str]]:
    """The same words by first letter and length."""
    shaped: dict[tuple[str, int], list[str]] = {}
    for word in _headings(truth, area, sequence):
        shaped.setdefault((word[0], len(word)), []).append(word)
    return shaped


@lru_cache(maxsize=8)
def _headings(truth: Truth, area: Area, _sequence: int) -> Mapping[str, int]:
    """The words of all headings and how often they stand there, once for each state of the documents."""
    titles = truth.headings(area, _ROWS)
    counted = Counter(word.lower() for title in titles for word in _WORD.findall(title))
    return dict(sorted(counted.items()))
