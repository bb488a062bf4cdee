"""What a passage that a hop leads to is worth, and where it comes among those that were found.

A good hit lacks part of the question, and something that it links to, defines or is named by has that part, or names
what it names and hardly anybody else does. Such a neighbour comes some way behind its seed:

    seed · min(most, 1.2 · (½ · tie + share of what the seed lacks) · min(1, 3 · lacked) · (1 - still open))

All shares are by rarity of the question's words. A seed that has all of them leads nowhere, so a plain question keeps
its answer. What another leading seed has is not open: of two things that a question compares each has its own page,
and its own second page. The numbers are those of `HopTuning`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wekadocs_corpus.tuning import HopTuning

from .hits import Hit, in_order

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.rows import Coverage, Naming

_MOST_SHARED = 50  # ends that one seed's names lead to: as many as the graph's


@dataclass(frozen=True)
class Seeds:
    """The best hit of each of the first documents."""

    by_chunk: Mapping[str, Hit]

    @classmethod
    def of(cls, hits: Sequence[Hit], most: int) -> Seeds:
        first: dict[str, Hit] = {}
        for hit in hits:
            first.setdefault(hit.document_id, hit)
        return cls({hit.chunk_id: hit for hit in list(first.values())[:most]})

    def leading(self, share: float) -> frozenset[str]:
        """The chunks that have at least this share of the best one's score."""
        least = share * max((hit.score for hit in self.by_chunk.values()), default=0.0)
        return frozenset(chunk for chunk, hit in self.by_chunk.items() if hit.score >= least)


@dataclass(frozen=True)
class Way:
    """From a chunk to a section or document."""

    chunk_id: str
    node_id: str
    tie: float  # 1 for a link or a page's own name; less for a name that more of them share
    most: float  # of the seed's score


@dataclass(frozen=True)
class Arrival:
    """A chunk that a hop leads to."""

    chunk_id: str
    document_id: str
    score: float


@dataclass(frozen=True)
class Asked:
    """The question's terms by weight, and of each seed that lacks some which it has and how much it lacks."""

    weights: Mapping[int, float]
    whole: float
    had: Mapping[str, frozenset[int]]  # by chunk
    lacked: Mapping[str, float]

    @classmethod
    def of(cls, weights: Mapping[int, float], covered: Iterable[Coverage]) -> Asked:
        had = {each.chunk_id: each.terms for each in covered}
        lacked = {chunk: sum(weights[term] for term in weights.keys() - terms) for chunk, terms in had.items()}
        return cls(weights, sum(weights.values()), had, lacked)

    def weight(self, terms: Iterable[int]) -> float:
        return sum(self.weights[term] for term in terms)

    def elsewhere(self, chunk: str, leading: Iterable[str]) -> frozenset[int]:
        """What the other leading seeds have."""
        return frozenset().union(*(self.had.get(other, ()) for other in leading if other != chunk))


def followed_by_name(seeds: Seeds, asked: Asked, tuning: HopTuning) -> list[str]:
    """The chunks whose names are looked up elsewhere: they lead, and much of the question is not in them."""
    leading = seeds.leading(tuning.lead)
    return [chunk for chunk in asked.had if chunk in leading and asked.lacked[chunk] >= tuning.open * asked.whole]


def shared_ways(seed: Hit, concepts: Iterable[str], naming: Iterable[Naming], tuning: HopTuning) -> list[Way]:
    """To where others name what the seed names, the rarest name first."""
    named, wanted = defaultdict(list), frozenset(concepts)
    for each in naming:
        if each.concept in wanted:
            named[each.concept].append(each)
    ties: dict[str, float] = {}
    for places in named.values():
        documents = {each.document_id for each in places}
        if seed.document_id in documents:
            for each in places:
                if each.document_id != seed.document_id:
                    ties[each.node_id] = max(ties.get(each.node_id, 0.0), 1 / (len(documents) - 1))
    ranked = sorted(ties.items(), key=lambda tied: (-tied[1], tied[0]))[:_MOST_SHARED]
    return [Way(seed.chunk_id, node, tie, tuning.most_shared) for node, tie in ranked]


def arrivals(
    seeds: Seeds, asked: Asked, ways: Iterable[Way], there: Iterable[Coverage], tuning: HopTuning
) -> Iterator[Arrival]:
    """Every chunk of every end, as far as it is another document's."""
    leading = seeds.leading(tuning.lead)
    elsewhere = {chunk: asked.elsewhere(chunk, leading) for chunk in asked.had}
    ends: dict[str, list[Coverage]] = {}
    for each in there:
        ends.setdefault(each.node_id, []).append(each)
    for way in ways:
        seed = seeds.by_chunk[way.chunk_id]
        for end in ends.get(way.node_id, ()):
            if end.document_id != seed.document_id:
                worth = _worth(asked, way, end.terms, elsewhere[way.chunk_id], tuning)
                yield Arrival(end.chunk_id, end.document_id, seed.score * worth)


def _worth(asked: Asked, way: Way, there: frozenset[int], elsewhere: frozenset[int], tuning: HopTuning) -> float:
    """What of a seed's score its neighbour gets."""
    here, whole, lacked = asked.had[way.chunk_id], asked.whole, asked.lacked[way.chunk_id]
    if not lacked or not whole:
        return 0.0
    gained = asked.weight(there - here)
    still_open = asked.weight(asked.weights.keys() - here - there - elsewhere)
    wanted = tuning.steep * (tuning.unasked * way.tie + gained / lacked) * min(1.0, tuning.lacking * lacked / whole)
    return min(way.most, wanted * (1 - still_open / whole))


def merged(hits: Sequence[Hit], arrived: Iterable[Arrival]) -> list[Hit]:
    """A document that was found keeps its passage and may rise; another one comes in with the passage arrived at."""
    best: dict[str, Arrival] = {}
    for arrival in arrived:
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
