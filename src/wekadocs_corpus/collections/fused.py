"""Two legs into one list with scores between 0 and 1; chunks that both legs score alike score alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wekadocs_corpus.embedding.interface import Fusion
from wekadocs_corpus.model import Leg
from wekadocs_corpus.retrieval.fusion import fuse
from wekadocs_corpus.retrieval.hits import Hit

DEPTH = 50  # candidates per leg


@dataclass(frozen=True, slots=True)
class Scored:
    """A chunk that was found, by its number, with where each leg had it."""

    number: int
    score: float
    words_rank: int | None = None
    vector_rank: int | None = None


def by_similarity(vectors: Sequence[Leg], k: int) -> list[Scored]:
    """Cosine; what points away is 0."""
    found = enumerate(vectors[:k], 1)
    return [Scored(int(leg.chunk_id), within(leg.score), None, rank) for rank, leg in found]


def by_both(words: Sequence[Leg], vectors: Sequence[Leg], fusion: Fusion, exactness: float, k: int) -> list[Scored]:
    if not words:
        return by_similarity(vectors, k)
    hits = fuse(words, vectors, fusion, exactness)
    most = _most(words, vectors, fusion, exactness)
    alike: dict[tuple[float | None, float | None], float] = {}
    for hit in hits:
        key = _legs_of(hit)
        alike[key] = max(alike.get(key, 0.0), within(hit.score / most))
    found = [Scored(int(hit.chunk_id), alike[_legs_of(hit)], hit.words_rank, hit.vectors_rank) for hit in hits]
    return sorted(found, key=lambda each: (-each.score, each.number))[:k]


def _legs_of(hit: Hit) -> tuple[float | None, float | None]:
    return hit.words_score, hit.vectors_score


def _most(words: Sequence[Leg], vectors: Sequence[Leg], fusion: Fusion, exactness: float) -> float:
    """What the best of both legs would score."""
    if not vectors:
        return max(words[0].score, 1e-9)
    gate = fusion.vectors * (1.0 - exactness)
    return (fusion.words + gate) / (fusion.k + 1) if fusion.by == "rank" else fusion.words + gate


def within(score: float) -> float:
    """Between 0 and 1, as far as it is told."""
    return round(min(1.0, max(0.0, score)), 5)
