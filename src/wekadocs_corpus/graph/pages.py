"""What a walk found, as the page that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

from .interface import Neighbourhood, Node, Related, Relation
from .ties import Crossing
from .walk import Around, Step

Describe = Callable[[Sequence[str]], list[Node]]


def page_ids(found: Around, skip: int, limit: int) -> tuple[list[str], bool]:
    """The ids of one page, and whether another follows."""
    ordered = sorted((distance, each) for each, distance in found.distances.items() if distance)
    return [each for _, each in ordered[skip : skip + limit]], len(ordered) > skip + limit


def neighbourhood(found: Around, skip: int, limit: int, describe: Describe) -> Neighbourhood:
    ids, more = page_ids(found, skip, limit)
    nodes = describe(ids)
    shown = set(ids)
    edges = tuple(edge for edge in found.relations if _farther(found, edge.source, edge.target) in shown)
    among_seeds = (edge for edge in found.relations if not skip and _among_seeds(found, edge))
    distances = tuple(found.distances[node.id] for node in nodes)
    return Neighbourhood(tuple(nodes), distances, tuple(sorted({*edges, *among_seeds})), more, found.truncated)


def _farther(found: Around, source: str, target: str) -> str:
    return max((source, target), key=lambda each: found.distances[each])


def _among_seeds(found: Around, edge: Relation) -> bool:
    return found.distances[edge.source] == found.distances[edge.target] == 0


def related_ids(seeds: Mapping[str, Node], crossings: Iterable[Crossing], links: Step, limit_each: int) -> list[str]:
    """The nodes that `related` needs described."""
    return [row.other_id for row in related_rows(seeds, crossings, links, limit_each)]


def related(
    seeds: Mapping[str, Node], crossings: Iterable[Crossing], links: Step, limit_each: int, describe: Describe
) -> list[Related]:
    """Links first, then what entities tie, for each seed in the order asked."""
    kept = related_rows(seeds, crossings, links, limit_each)
    nodes = {node.id: node for node in describe([row.other_id for row in kept])}
    return [
        Related(row.seed_id, nodes[row.other_id], row.via, row.type, row.weight, row.spread)
        for row in kept
        if row.other_id in nodes and nodes[row.other_id].document_id != seeds[row.seed_id].document_id
    ]


def related_rows(seeds: Iterable[str], crossings: Iterable[Crossing], links: Step, limit_each: int) -> list[Crossing]:
    """For each seed in the order asked, links first."""
    rows: dict[str, list[Crossing]] = {seed: [] for seed in seeds}
    for edge in sorted(links.relations):
        for seed, other in ((edge.source, edge.target), (edge.target, edge.source)):
            if seed in rows and other != seed:
                rows[seed].append(Crossing(seed, other, "", "REFERENCES", 1.0, 1))
    for crossing in crossings:
        rows[crossing.seed_id].append(crossing)
    return [row for seed in rows for row in islice(rows[seed], limit_each)]
