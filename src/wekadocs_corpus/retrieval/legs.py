"""The first stage: what the index has for a question's words and for its vector, asked at once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

from wekadocs_corpus.model import Filters
from wekadocs_corpus.store.interface import AsksBoth

from .hits import Hits, Mode

if TYPE_CHECKING:
    from wekadocs_corpus.embedding.interface import Embedder
    from wekadocs_corpus.store.interface import SearchIndex

    from .question import Question

log = logging.getLogger("wekadocs.corpus")
MODES: dict[str, Mode] = {"words": "words", "vectors": "vectors"}  # any other is hybrid
_STILL_READ = "vectors are still being read: answered from words alone"
_VECTORS_WITHIN = 3.0  # seconds: a large index that comes from a slow disk must not cost the answer


@dataclass(frozen=True)
class Legs:
    """Words and vectors, or one of them; words answer where vectors cannot."""

    index: SearchIndex
    embedder: Embedder | None
    filters: Filters
    depth: int
    mode: Mode

    async def __call__(self, question: Question, hits: Hits) -> Hits:
        if self.mode == "words":
            return await self._by_words(question, hits)
        if self.mode == "vectors":
            found = await self._by_vectors(question, hits)
            return found if "vectors" in found.timings_ms else await self._by_words(question, found)
        if isinstance(self.index, AsksBoth) and question.searched:
            return await self._by_both(self.index, question, hits)
        words, vectors = await asyncio.gather(self._by_words(question, hits), self._by_vectors(question, hits))
        return replace(vectors, words=words.words, timings_ms={**words.timings_ms, **vectors.timings_ms})

    async def _by_both(self, index: AsksBoth, question: Question, hits: Hits) -> Hits:
        """At once where both can be asked; else words alone."""
        hits, vector = await self._meaning(question, hits)
        if vector is None:
            return await self._by_words(question, hits)
        began = perf_counter()
        try:
            async with asyncio.timeout(_VECTORS_WITHIN) as patience:
                both = await index.search_both(question.searched, vector, question.scope, self.filters, self.depth)
        except TimeoutError:
            if not patience.expired():
                raise
            return await self._by_words(question, hits.without(_STILL_READ))
        words, vectors = both
        found = replace(hits, words=words, vectors=vectors, mode_used=self.mode)
        return found.timed("words", began).timed("vectors", began)

    async def _by_words(self, question: Question, hits: Hits) -> Hits:
        began, terms = perf_counter(), question.searched
        legs = await self.index.search_words(terms, question.scope, self.filters, self.depth) if terms else []
        return replace(hits, words=legs).timed("words", began)

    async def _by_vectors(self, question: Question, hits: Hits) -> Hits:
        hits, vector = await self._meaning(question, hits)
        return hits if vector is None else await self._nearest(question, vector, hits)

    async def _meaning(self, question: Question, hits: Hits) -> tuple[Hits, Sequence[float] | None]:
        """The question's vector; None where it has none."""
        if self.embedder is None:
            return hits.without("no embedding model is loaded: answered from words alone"), None
        began = perf_counter()
        try:
            vector = await _embedded(self.embedder, question.text)
        except Exception as error:  # whatever a model or its server does, words still answer
            log.warning("the embedding model failed: %s", type(error).__name__)
            return hits.without("the embedding model failed: answered from words alone"), None
        return hits.timed("embed", began), vector if any(vector) else None

    async def _nearest(self, question: Question, vector: Sequence[float], hits: Hits) -> Hits:
        began = perf_counter()
        try:
            async with asyncio.timeout(_VECTORS_WITHIN) as patience:
                legs = await self.index.search_vectors(vector, question.scope, self.filters, self.depth)
        except TimeoutError:
            if not patience.expired():
                raise
            return hits.without(_STILL_READ)
        return replace(hits, vectors=legs, mode_used=self.mode).timed("vectors", began)


async def _embedded(embedder: Embedder, text: str) -> Sequence[float]:
    if getattr(embedder, "instant", False):
        row = embedder.embed_query(text)
    else:
        row = await asyncio.to_thread(embedder.embed_query, text)
    numbers: list[float] = row.tolist()
    return numbers
