"""A cross-encoder's order of the chunks, where one is configured under `plugins.corpus.rerank`.

Its scores have a scale of their own, so it says which chunk comes before which; how relevant they are altogether, and
whether anything is, the words still say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wekadocs_corpus import Hits


def order_of(hits: Hits) -> Sequence[str]:
    """Best first; empty where no model has seen them."""
    return [hit.chunk_id for hit in hits.ranked] if "rerank" in hits.timings_ms else ()


def in_order_of(order: Sequence[str], places: Mapping[str, int], relevances: list[float]) -> list[float]:
    """The same relevances, handed out to the chunks of that order so that none is above its better."""
    seen = [places[chunk] for chunk in order if chunk in places]
    given = list(relevances)
    for place, relevance in zip(seen, sorted((relevances[place] for place in seen), reverse=True), strict=True):
        given[place] = relevance
    return given
