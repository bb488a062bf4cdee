"""The corpus of one process: the truth, its index, its model and its graph, opened when they are first needed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from . import stopping
from .at_once import at_once
from .configured import fits, open_truth
from .embedders import Embedders
from .model import Filters, Scope

if TYPE_CHECKING:
    from wekadocs_corpus.collections.store import Collections
    from wekadocs_corpus.embedding.interface import Embedder
    from wekadocs_corpus.evidence.choosing.weighing import Likeness
    from wekadocs_corpus.graph.interface import Graph
    from wekadocs_corpus.graph.neo4j.links import Neo4jLinks
    from wekadocs_corpus.ingest.planning import Stamp
    from wekadocs_corpus.ingest.report import Done, Progress
    from wekadocs_corpus.ingest.sources.source import Source
    from wekadocs_corpus.retrieval.hits import Hits
    from wekadocs_corpus.retrieval.hop import Hops
    from wekadocs_corpus.retrieval.question import Question
    from wekadocs_corpus.retrieval.rerank import Scorer
    from wekadocs_corpus.retrieval.rewriting import Rewriting
    from wekadocs_corpus.retrieval.wording import Wording
    from wekadocs_corpus.store.checking import CheckResult
    from wekadocs_corpus.store.interface import SearchIndex
    from wekadocs_corpus.store.truth.interface import Truth
    from wekadocs_corpus.store.truth.rows import DocumentRow, Passage

Result = TypeVar("Result")


class Corpus:
    """One per process. Every question carries its scope."""

    def __init__(self, truth: Truth, settings: Mapping[str, Any], home: Scope) -> None:
        self.truth = truth
        self.home = home  # the deployment's own scope
        self.settings = settings
        self._opening = asyncio.Lock()
        self._embedders = Embedders(settings)
        self._indexes: dict[str, SearchIndex] = {}
        self._reranker: Scorer | None = None
        self._graph: Graph | None = None
        self.deduped = 0  # candidates left out for another of their document, so far
        self._ingested = False  # a process that reads may be waiting for more
        self.filling = False  # a first ingest is under way: much may be missing

    @classmethod
    async def open(cls, data_dir: Path, settings: Mapping[str, Any], home: Scope) -> Corpus:
        # Nothing here needs the threads of numpy's BLAS, and they wait in busy loops from the moment it is imported.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        loop = asyncio.get_running_loop()
        return cls(await loop.run_in_executor(None, open_truth, data_dir, settings), settings, home)

    async def close(self) -> None:
        if "collections" in vars(self):
            await self.collections.close()
        if self._ingested:
            from wekadocs_corpus.ingest.reading.readers import end_idle

            await asyncio.to_thread(end_idle)
        for index in self._indexes.values():
            await index.close()
        if "_hops" in vars(self):
            await self._hops.close()
        if self._graph is not None:
            await self._graph.close()
        if "links" in vars(self) and self.links is not None:
            await self.links.close()
        self.truth.close()

    async def in_thread(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """For what may read much or wait for long. The few rows that a question needs are read where it is asked: they
        are mostly in memory, Python holds the interpreter in either thread, and a change of thread costs .2 ms.
        """
        return await stopping.in_thread(work, *arguments)

    async def at_once(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """For those few rows: here, unless a server must be asked for them, which may be silent for long."""
        return await at_once(work, *arguments)

    async def read(self, text: str, scope: Scope, *, rewrite: bool = True) -> Question:
        """A question as it is written; what its words weigh within the scope is looked up here, once.

        Without `rewrite` identifiers and compounds count as a whole only, in the words.
        """
        from wekadocs_corpus.lexical import AskedWords
        from wekadocs_corpus.retrieval.question import Question
        from wekadocs_corpus.retrieval.wording import asked_for, worded

        words = AskedWords(text)
        others = self._wording.others(words) if rewrite else {}
        # Here, as a search has looked most of them up; counting within a narrower scope may take its time.
        look = partial(self.truth.weighted_within, scope, asked_for(words, others) if others else words.terms)
        whole = await at_once(self.truth.is_whole, scope)
        weights = await (at_once(look) if whole else self.in_thread(look))
        return worded(words, scope, weights, others) if others else Question(words, scope, weights, rewrite)

    async def rewritten(self, question: Question) -> Question:
        """The same as the documents would put it; its note says what was read differently."""
        phrases = self._wording.synonyms.phrases(question.text)
        if not phrases and not question.acronyms and not question.unknown_words:
            return question
        text, note = await self._rewriting(question, phrases)
        if text == question.text:
            return question
        return replace(await self.read(text, question.scope), note=note, written=question)

    async def nearest_words(self, question: Question) -> dict[str, str]:
        """Words that no document has, with what the headings have that looks most like them."""
        words = question.unknown_words[: question.tuning.rewriting.most_words]
        if not words:
            return {}
        from wekadocs_corpus.retrieval import vocabulary  # few questions need it

        return await self.in_thread(vocabulary.nearest, self.truth, question, words)

    async def retrieve(self, text: str, scope: Scope, filters: Filters, k: int, mode: str = "auto") -> Hits:
        """The best passages for a question as it is written, in order, one of each document."""
        return await self.find(await self.read(text, scope), filters, k, mode)

    async def find(
        self,
        question: Question,
        filters: Filters,
        k: int,
        mode: str = "auto",
        *,
        max_per_document: int = 1,
        every_hit: bool = False,
    ) -> Hits:
        """The best passages for a question, in order; the same question on the same truth gets the same answer.

        `every_hit`: as they were found, though one reads on into the other.
        """
        from wekadocs_corpus.retrieval.stages import Means, Search, run, stages

        project = question.scope.project_id
        embedder, wrong = await self.usable_embedder(project)
        index = await self.index(project)
        state = await index.catch_up(self.settings["search"]["catch_up_ms"] / 1000)
        closeness, scorer = (await self._embedders.of(project)).closeness, await self._loaded_reranker()
        means = Means(index, self.truth, embedder, closeness, self._hops, scorer)
        hits = await run(question, stages(Search(filters, k, max_per_document, mode, every_hit), means))
        self.deduped += hits.left_out
        filling = "ingest_running" if self.filling else ""
        return replace(hits, partial=state.behind > 0).without(wrong, state.note, index.instead, filling)

    async def ingest(self, sources: Sequence[Source], stamp: Stamp, *, progress: Progress = lambda *_: None) -> Done:
        """Take documents in while questions are answered. `progress` is called in this event loop.

        Cancelled, it keeps what it has written, forgets what it was reading and leaves no process behind.
        """
        from wekadocs_corpus.ingest.beside import in_loop
        from wekadocs_corpus.ingest.run import Run

        self._ingested = True
        where, told, loaded = self.truth.data_dir, in_loop(progress), self._embedders.already(stamp.project_id)
        run = Run(where, self.settings, stamp, told, truth=self.truth, embedder=loaded)
        return await run.ingest_beside(sources)

    async def is_empty(self, scope: Scope) -> bool:
        """Whether nothing was ever ingested for this project and environment, or all of it was removed."""
        return not await self.in_thread(self.truth.has_documents, scope.project_id, scope.environment)

    async def stamps(self) -> list[tuple[str, str]]:
        """Every project and environment that has documents."""
        return await self.in_thread(self.truth.stamps)

    async def passages(self, chunk_ids: Sequence[str]) -> list[Passage]:
        return await self.in_thread(self.truth.chunks, list(chunk_ids))

    async def document(self, document_id: str) -> DocumentRow | None:
        return await self.in_thread(self.truth.document, document_id)

    async def index(self, project: str) -> SearchIndex:
        if project not in self._indexes:
            async with self._opening:
                if project not in self._indexes:
                    self._indexes[project] = await self._open_index(project)
        return self._indexes[project]

    async def check_search(self) -> list[CheckResult]:
        """For doctor: which index answers, and what keeps a better one from it."""
        from wekadocs_corpus.store.checking import check

        return await check(await self.index(self.home.project_id))

    async def check_graph(self) -> list[CheckResult]:
        """The same for the graph."""
        from wekadocs_corpus.graph.checking import check

        return await check(self)

    @property
    def graph(self) -> Graph:
        if not self.settings.get("graph", True):
            from wekadocs_corpus.graph.interface import GraphDisabled

            raise GraphDisabled("the graph is switched off: plugins.corpus.graph is false in tools.yaml")
        if self._graph is None:
            from wekadocs_corpus.graph.choose import load

            self._graph = load(self.truth, self.settings.get("neo4j"))
        return self._graph

    @asynccontextmanager
    async def graph_followed(self, warn: Callable[[str], None]) -> AsyncIterator[None]:
        """While this is open, a graph on a server takes what changes in the truth, whoever changes it."""
        from wekadocs_corpus.graph.choose import follower

        task = follower(self.truth, self.settings, warn)
        try:
            yield
        finally:
            if task is not None:
                task.cancel()
                await asyncio.wait([task])

    @cached_property
    def links(self) -> Neo4jLinks | None:
        """Where links between a plugin's own nodes are kept beside this process; None: nowhere else."""
        if not (self.settings.get("neo4j") or {}).get("uri"):
            return None
        from wekadocs_corpus.graph.neo4j.links import Neo4jLinks

        return Neo4jLinks(self.settings["neo4j"], self.truth.turn)

    @cached_property
    def _wording(self) -> Wording:
        from wekadocs_corpus.lexical.synonyms import Synonyms
        from wekadocs_corpus.retrieval.wording import Wording

        search = self.settings["search"]
        return Wording(Synonyms(search.get("synonyms", ())), search.get("language", ""))

    @cached_property
    def _rewriting(self) -> Rewriting:
        from wekadocs_corpus.retrieval.rewriting import Rewriting

        return Rewriting(self.truth, self.in_thread, self._texts_about)

    async def _texts_about(self, word: str, question: Question) -> list[str]:
        asked, k = await self.read(word, question.scope, rewrite=False), question.tuning.rewriting.defining_passages
        found = await self.find(asked, Filters(), k, "words")
        return [each.passage.text for each in found.candidates]

    @cached_property
    def _hops(self) -> Hops:
        from wekadocs_corpus.retrieval.hop import Hops

        return Hops(self.truth, lambda: self.graph, self.in_thread)

    async def _open_index(self, project: str) -> SearchIndex:
        from wekadocs_corpus.store.choose import open_index

        embedder = await self._embedders.of(project)
        return await asyncio.to_thread(  # for all who ask later: not ended with the first
            open_index, self.truth, project, embedder.profile, self.settings
        )

    @cached_property
    def collections(self) -> Collections:
        """Chunks that callers bring."""
        from wekadocs_corpus.collections.store import Collections

        return Collections(self.truth, self.settings)

    async def embedder(self) -> Embedder:
        """The deployment's own model, whatever the vectors of its documents were made with."""
        return (await self._embedders.of(self.home.project_id)).embedder

    async def usable_embedder(self, project: str | None = None) -> tuple[Embedder | None, str]:
        """No vectors rather than wrong ones; of the deployment's own project unless another is named."""
        project = self.home.project_id if project is None else project
        loaded = await self._embedders.of(project)
        stored = await self.at_once(self.truth.binding, project)
        if not fits(stored, loaded.profile):
            return None, "embedding_model_mismatch"
        return (loaded.embedder if loaded.embeds else None), ""

    async def likeness(self) -> Likeness:
        """How nearly texts mean what a question does, by the model that is always there and costs next to nothing."""
        return await self._embedders.likeness(self.home.project_id)

    async def _loaded_reranker(self) -> Scorer | None:
        """Off unless configured."""
        settings = self.settings.get("rerank")
        if settings and self._reranker is None:
            from wekadocs_corpus.retrieval.rerank import load

            self._reranker = await asyncio.to_thread(load, settings)
        return self._reranker
