"""The second hop: from what words and vectors found, over links and names, to the passages these point at.

A question may need a page that it does not name. Then a good hit lacks part of the question, and something that it
links to, defines or is named by has that part. Such a neighbour comes some way behind its seed:

    seed · min(.8, 1.2 · (½ + share of what the seed lacks) · min(1, 3 · lacked) · covered by both)

All shares are by rarity of the question's words. A seed that has all of them leads nowhere, so a plain question keeps
its answer. The numbers are those of `HopTuning`.
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
from wekadocs_corpus.tuning import HopTuning

from .hits import Hit, Hits, in_order

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
            found = await self.hops.followed(question, self.filters, hits.ranked)
        except GraphSkipped as reason:
            return hits.without(str(reason))
        return replace(hits, ranked=found[: self.count], graph=True).timed("graph", began)


class Hops:
    """Follows the graph for one corpus."""

    def __init__(self, truth: Truth, graph: Callable[[], Graph], in_thread: Callable[..., Awaitable[Any]]) -> None:
        self._truth, self._graph, self._in_thread = truth, graph, in_thread
        self._failed_at, self._failure = -_PAUSE, ""

    async def followed(self, question: Question, filters: Filters, hits: Sequence[Hit]) -> list[Hit]:
        """The hits of this question with what one step further leads to."""
        seeds, scope = _Seeds.of(hits, question.tuning.hop.seeds), question.scope
        weights, covered = await self._in_thread(self._of_seeds, question, seeds)
        covered = [each for each in covered if len(each.terms) < len(weights)]
        related = await self._related(covered, scope)
        if not related and not await self._in_thread(self._truth.has_edges, scope.project_id, scope.environment):
            raise GraphSkipped("graph_empty")
        ends = [each.node.id for each in related]
        there = await self._in_thread(self._of_ends, ends, weights, scope, filters)
        return merged(hits, _arrivals(seeds, covered, related, there, weights, question.tuning.hop))

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

    def _of_seeds(self, question: Question, seeds: _Seeds) -> tuple[Mapping[int, float], list[Coverage]]:
        searched = question.searched
        weights = question.weights if question.rewrite else self._truth.weighted_within(question.scope, searched)
        return weights, self._truth.coverage_of_chunks(list(seeds.by_chunk), weights)

    def _of_ends(
        self, nodes: Sequence[str], weights: Mapping[int, float], scope: Scope, filters: Filters
    ) -> list[Coverage]:
        return self._truth.coverage_of_nodes(nodes, weights, scope, filters)


@dataclass(frozen=True)
class _Seeds:
    """The best hit of each of the first documents."""

    by_chunk: Mapping[str, Hit]

    @classmethod
    def of(cls, hits: Sequence[Hit], most: int) -> _Seeds:
        first: dict[str, Hit] = {}
        for hit in hits:
            first.setdefault(hit.document_id, hit)
        return cls({hit.chunk_id: hit for hit in list(first.values())[:most]})


@dataclass(frozen=True)
class Arrival:
    """A chunk that a hop leads to."""

    chunk_id: str
    document_id: str
    score: float


def _arrivals(
    seeds: _Seeds,
    covered: Sequence[Coverage],
    related: Sequence[Related],
    there: Sequence[Coverage],
    weights: Mapping[int, float],
    tuning: HopTuning,
) -> Iterator[Arrival]:
    origins: dict[str, list[Coverage]] = {}
    for each in covered:
        origins.setdefault(each.node_id, []).append(each)
    ends: dict[str, list[Coverage]] = {}
    for each in there:
        ends.setdefault(each.node_id, []).append(each)
    for seed, node in dict.fromkeys((each.seed_id, each.node.id) for each in related):
        for origin in origins.get(seed, ()):
            for end in ends.get(node, ()):
                if end.document_id != origin.document_id:
                    score = seeds.by_chunk[origin.chunk_id].score * _worth(origin.terms, end.terms, weights, tuning)
                    yield Arrival(end.chunk_id, end.document_id, score)


def _worth(here: frozenset[int], there: frozenset[int], weights: Mapping[int, float], tuning: HopTuning) -> float:
    """What of a seed's score its neighbour gets."""
    whole = sum(weights.values())
    lacked = sum(weight for term, weight in weights.items() if term not in here)
    if not lacked or not whole:
        return 0.0
    gained = sum(weights[term] for term in there - here)
    wanted = tuning.steep * (tuning.unasked + gained / lacked) * min(1.0, tuning.lacking * lacked / whole)
    return min(tuning.most, wanted * (1 - (lacked - gained) / whole))


def merged(hits: Sequence[Hit], arrivals: Iterator[Arrival]) -> list[Hit]:
    """A document that was found keeps its passage and may rise; another one comes in with the passage arrived at."""
    best: dict[str, Arrival] = {}
    for arrival in arrivals:
        known = best.get(arrival.document_id)
        if known is None or (-arrival.score, arrival.chunk_id) < (-known.score, known.chunk_id):
            best[arrival.document_id] = arrival
    kept = [_raised(hit, best.pop(hit.document_id, None)) for hit in hits]
    new = [Hit(each.chunk_id, each.document_id, each.score, "graph_expanded") for each in best.values() if each.score]
    return in_order([*kept, *new])


def _raised(hit: Hit, arrival: Arrival | None) -> Hit:
    if arrival is None or arrival.score <= hit.score:
        return hit
    return hit._replace(score=arrival.score, source="graph_expanded")
