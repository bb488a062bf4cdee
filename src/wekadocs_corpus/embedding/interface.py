"""What an embedding model must do, and what of it is stored beside the vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from wekadocs_corpus.errors import Unavailable

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Fusion:
    """How much the two legs are worth with this model: fusion.py has the two formulas."""

    words: float = 3.0
    vectors: float = 1.0
    k: float = 10.0  # by rank only
    by: Literal["rank", "score"] = "rank"
    closeness: float = 0.0  # by score only: what a second look at the best adds, see closeness.py


@dataclass(frozen=True)
class Profile:
    """A model's identity and its habits. `id` is stored with the vectors: another id means they cannot be mixed."""

    id: str
    dimension: int
    query_prefix: str = ""
    passage_prefix: str = ""
    lower_case: bool = False
    fusion: Fusion = Fusion()
    max_tokens: int = 512


class Embedder(Protocol):
    """Rows come back normalised (length 1), float32; empty text gives a zero row, never NaN."""

    profile: Profile

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray: ...

    def embed_query(self, text: str) -> np.ndarray: ...


class EmbeddingUnavailable(Unavailable):
    """The model cannot be had or reached; the reason names the place and the way out, never a key or a text."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
