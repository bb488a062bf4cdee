"""The second look at the best of both legs: their texts are read, and each gains by how close it is to the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

from .hits import Hits, in_order
from .page_kinds import is_historic, is_listing
from .passages import with_texts

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.interface import Truth
    from wekadocs_corpus.store.truth.rows import Passage

    from .closeness import Closeness
    from .question import Question

LOOKED_AT = 12
_HISTORY, _LISTING = 0.6, 0.6  # what is closeness 1: a row that begins with the name that is asked for


@dataclass(frozen=True)
class SecondLook:
    """Only where both legs answered. Reads where it is asked: what it reads is mostly in memory, and a change of thread
    would cost more."""

    truth: Truth
    closeness: Closeness
    weight: float

    async def __call__(self, question: Question, hits: Hits) -> Hits:
        if not hits.words or not hits.vectors:
            return hits
        began = perf_counter()
        first = hits.ranked[:LOOKED_AT]
        hits = with_texts(self.truth, hits, [hit.chunk_id for hit in first])
        found = [hits.read[hit.chunk_id] for hit in first if hit.chunk_id in hits.read]
        close = dict(zip((each.id for each in found), self._close(question, found), strict=True))
        gained = [replace(hit, score=hit.score + self.weight * close.get(hit.chunk_id, 0.0)) for hit in first]
        return replace(hits, ranked=in_order([*gained, *hits.ranked[LOOKED_AT:]])).timed("fusion", began)

    def _close(self, question: Question, found: Sequence[Passage]) -> list[float]:
        """Less for a passage that names things and explains none."""
        asked = self.closeness.asked_words(question.text)
        rarity = self.truth.weighted_within(question.scope, dict.fromkeys(asked, 1.0))
        close = self.closeness.of(question, asked, rarity, [(each.title, each.text) for each in found])
        history = 0.0 if question.history else _HISTORY
        return [
            value - (history * is_historic(each.path) + _LISTING * is_listing(each.text))
            for value, each in zip(close, found, strict=True)
        ]
