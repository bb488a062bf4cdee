"""Two ranked lists into one, then the best chunks of each document.

By rank:  Σ weight / (k + rank), for models whose scores cannot be compared between questions.
By score: words · (s + s²)/2 + vectors · v, with s the share of the best words score and v where the similarity lies
between the fiftieth and the first of its list. The square keeps what words find with certainty ahead of a weak model's
opinion.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

from wekadocs_corpus.embedding.interface import Fusion
from wekadocs_corpus.model import Leg
from wekadocs_corpus.tuning import TUNING, FindingTuning

from .hits import Hit, Hits, in_order

if TYPE_CHECKING:
    from .question import Question

Scored = tuple[str, float]  # chunk id, score


@dataclass(frozen=True)
class Fuse:
    """Both legs as one list; the more of the question is exact names, the less vectors count."""

    fusion: Fusion

    async def __call__(self, question: Question, hits: Hits) -> Hits:
        began = perf_counter()
        ranked = fuse(hits.words, hits.vectors, self.fusion, question.words.exactness, question.tuning.finding)
        return replace(hits, ranked=ranked).timed("fusion", began)


@dataclass(frozen=True)
class KeepBest:
    """The first so many, no more than so many of one document."""

    count: int
    per_document: int

    async def __call__(self, _question: Question, hits: Hits) -> Hits:
        return replace(hits, ranked=best_of(hits.ranked, self.count, self.per_document))


def fuse(
    words: Sequence[Leg],
    vectors: Sequence[Leg],
    fusion: Fusion,
    exactness: float = 0.0,
    tuning: FindingTuning = TUNING.finding,
) -> list[Hit]:
    """All of both legs, best first."""
    gate = fusion.vectors * (1.0 - exactness)
    if not words or not vectors:
        scores = {leg.chunk_id: leg.score for leg in words or vectors}  # one leg: its own, true scores
    elif fusion.by == "rank":
        scores = _added(_by_rank(words, fusion.words, fusion.k), _by_rank(vectors, gate, fusion.k))
    else:
        scores = _added(_by_share(words, fusion.words), _by_place(vectors, gate, tuning.places))
    in_words = {leg.chunk_id: (rank, leg) for rank, leg in enumerate(words, 1)}
    in_vectors = {leg.chunk_id: (rank, leg) for rank, leg in enumerate(vectors, 1)}
    return in_order([_hit(score, in_words.get(each), in_vectors.get(each)) for each, score in scores.items()])


def best_of(ranked: Iterable[Hit], count: int, per_document: int) -> list[Hit]:
    taken: dict[str, int] = {}
    kept: list[Hit] = []
    for hit in ranked:
        if len(kept) == count:
            break
        if taken.get(hit.document_id, 0) < per_document:
            taken[hit.document_id] = taken.get(hit.document_id, 0) + 1
            kept.append(hit)
    return kept


def _by_rank(legs: Sequence[Leg], weight: float, k: float) -> list[Scored]:
    return [(leg.chunk_id, weight / (k + rank)) for rank, leg in enumerate(legs, 1)]


def _by_share(legs: Sequence[Leg], weight: float) -> list[Scored]:
    best = max(legs[0].score, 1e-9)
    shares = ((leg.chunk_id, leg.score / best) for leg in legs)
    return [(chunk, weight * (share + share * share) / 2) for chunk, share in shares]


def _by_place(legs: Sequence[Leg], weight: float, places: int) -> list[Scored]:
    last = legs[:places][-1].score if len(legs) > 1 else 0.0
    span = max(legs[0].score - last, 1e-9)
    return [(leg.chunk_id, weight * max(0.0, leg.score - last) / span) for leg in legs]


def _added(first: Iterable[Scored], second: Iterable[Scored]) -> dict[str, float]:
    total = dict(first)
    for chunk, score in second:
        total[chunk] = total.get(chunk, 0.0) + score
    return total


def _hit(score: float, words: tuple[int, Leg] | None, vectors: tuple[int, Leg] | None) -> Hit:
    if words and vectors:
        (rank, leg), (other, near) = words, vectors
        return Hit(leg.chunk_id, leg.document_id, score, "hybrid", rank, other, leg.score, near.score)
    if words:
        rank, leg = words
        return Hit(leg.chunk_id, leg.document_id, score, "bm25", rank, None, leg.score)
    assert vectors
    rank, leg = vectors
    return Hit(leg.chunk_id, leg.document_id, score, "vector", None, rank, None, leg.score)
