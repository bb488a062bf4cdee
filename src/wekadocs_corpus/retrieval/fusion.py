"""Two ranked lists into one, then the best chunks of each document. Pure functions.

By rank:  Σ weight / (k + rank), for models whose scores cannot be compared between questions.
By score: words · (s + s²)/2 + vectors · v, with s the share of the best words score and v where the similarity lies
between the fiftieth and the first of its list. The square keeps what words find with certainty ahead of a weak model's
opinion. Then the first twelve gain by what a second look at their texts says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from wekadocs_corpus.embedding.interface import Fusion
from wekadocs_corpus.model import Leg

Scored = tuple[str, float]  # chunk id, score
Look = Callable[[Sequence[str]], Sequence[float]]  # chunk ids → how close each is to the question

PLACES = 50  # how many similarities the first and the last are taken from, however long the list
LOOKED_AT = 12


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


def fuse(
    words: Sequence[Leg],
    vectors: Sequence[Leg],
    fusion: Fusion,
    k: int,
    per_document: int,
    exactness: float = 0.0,
    look: Look | None = None,
) -> list[Hit]:
    """The k best of both legs, best first; the more of the question is exact names, the less vectors count."""
    gate = fusion.vectors * (1.0 - exactness)
    if not words or not vectors:
        scores = {leg.chunk_id: leg.score for leg in words or vectors}  # one leg: its own, true scores
    elif fusion.by == "rank":
        scores = _added(_by_rank(words, fusion.words, fusion.k), _by_rank(vectors, gate, fusion.k))
    else:
        scores = _added(_by_share(words, fusion.words), _by_place(vectors, gate))
        if look and fusion.closeness:
            first = _ordered(scores)[:LOOKED_AT]
            close = zip(first, look(first), strict=True)
            scores = _added(scores.items(), ((chunk, fusion.closeness * each) for chunk, each in close))
    return _hits(_kept(scores, words, vectors, k, per_document), words, vectors)


def _by_rank(legs: Sequence[Leg], weight: float, k: float) -> list[Scored]:
    return [(leg.chunk_id, weight / (k + rank)) for rank, leg in enumerate(legs, 1)]


def _by_share(legs: Sequence[Leg], weight: float) -> list[Scored]:
    best = max(legs[0].score, 1e-9)
    shares = ((leg.chunk_id, leg.score / best) for leg in legs)
    return [(chunk, weight * (share + share * share) / 2) for chunk, share in shares]


def _by_place(legs: Sequence[Leg], weight: float) -> list[Scored]:
    last = legs[:PLACES][-1].score if len(legs) > 1 else 0.0
    span = max(legs[0].score - last, 1e-9)
    return [(leg.chunk_id, weight * max(0.0, leg.score - last) / span) for leg in legs]


def _ordered(scores: Mapping[str, float]) -> list[str]:
    return sorted(scores, key=lambda chunk: (-scores[chunk], chunk))


def _added(first: Iterable[Scored], second: Iterable[Scored]) -> dict[str, float]:
    total = dict(first)
    for chunk, score in second:
        total[chunk] = total.get(chunk, 0.0) + score
    return total


def _kept(
    scores: Mapping[str, float], words: Sequence[Leg], vectors: Sequence[Leg], k: int, per_document: int
) -> list[tuple[str, str, float]]:
    """The first k as (chunk, document, score), no more than so many of one document; equal scores in order of ids."""
    documents = {leg.chunk_id: leg.document_id for leg in (*words, *vectors)}
    taken: dict[str, int] = {}
    kept: list[tuple[str, str, float]] = []
    for chunk in _ordered(scores):
        if len(kept) == k:
            break
        document = documents[chunk]
        if taken.get(document, 0) < per_document:
            taken[document] = taken.get(document, 0) + 1
            kept.append((chunk, document, scores[chunk]))
    return kept


def _hits(kept: Sequence[tuple[str, str, float]], words: Sequence[Leg], vectors: Sequence[Leg]) -> list[Hit]:
    in_words = {leg.chunk_id: (rank, leg.score) for rank, leg in enumerate(words, 1)}
    in_vectors = {leg.chunk_id: (rank, leg.score) for rank, leg in enumerate(vectors, 1)}
    hits = []
    for chunk, document, score in kept:
        word_rank, word_score = in_words.get(chunk, (None, None))
        vector_rank, vector_score = in_vectors.get(chunk, (None, None))
        source = "vector" if word_rank is None else "bm25" if vector_rank is None else "hybrid"
        hits.append(Hit(chunk, document, score, source, word_rank, vector_rank, word_score, vector_score))
    return hits
