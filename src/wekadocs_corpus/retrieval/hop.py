"""The second hop: from what words and vectors found, over links and names, to the passages these point at.

A question may need a page that it does not name. The graph has the links and the names that are some page's; of other
names the truth knows where they stand. What a neighbour is worth is said in neighbours.py.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any

from wekadocs_corpus.errors import Unavailable
from wekadocs_corpus.model import Filters, Scope

from .hits import Hit, Hits
from .neighbours import Asked, Seeds, Way, arrivals, followed_by_name, merged, shared_ways
from .passages import with_texts

if TYPE_CHECKING:
    from wekadocs_corpus.graph.interface import Graph, Related
    from wekadocs_corpus.store.truth.interface import Truth
    from wekadocs_corpus.store.truth.rows import Coverage

    from .question import Question

log = logging.getLogger("wekadocs.corpus")
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


class Hops:
    """Follows the graph for one corpus."""

    def __init__(self, truth: Truth, graph: Callable[[], Graph], in_thread: Callable[..., Awaitable[Any]]) -> None:
        self._truth, self._graph, self._in_thread = truth, graph, in_thread
        self._failed_at, self._failure = -_PAUSE, ""

    async def followed(self, question: Question, filters: Filters, hits: Hits) -> list[Hit]:
        """The hits of this question with what one step further leads to."""
        tuning, scope = question.tuning.hop, question.scope
        seeds = Seeds.of(hits.ranked, tuning.seeds)
        weights, covered = await self._in_thread(self._of_seeds, question, seeds)
        covered = [each for each in covered if len(each.terms) < len(weights)]
        related = await self._related(covered, scope)
        if not related and not await self._in_thread(self._truth.has_edges, scope.project_id, scope.environment):
            raise GraphSkipped("graph_empty")
        asked, ways = Asked.of(weights, covered), list(_related_ways(covered, related, tuning.most))
        ways, there = await self._in_thread(self._of_ends, question, filters, hits, seeds, asked, ways)
        return merged(hits.ranked, arrivals(seeds, asked, ways, there, tuning))

    async def _related(self, covered: Sequence[Coverage], scope: Scope) -> list[Related]:
        from wekadocs_corpus.graph.interface import GraphDisabled

        if monotonic() - self._failed_at < _PAUSE:
            raise GraphSkipped(self._failure)
        nodes = list(dict.fromkeys(each.node_id for each in covered))[:100]
        try:
            async with asyncio.timeout(SECONDS):
                return await self._graph().related_sections(nodes, scope, shares=False)
        except GraphDisabled as error:
            raise GraphSkipped(OFF) from error
        except (Unavailable, TimeoutError) as error:
            self._failed_at = monotonic()
            log.warning("the graph cannot be asked: %s", str(error) or f"no answer within {SECONDS:g} s")
            self._failure = f"{OFF}: the graph does not answer now"
            raise GraphSkipped(self._failure) from error

    def _of_seeds(self, question: Question, seeds: Seeds) -> tuple[Mapping[int, float], list[Coverage]]:
        searched = question.searched
        weights = question.own_weights if question.rewrite else self._truth.weighted_within(question.scope, searched)
        return weights, self._truth.coverage_of_chunks(list(seeds.by_chunk), weights)

    def _of_ends(
        self, question: Question, filters: Filters, hits: Hits, seeds: Seeds, asked: Asked, ways: list[Way]
    ) -> tuple[list[Way], list[Coverage]]:
        ways = [*ways, *self._shared(question, hits, seeds, asked)]
        nodes = list(dict.fromkeys(way.node_id for way in ways))
        return ways, self._truth.coverage_of_nodes(nodes, asked.weights, question.scope, filters)

    def _shared(self, question: Question, hits: Hits, seeds: Seeds, asked: Asked) -> list[Way]:
        """Over names that have no page of their own, or that many pages define: none of them is an edge."""
        tuning, scope = question.tuning.hop, question.scope
        chunks = followed_by_name(seeds, asked, tuning)
        if not chunks:
            return []
        from wekadocs_corpus.graph.extraction.naming import concepts_named

        read = with_texts(self._truth, hits, chunks).read
        named = {chunk: concepts_named(read[chunk].text, scope) for chunk in chunks if chunk in read}
        naming = self._truth.sections_naming(sorted(set().union(*named.values())), scope, tuning.most_naming)
        return [
            way
            for chunk, concepts in named.items()
            for way in shared_ways(seeds.by_chunk[chunk], concepts, naming, tuning)
        ]


def _related_ways(covered: Sequence[Coverage], related: Sequence[Related], most: float) -> Iterator[Way]:
    """A seed stands for its section and for its document."""
    chunks: dict[str, list[str]] = {}
    for each in covered:
        chunks.setdefault(each.node_id, []).append(each.chunk_id)
    for seed, node in dict.fromkeys((each.seed_id, each.node.id) for each in related):
        for chunk in chunks.get(seed, ()):
            yield Way(chunk, node, 1.0, most)
