"""Packed sparse vectors as numbers: what a query is worth in each of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .packing import unpack_many

if TYPE_CHECKING:
    import numpy as np


def entries(vectors: Sequence[bytes]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Packed vectors one after the other: term ids, which of the vectors each belongs to, weights."""
    import numpy as np

    ids, weights, counts = unpack_many(vectors)
    return ids, np.repeat(np.arange(len(vectors)), counts), weights


def products(vectors: Sequence[bytes], query: Mapping[int, float]) -> np.ndarray:
    """The query times each packed vector, exactly."""
    import numpy as np

    ids, chunk, weights = entries(vectors)
    scores = np.zeros(len(vectors))
    for term, weight in query.items():
        at = np.flatnonzero(ids == term)
        scores[chunk[at]] += weights[at] * weight
    return scores


def idf(chunks: int, having: int) -> float:
    """How much a term tells: Lucene's and Qdrant's formula."""
    return math.log(1.0 + (chunks - having + 0.5) / (having + 0.5))
