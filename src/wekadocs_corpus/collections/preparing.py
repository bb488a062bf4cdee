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
        made = embedder.embed_passages(list(texts[start : start + _AT_ONCE]))
        rows += [packed(row) for row in np.asarray(made, np.float32)]
    return rows


def packed(vector: Sequence[float] | np.ndarray) -> bytes:
    """Brought to length 1; empty where it has no length."""
    row = np.asarray(vector, np.float64)
    length = float(np.linalg.norm(row))
    return (row / length).astype("<f4").tobytes() if length > 0 and np.isfinite(length) else b""
