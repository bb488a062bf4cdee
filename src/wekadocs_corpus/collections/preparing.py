"""A batch made ready to be written: vectors of length 1, and the words of each text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wekadocs_corpus import stopping
from wekadocs_corpus.embedding.interface import Embedder
from wekadocs_corpus.lexical.vectors import document_vectors

_AT_ONCE = 64  # texts embedded between two looks at the deadline


def words_of(texts: Sequence[str]) -> list[bytes]:
    return document_vectors([("", (), text) for text in texts])


def embedded(embedder: Embedder, texts: Sequence[str]) -> list[bytes]:
    """Empty where a text has nothing that the model knows."""
    rows: list[bytes] = []
    for start in range(0, len(texts), _AT_ONCE):
        stopping.check()
        rows += packed(embedder.embed_passages(list(texts[start : start + _AT_ONCE])))
    return rows


def packed(vectors: Sequence[Sequence[float]] | np.ndarray) -> list[bytes]:
    """All of one dimension, each brought to length 1; empty where one has no length."""
    rows = np.asarray(vectors, np.float64)
    if not len(rows):
        return []
    lengths = np.linalg.norm(rows, axis=1)
    usable = (lengths > 0) & np.isfinite(lengths)
    made = (rows / np.where(usable, lengths, 1.0)[:, None]).astype("<f4")
    return [row.tobytes() if fine else b"" for row, fine in zip(made, usable.tolist(), strict=True)]
