"""How near chunks are to a question, between 0 and 1 and whatever other chunks there are.

By meaning, and by how much of the question's words they have, rare ones counting more. Both together are nearer than
either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from wekadocs_corpus.store.truth.collections import ChangedChunk

from .fused import Scored, within

_ALL_WORDS = 0.75  # how near a chunk is that has every word of the question, though its meaning seems another


def by_likeness(
    chunks: Sequence[ChangedChunk], vector: np.ndarray, terms: Mapping[int, float], whole: float, k: int
) -> list[Scored]:
    """`terms`: the question's, each times its rarity; `whole`: what all of them are worth together."""
    found = [Scored(each.number, _likeness(each, vector, terms, whole)) for each in chunks]
    return sorted(found, key=lambda each: (-each.score, each.number))[:k]


def _likeness(chunk: ChangedChunk, vector: np.ndarray, terms: Mapping[int, float], whole: float) -> float:
    meaning = within(_cosine(chunk.vector, vector))
    had = _ALL_WORDS * within(_had(chunk.terms, terms) / whole) if whole > 0 else 0.0
    return within(1.0 - (1.0 - meaning) * (1.0 - had))


def _cosine(kept: bytes, vector: np.ndarray) -> float:
    return float(np.frombuffer(kept, "<f4") @ vector) if len(kept) == 4 * len(vector) else 0.0


def _had(packed: bytes, terms: Mapping[int, float]) -> float:
    """A term that is there often counts no more than one that is there once."""
    count = len(packed) // 8
    ids, weights = np.frombuffer(packed, "<u4", count), np.frombuffer(packed, "<f4", count, 4 * count)
    there = np.isin(ids, np.fromiter(terms, np.uint32, len(terms)))
    found = zip(ids[there].tolist(), weights[there].tolist(), strict=True)
    return float(sum(terms[term] * min(1.0, weight) for term, weight in found))
