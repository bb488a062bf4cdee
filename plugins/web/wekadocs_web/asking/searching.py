"""Chunks of some pages, found by words and vectors and weighed against every part of the question."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING

from wekadocs_corpus import Area, Filters, Passage

from .relevance import Weighing
from .second_opinion import in_order_of, order_of
from .wishes import Wishes

if TYPE_CHECKING:
    from wekadocs_corpus import Corpus

    from .decomposition import Analysis

FOUND = 60  # chunks that each part of the question is looked for in
_PART = 0.6  # what a part of the question is worth beside the whole of it


@dataclass(frozen=True)
class Scored:
    """A chunk; `answers` is its relevance before the caller's wishes."""

    passage: Passage
    relevance: float
    answers: float
    sub_query: str | None = None
    parts: tuple[float, ...] = ()  # relevance to each part of the question
    adjacent: bool = False


@dataclass
class Look:
    """What one search of the pages came to."""

    scored: list[Scored] = field(default_factory=list)  # best first
    weighings: list[Weighing] = field(default_factory=list)
    parts: tuple[float, ...] = ()  # how well each part of the question is answered
    retrieval_ms: float = 0.0
    reranking_ms: float = 0.0
    degraded: tuple[str, ...] = ()

    @property
    def answered(self) -> float:
        """Of the part that is answered worst."""
        return min(self.parts, default=0.0)

    @property
    def said(self) -> float:
        """Share of the question's words that the best chunk says, where the question has no parts."""
        return self.weighings[-1].said_share(self.scored[0].passage) if self.scored and len(self.parts) == 1 else 0.0

    @property
    def tells(self) -> bool:
        """Whether the best chunk can be the answer by what it says of the question."""
        return bool(self.scored) and self.weighings[-1].told_by(self.scored[0].passage)

    @property
    def top(self) -> float:
        return self.scored[0].relevance if self.scored else 0.0


@dataclass(frozen=True)
class Found:
    """The questions, read within the pages, and the chunks that any of them finds."""

    weighings: list[Weighing]
    orders: list[Sequence[str]]  # a cross-encoder's, for each question; empty where there is none
    passages: list[Passage]
    degraded: tuple[str, ...]


@dataclass(frozen=True)
class Searching:
    corpus: Corpus
    analysis: Analysis
    wishes: Wishes

    async def candidates(self, area: Area, chunks: int) -> Found:
        likeness = await self.corpus.likeness()
        questions = [await self.corpus.read(text, area) for text in self.analysis.asked]
        every = len(self.analysis.asked)
        hits = await asyncio.gather(
            *(self.corpus.find(each, Filters(), FOUND, max_per_document=FOUND, every_hit=True) for each in questions)
        )
        ids = dict.fromkeys(hit.chunk_id for found in hits for hit in found.ranked[: FOUND * every])
        passages = await self.corpus.passages(list(ids))
        degraded = tuple(dict.fromkeys(reason for found in hits for reason in found.degraded))
        weighings = [Weighing(each, likeness, chunks) for each in questions]
        return Found(weighings, [order_of(found) for found in hits], passages, degraded)

    async def look(self, area: Area, chunks: int, everything: Sequence[Passage] = ()) -> Look:
        """`chunks`: how many the pages have; `everything`: these, whether or not a search finds them."""
        began = perf_counter()
        found = await self.candidates(area, chunks)
        passages = list({each.id: each for each in (*found.passages, *everything)}.values())
        searched = perf_counter()
        scored = await asyncio.to_thread(self._scored, found, passages)
        parts = tuple(max(column) for column in zip(*(each.parts for each in scored), strict=True))
        look = Look(scored, found.weighings, parts, degraded=found.degraded)
        return replace(look, retrieval_ms=(searched - began) * 1e3, reranking_ms=(perf_counter() - searched) * 1e3)

    def _scored(self, found: Found, passages: Sequence[Passage]) -> list[Scored]:
        places = {passage.id: at for at, passage in enumerate(passages)}
        rows = [
            in_order_of(order, places, each.relevances(passages))
            for each, order in zip(found.weighings, found.orders, strict=True)
        ]
        scored = [self._one(passage, [row[at] for row in rows]) for at, passage in enumerate(passages)]
        return sorted(scored, key=lambda it: (-it.relevance, it.passage.document_id, it.passage.start))

    def _one(self, passage: Passage, relevances: list[float]) -> Scored:
        whole, parts = relevances[-1], relevances[:-1] or relevances
        both = tuple(_PART * part + (1 - _PART) * whole for part in parts)
        answers = max(whole, *both)
        several = len(self.analysis.sub_queries) > 1
        best = self.analysis.sub_queries[max(range(len(parts)), key=parts.__getitem__)] if several else None
        return Scored(passage, self.wishes.weighed(passage, answers), answers, best, both if several else (whole,))
