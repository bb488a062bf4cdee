"""The second hop: from what words and vectors found, over links and names, to the passages these point at.

A question may need a page that it does not name. The graph has the links and the names that are some page's; of other
names the truth knows where they stand. What a neighbour is worth is said in neighbours.py.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from wekadocs_corpus.errors import Unavailable
from wekadocs_corpus.model import Filters, Scope

from .hits import Hit, Hits
from .neighbours import Asked, Seeds, Way, arrivals, followed_by_name, merged, shared_ways
from .passages import with_texts

if TYPE_CHECKING:
    from wekadocs_corpus.graph.interface import Graph
    from wekadocs_corpus.store.sql.far.hop import Hopped, Seed
    from wekadocs_corpus.store.truth.interface import Truth
    from wekadocs_corpus.store.truth.rows import Coverage, Naming

    from .question import Question

log = logging.getLogger("wekadocs.corpus")
Named = Mapping[str, Collection[str]]  # by chunk, the concepts that it names
_EMPTY = "graph_empty"
OFF = "neo4j_disabled"  # the word that clients know
SECONDS = 1.0  # a graph that takes longer is done without
_PAUSE = 30.0  # before a graph that failed is asked again: its time-outs must not cost every question


class GraphSkipped(Exception):
    """Why a question was answered without the graph, in a word or a sentence for the caller."""


@dataclass(frozen=True)
class Hop:
    """The hits with what the graph leads to; as they are when it cannot be asked."""

    hops: Hops
    filters: Filters
    count: int

    async def __call__(self, question: Question, hits: Hits) -> Hits:
        began = perf_counter()
        try:
            found = await self.hops.followed(question, self.filters, hits)
        except GraphSkipped as reason:
            return hits.without(str(reason))
        return replace(hits, ranked=found[: self.count], graph=True).timed("graph", began)


@dataclass(frozen=True)
class Going:
    """A question on its second hop."""

    question: Question
    filters: Filters
    hits: Hits
    seeds: Seeds
    asked: Asked
    covered: Sequence[Coverage]  # of the seeds that lack something

    @property
    def nodes(self) -> list[str]:
        return list(dict.fromkeys(each.node_id for each in self.covered))[:100]


@runtime_checkable
class InTruth(Protocol):
    """A graph that is kept with the documents."""

    in_truth: bool


@runtime_checkable
class HopsAtOnce(Protocol):
    """A truth that is far and answers all of a hop in one way there and back."""

    def hop(
        self,
        seeds: Sequence[Seed],
        concepts: Sequence[str],
        most_naming: int,
        terms: Collection[int],
        scope: Scope,
        filters: Filters,
        along: Sequence[str],
    ) -> Hopped: ...


class Hops:
    """Follows the graph for one corpus."""

    def __init__(self, truth: Truth, graph: Callable[[], Graph], in_thread: Callable[..., Awaitable[Any]]) -> None:
        self._truth, self._graph, self._in_thread = truth, graph, in_thread
        self._failed_at, self._failure = -_PAUSE, ""
        self._trying: asyncio.Task[None] | None = None

    async def close(self) -> None:
        if self._trying is not None:
            self._trying.cancel()
            await asyncio.wait([self._trying])

    async def followed(self, question: Question, filters: Filters, hits: Hits) -> list[Hit]:
        """The hits of this question with what one step further leads to."""
        tuning = question.tuning.hop
        seeds = Seeds.of(hits.ranked, tuning.seeds)
        weights, covered = await self._in_thread(self._of_seeds, question, seeds)
        covered = [each for each in covered if len(each.terms) < len(weights)]
        going = Going(question, filters, hits, seeds, Asked.of(weights, covered), covered)
        async with self._within(going):
            graph = self._graph()
            at_once = self._at_once(graph, filters)
            if at_once is None:
                related = await graph.related_sections(going.nodes, question.scope, shares=False)
                tied = [(each.seed_id, each.node.id) for each in related]
            else:
                hopped = await self._in_thread(self._hopped, at_once, going)
        if at_once is None:
            ways, there = await self._in_thread(self._of_ends, going, tied)
        else:
            ways, there = self._arrived(going, hopped)
        return merged(hits.ranked, arrivals(seeds, going.asked, ways, there, tuning))

    def _at_once(self, graph: Graph, filters: Filters) -> HopsAtOnce | None:
        """A database that is far, and has the graph too, is asked for everything together."""
        if filters.fields or not isinstance(graph, InTruth) or not isinstance(self._truth, HopsAtOnce):
            return None
        return self._truth

    @asynccontextmanager
    async def _within(self, going: Going) -> AsyncIterator[None]:
        """What asks the graph; one that failed is left alone for a while."""
        from wekadocs_corpus.graph.interface import GraphDisabled

        if monotonic() - self._failed_at < _PAUSE:
            raise GraphSkipped(self._failure)
        try:
            async with asyncio.timeout(SECONDS):
                yield
        except GraphDisabled as error:
            raise GraphSkipped(OFF) from error
        except (Unavailable, TimeoutError) as error:
            self._failed_at = monotonic()
            log.warning("the graph cannot be asked: %s", str(error) or f"no answer within {SECONDS:g} s")
            self._failure = f"{OFF}: the graph does not answer now"
            if isinstance(error, TimeoutError) and (self._trying is None or self._trying.done()):
                self._trying = asyncio.get_running_loop().create_task(self._try(going))
            raise GraphSkipped(self._failure) from error

    async def _try(self, going: Going) -> None:
        """The same asked again with nobody waiting: a server that has just started plans a question for longer than one
        may take, and would plan it anew each time it is cut off. Good is what then answers in time."""
        for seconds in (_PAUSE, SECONDS):
            try:
                async with asyncio.timeout(seconds):
                    await self._graph().related_sections(going.nodes, going.question.scope, shares=False)
            except Exception:  # whatever it is, the next question that asks the graph tells it
                return
        self._failed_at = -_PAUSE

    def _of_seeds(self, question: Question, seeds: Seeds) -> tuple[Mapping[int, float], list[Coverage]]:
        searched = question.searched
        weights = question.own_weights if question.rewrite else self._truth.weighted_within(question.scope, searched)
        return weights, self._truth.coverage_of_chunks(list(seeds.by_chunk), weights)

    def _of_ends(self, going: Going, tied: list[tuple[str, str]]) -> tuple[list[Way], list[Coverage]]:
        scope, tuning = going.question.scope, going.question.tuning.hop
        if not tied and not self._truth.has_edges(scope.project_id, scope.environment):
            raise GraphSkipped(_EMPTY)
        named = self._named(going)
        concepts = sorted(set().union(*named.values()))
        naming = self._truth.sections_naming(concepts, scope, tuning.most_naming) if named else []
        ways = list(_ways(going, tied, named, naming))
        nodes = list(dict.fromkeys(way.node_id for way in ways))
        return ways, self._truth.coverage_of_nodes(nodes, going.asked.weights, scope, going.filters)

    def _hopped(self, truth: HopsAtOnce, going: Going) -> tuple[Named, Hopped]:
        from wekadocs_corpus.store.sql.far.hop import Seed

        seeds = [Seed(each.node_id, each.chunk_id, each.document_id) for each in going.covered]
        named, tuning = self._named(going), going.question.tuning.hop
        concepts = sorted(set().union(*named.values()))
        along = [hit.chunk_id for hit in going.hits.ranked]
        terms, scope = going.asked.weights, going.question.scope
        return named, truth.hop(seeds, concepts, tuning.most_naming, terms, scope, going.filters, along)

    def _arrived(self, going: Going, found: tuple[Named, Hopped]) -> tuple[list[Way], list[Coverage]]:
        named, hopped = found
        if not hopped.ways and not hopped.has_edges:
            raise GraphSkipped(_EMPTY)
        return list(_ways(going, hopped.ways, named, hopped.naming)), hopped.coverage

    def _named(self, going: Going) -> Named:
        """Names that have no page of their own, or that many pages define: none of them is an edge."""
        chunks = followed_by_name(going.seeds, going.asked, going.question.tuning.hop)
        if not chunks:
            return {}
        from wekadocs_corpus.graph.extraction.naming import concepts_named

        read, scope = with_texts(self._truth, going.hits, chunks).read, going.question.scope
        return {chunk: concepts_named(read[chunk].text, scope) for chunk in chunks if chunk in read}


def _ways(going: Going, tied: Iterable[tuple[str, str]], named: Named, naming: Sequence[Naming]) -> Iterator[Way]:
    """Over what ties a seed, which stands for its section and for its document, and over names that it shares."""
    tuning, chunks = going.question.tuning.hop, dict[str, list[str]]()
    for each in going.covered:
        chunks.setdefault(each.node_id, []).append(each.chunk_id)
    for seed, node in dict.fromkeys(tied):
        for chunk in chunks.get(seed, ()):
            yield Way(chunk, node, 1.0, tuning.most)
    for chunk, concepts in named.items():
        yield from shared_ways(going.seeds.by_chunk[chunk], concepts, naming, tuning)
