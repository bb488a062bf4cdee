"""A question in, passages out: two leg queries, our fusion, at most so many per document. The same for every store."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Literal

from wekadocs_corpus.embedding.interface import Embedder, Fusion
from wekadocs_corpus.model import Filters, Leg
from wekadocs_corpus.store.interface import SearchIndex

from .fusion import Hit, Look, fuse
from .hop import Expander, GraphSkipped
from .question import Question

log = logging.getLogger("wekadocs.corpus")

Mode = Literal["hybrid", "words", "vectors"]
MODES: dict[str, Mode] = {"hybrid": "hybrid", "auto": "hybrid", "words": "words", "vectors": "vectors"}
Reranker = Callable[[str, Sequence[str]], Awaitable[Sequence[float]]]  # question, chunk ids → scores

DEPTH = 50  # candidates per leg, at least
_DEEPER = 8  # times k candidates are enough, however many of one document may stay
_VECTORS_WITHIN = 3.0  # seconds: a large index that comes from a slow disk must not cost the answer
RERANKED = 24  # candidates the reranker sees, at least


@dataclass(frozen=True)
class Retrieval:
    """What was found and how. `degraded` says what could not be done, in words for the caller; empty: nothing."""

    hits: tuple[Hit, ...]
    mode_used: Mode
    degraded: tuple[str, ...] = ()
    timings_ms: dict[str, float] = field(default_factory=dict)
    graph: bool = False  # the graph was followed, whether or not it led anywhere


async def retrieve(
    question: Question,
    *,
    index: SearchIndex,
    embedder: Embedder | None,
    filters: Filters | None = None,
    k: int = 10,
    mode: str = "hybrid",
    max_per_document: int = 1,
    depth: int = DEPTH,
    look: Look | None = None,
    rerank: Reranker | None = None,
    expand: Expander | None = None,
) -> Retrieval:
    """The k best passages for a question; deterministic for one state of the index. Modes: `Mode`; auto is hybrid."""
    run = _Run(question, index, embedder, filters or Filters(), max(depth, k * min(max_per_document, _DEEPER)))
    wanted = MODES.get(mode, "hybrid")
    words, vectors = await asyncio.gather(run.words(wanted), run.vectors(wanted))
    if wanted == "vectors" and not run.has_vectors():
        words = await run.words("words")
    began = perf_counter()
    count = max(k, RERANKED) if rerank else k
    hits = fuse(words, vectors, run.fusion(), count, max_per_document, question.words.exactness, look)
    run.timings["fusion"] = _since(began)
    if expand:
        hits = (await run.expanded(hits, expand))[:count]
    if rerank and hits:
        hits = (await run.reranked(hits, rerank))[:k]
    return Retrieval(tuple(hits), wanted if run.has_vectors() else "words", tuple(run.degraded), run.timings, run.graph)


@dataclass
class _Run:
    """One question on its way: what the stages share."""

    question: Question
    index: SearchIndex
    embedder: Embedder | None
    filters: Filters
    depth: int
    degraded: list[str] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)
    graph: bool = False

    async def words(self, mode: Mode) -> list[Leg]:
        if mode == "vectors":
            return []
        began = perf_counter()
        terms, scope = self.question.searched, self.question.scope
        legs = await self.index.search_words(terms, scope, self.filters, self.depth) if terms else []
        self.timings["words"] = _since(began)
        return legs

    async def vectors(self, mode: Mode) -> list[Leg]:
        if mode == "words":
            return []
        vector = await self._embedded()
        if vector is None or not any(vector):
            return []
        began = perf_counter()
        try:
            async with asyncio.timeout(_VECTORS_WITHIN) as patience:
                legs = await self.index.search_vectors(vector, self.question.scope, self.filters, self.depth)
        except TimeoutError:
            if not patience.expired():
                raise
            self.degraded.append("vectors are still being read: answered from words alone")
            return []
        self.timings["vectors"] = _since(began)
        return legs

    async def _embedded(self) -> Sequence[float] | None:
        if self.embedder is None:
            self.degraded.append("no embedding model is loaded: answered from words alone")
            return None
        began = perf_counter()
        try:
            row = await _embed(self.embedder, self.question.text)
        except Exception as error:  # whatever a model or its server does, words still answer
            log.warning("the embedding model failed: %s", type(error).__name__)
            self.degraded.append("the embedding model failed: answered from words alone")
            return None
        self.timings["embed"] = _since(began)
        return row

    def fusion(self) -> Fusion:
        return self.embedder.profile.fusion if self.embedder else Fusion()

    def has_vectors(self) -> bool:
        return "vectors" in self.timings

    async def expanded(self, hits: list[Hit], expand: Expander) -> list[Hit]:
        """The hits with what the graph leads to; as they are when it cannot be asked."""
        began = perf_counter()
        try:
            found = await expand(hits)
        except GraphSkipped as reason:
            self.degraded.append(str(reason))
            return hits
        self.graph, self.timings["graph"] = True, _since(began)
        return found

    async def reranked(self, hits: list[Hit], rerank: Reranker) -> list[Hit]:
        """The hits in the reranker's order, with its scores; in their own when it fails."""
        began = perf_counter()
        try:
            scores = await rerank(self.question.text, [hit.chunk_id for hit in hits])
        except Exception as error:  # an optional second look must not cost the first
            log.warning("the reranker failed: %s", type(error).__name__)
            self.degraded.append("the reranker failed: answered in the order of the fusion")
            return hits
        self.timings["rerank"] = _since(began)
        rescored = [replace(hit, score=score) for hit, score in zip(hits, scores, strict=True)]
        return sorted(rescored, key=lambda hit: (-hit.score, hit.chunk_id))


async def _embed(embedder: Embedder, question: str) -> Sequence[float]:
    if getattr(embedder, "instant", False):
        row = embedder.embed_query(question)
    else:
        row = await asyncio.to_thread(embedder.embed_query, question)
    numbers: list[float] = row.tolist()
    return numbers


def _since(began: float) -> float:
    return (perf_counter() - began) * 1000
