"""A model that is nowhere here: its vectors come with what is stored, and no question can be put to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .interface import EmbeddingUnavailable, Profile

if TYPE_CHECKING:
    import numpy as np


class GivenVectors:
    """An Embedder by name and length only."""

    embeds = False

    def __init__(self, profile: Profile) -> None:
        self.profile = profile

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        raise self._refusal(len(texts))

    def embed_query(self, text: str) -> np.ndarray:
        raise self._refusal(len([text]))

    def _refusal(self, count: int) -> EmbeddingUnavailable:
        return EmbeddingUnavailable(
            f"nothing here embeds {count:,} text(s) with {self.profile.id}: its vectors come with what is stored; "
            "for documents choose another embedding.provider"
        )


def load(settings: Mapping[str, object]) -> GivenVectors:
    model, dimension = settings.get("model"), settings.get("dimension")
    if not isinstance(model, str) or not model or not isinstance(dimension, int) or dimension < 1:
        raise EmbeddingUnavailable(
            "embedding.provider given needs `model`, its name, and `dimension`, the length of its vectors"
        )
    return GivenVectors(Profile(model, dimension))
