"""Two ranked lists into one: weighted reciprocal ranks, then the best chunks of each document. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .embedding.interface import Fusion
from .model import Leg


@dataclass(frozen=True)
class Hit:
    """A passage found, with where each leg had it (ranks count from 1) and what each leg gave it."""

    chunk_id: str
    document_id: str
    score: float
    source: str  # "bm25", "vector" or "hybrid": which legs had it
    words_rank: int | None = None
    vectors_rank: int | None = None
    words_score: float | None = None
    vectors_score: float | None = None


def fuse(words: Sequence[Leg], vectors: Sequence[Leg], fusion: Fusion) -> list[Hit]:
    """Every candidate of either leg, best first: Σ weight / (k + rank)."""
    in_words = {leg.chunk_id: (rank, leg) for rank, leg in enumerate(words, 1)}
    in_vectors = {leg.chunk_id: (rank, leg) for rank, leg in enumerate(vectors, 1)}
    return ordered(
        _hit(in_words.get(chunk), in_vectors.get(chunk), fusion) for chunk in in_words.keys() | in_vectors.keys()
    )


def _hit(words: tuple[int, Leg] | None, vectors: tuple[int, Leg] | None, fusion: Fusion) -> Hit:
    word_rank, word_leg = words or (None, None)
    vector_rank, vector_leg = vectors or (None, None)
    leg = word_leg or vector_leg
    assert leg is not None
    score = fusion.words / (fusion.k + word_rank) if word_rank else 0.0
    score += fusion.vectors / (fusion.k + vector_rank) if vector_rank else 0.0
    return Hit(
        leg.chunk_id,
        leg.document_id,
        score,
        "hybrid" if words and vectors else "bm25" if words else "vector",
        word_rank,
        vector_rank,
        word_leg.score if word_leg else None,
        vector_leg.score if vector_leg else None,
    )


def ordered(hits: Iterable[Hit]) -> list[Hit]:
    """Best first; equal scores in the order of their ids, so that the same question gets the same answer."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))


def at_most(hits: Iterable[Hit], per_document: int, k: int) -> list[Hit]:
    """The first k, with no more than so many from one document."""
    taken: dict[str, int] = {}
    kept: list[Hit] = []
    for hit in hits:
        if len(kept) == k:
            break
        if taken.get(hit.document_id, 0) < per_document:
            taken[hit.document_id] = taken.get(hit.document_id, 0) + 1
            kept.append(hit)
    return kept
