"""A question to a collection: which chunks, best first, read in the same look as they were found in."""

from __future__ import annotations

from collections.abc import Collection as Some
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from wekadocs_corpus.embedding.interface import Fusion
from wekadocs_corpus.lexical import AskedWords
from wekadocs_corpus.model import Leg
from wekadocs_corpus.store.truth.collections import CollectionRow, CollectionsView, Conditions, StoredChunk

from .fused import DEPTH, Scored, by_both, by_similarity
from .likeness import by_likeness
from .rarity import Rarity, rarest


@dataclass(frozen=True)
class Query:
    """What is asked of a collection that is bound to `model`."""

    text: str
    model: str
    vector: np.ndarray
    conditions: Conditions
    top_k: int
    hybrid: bool
    fusion: Fusion
    absolute: bool = False  # scores say how near a chunk is to the question, not how near beside the other chunks
    docs: Sequence[str] | None = None  # few: only their chunks, all of which are compared; for absolute scores


@dataclass(frozen=True, slots=True)
class FoundChunk:
    chunk: StoredChunk
    scored: Scored


class Legs(Protocol):
    """Where candidates come from: arrays in this process, or a server."""

    def words(self, query: Mapping[int, float], allowed: Some[int] | None, limit: int) -> list[Leg]: ...
    def nearest(self, query: np.ndarray, allowed: Some[int] | None, limit: int) -> list[Leg]: ...


class Rebound(Exception):
    """The collection got another model since the question was embedded: embed it again."""


def search(view: CollectionsView, row: CollectionRow, legs: Legs, rarity: Rarity, query: Query) -> list[FoundChunk]:
    if row.model != query.model:
        raise Rebound
    if query.docs is not None:
        return _within(view, row, rarity, query, query.docs)
    allowed = view.matching(row.number, query.conditions) if query.conditions else None
    if allowed is not None and not allowed:
        return []
    depth = max(DEPTH, query.top_k)
    vectors = legs.nearest(query.vector, allowed, depth) if np.any(query.vector) else []
    if query.hybrid:
        asked = AskedWords(query.text)
        terms = rarity.weighted(view, row, asked.terms)
        words = legs.words(terms, allowed, depth)
        if query.absolute:
            scored = _compared(view, row, asked, terms, query, {int(leg.chunk_id) for leg in (*words, *vectors)})
        else:
            scored = by_both(words, vectors, query.fusion, asked.exactness, query.top_k)
    else:
        scored = by_similarity(vectors, query.top_k)
    return found(view, row, scored)


def _within(
    view: CollectionsView, row: CollectionRow, rarity: Rarity, query: Query, docs: Sequence[str]
) -> list[FoundChunk]:
    asked = AskedWords(query.text)
    terms = rarity.weighted(view, row, asked.terms)
    numbers = {each.number for each in view.of_documents(row.number, docs)}
    return found(view, row, _compared(view, row, asked, terms, query, numbers))


def _compared(
    view: CollectionsView,
    row: CollectionRow,
    asked: AskedWords,
    terms: Mapping[int, float],
    query: Query,
    numbers: Some[int],
) -> list[Scored]:
    whole = sum(terms.values()) + rarest(row, [w for t, w in asked.terms.items() if t not in terms])
    return by_likeness(view.numbered(row.number, sorted(numbers)), query.vector, terms, whole, query.top_k)


def found(view: CollectionsView, row: CollectionRow, scored: Sequence[Scored]) -> list[FoundChunk]:
    chunks = {each.number: each for each in view.chunks(row.number, [each.number for each in scored])}
    return [FoundChunk(chunks[each.number], each) for each in scored if each.number in chunks]
