"""The word of a question that a passage leaves unsaid, in like words too: near misses have one more often than not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from wekadocs_corpus.embedding.static import WORD
from wekadocs_corpus.lexical import rarity, term_id, terms_of

if TYPE_CHECKING:
    from wekadocs_corpus.evidence.choosing.weighing import Likeness
    from wekadocs_corpus.retrieval.question import Question


class Unsaid(NamedTuple):
    """The most telling such word as it is written, none where all is said; its share of the question, by weight, less
    as much as the passage has a word that means nearly the same."""

    word: str = ""
    share: float = 0.0


ALL_SAID = Unsaid()


def unsaid(question: Question, text: str, likeness: Likeness) -> Unsaid:
    weighed = list(telling(question))
    terms, total = terms_of(text), sum(weight for _, _, weight in weighed)
    said = sorted({word.lower() for word in WORD.findall(text) if len(word) > 1})
    left = [each for each in weighed if each[2] and not (has(terms, each[1]) or question.says(each[1][0], terms))]
    left.sort(key=lambda each: -each[2])  # of equals the one that tells most is named
    near = likeness.nearest([word.lower() for word, _, _ in left], said)
    each = (Unsaid(word, weight / total * (1.0 - like)) for (word, _, weight), like in zip(left, near, strict=True))
    return max(each, key=lambda unsaid: unsaid.share, default=ALL_SAID)


def telling(question: Question) -> Iterator[tuple[str, tuple[int, ...], float]]:
    """Each once, with its terms and its weight: by how rare it is here, where one that no document has is as rare as
    the rarest, and by how rare it is anywhere, so that words which only ask ("what happens") are not missed."""
    weights, seen = question.own_weights, set(question.amounts)
    most = max(weights.values(), default=0.0)
    for word, parts in question.words.told:
        terms = tuple(map(term_id, parts))
        if terms[0] not in seen:
            seen.add(terms[0])
            known = [weights[term] for term in terms if term in weights]
            yield word, terms, weights.get(terms[0], max(known, default=most)) * rarity(word) ** 2


def has(terms: frozenset[int], parts: tuple[int, ...]) -> bool:
    """As a whole, or every part of it."""
    return parts[0] in terms or (len(parts) > 1 and terms.issuperset(parts[1:]))
