"""The most central nodes: by how many links come in or go out, or by PageRank."""

from __future__ import annotations

from typing import Literal

from .edges import Edges

Metric = Literal["in_degree", "out_degree", "pagerank"]
_DAMPING, _MOST_ROUNDS, _CLOSE = 0.85, 100, 1e-10


async def hubs(edges: Edges, nodes: list[str], metric: Metric, limit: int) -> list[tuple[str, int | float]]:
    """`nodes`: all of them, for PageRank. Equal ones by id."""
    if metric == "pagerank":
        ranks = page_ranks(nodes, await edges.all())
        return [*sorted(ranks.items(), key=lambda each: (-each[1], each[0]))[:limit]]
    return [*await edges.most("in" if metric == "in_degree" else "out", limit)]


def page_ranks(nodes: list[str], edges: list[tuple[str, str]]) -> dict[str, float]:
    """They add up to 1; a node that links nowhere shares with all."""
    import numpy as np

    if not nodes:
        return {}
    place = {id: number for number, id in enumerate(nodes)}
    pairs = [(place[a], place[b]) for a, b in edges if a in place and b in place]
    ends = np.asarray(pairs, np.int64).reshape(-1, 2)
    sources, targets = ends[:, 0], ends[:, 1]
    degree = np.bincount(sources, minlength=len(nodes))
    ranks = np.full(len(nodes), 1.0 / len(nodes))
    for _ in range(_MOST_ROUNDS):
        share = ranks / np.maximum(degree, 1)
        moved = np.bincount(targets, share[sources], len(nodes))
        new = (1 - _DAMPING) / len(nodes) + _DAMPING * (moved + ranks[degree == 0].sum() / len(nodes))
        done = float(np.abs(new - ranks).sum()) < _CLOSE
        ranks = new
        if done:
            break
    return {id: round(float(ranks[number]), 8) for id, number in place.items()}
