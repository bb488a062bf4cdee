"""Paths as the walk finds them, against looking at every way there is."""

from __future__ import annotations

import random
from collections.abc import Generator

import pytest

from wekadocs_corpus.graph import walk
from wekadocs_corpus.graph.interface import Path, Paths, Relation

Edges = dict[str, list[Relation]]


def made(seed: int) -> tuple[random.Random, list[str], Edges]:
    rng = random.Random(seed)
    ids = [f"{number:02d}" for number in range(rng.randint(2, 40))]
    edges: Edges = {}
    for _ in range(rng.randint(1, 120)):
        relation = Relation(rng.choice(ids), rng.choice("XYZ"), rng.choice(ids))
        for end in {relation.source, relation.target}:
            edges.setdefault(end, []).append(relation)
    return rng, ids, edges


def driven(edges: Edges, asking: Generator[tuple[str, ...], walk.Step, Paths]) -> Paths:
    try:
        asked = next(asking)
        while True:
            found = dict.fromkeys(edge for node in asked for edge in edges.get(node, ()))
            asked = asking.send(walk.Step(tuple(found)))
    except StopIteration as done:
        result: Paths = done.value
        return result


def every_shortest(edges: Edges, a: str, b: str, hops: int) -> list[Path]:
    ways: list[tuple[tuple[str, ...], tuple[str, ...]]] = [((a,), ())]
    for length in range(1, hops + 1):
        longer = {}
        for nodes, types in ways:
            for edge in edges.get(nodes[-1], ()):
                end = edge.target if edge.source == nodes[-1] else edge.source
                if end not in nodes:
                    known = longer.get((*nodes, end))
                    longer[*nodes, end] = min(known, (*types, edge.type)) if known else (*types, edge.type)
        found = [Path(length, nodes, types) for nodes, types in longer.items() if nodes[-1] == b]
        if found:
            return found
        ways = list(longer.items())[:3000]
    return []


@pytest.mark.parametrize("seed", range(60))
def test_the_walk_finds_what_looking_everywhere_finds_and_says_when_something_is_left_out(seed: int) -> None:
    rng, ids, edges = made(seed)
    a_ids, b_ids = (rng.sample(ids, rng.randint(1, min(len(ids), 4))) for _ in range(2))
    hops, most = rng.randint(1, 3), rng.choice([1, 2, 5, 50])
    every = sorted({path for a in a_ids for b in b_ids if a != b for path in every_shortest(edges, a, b, hops)})
    assert driven(edges, walk.paths(a_ids, b_ids, hops, most)) == Paths(tuple(every[:most]), len(every) > most)


def thicket(name: str) -> Edges:
    """Sixty nodes, each tied to half of the others."""
    edges: Edges = {}
    for one in range(30):
        for other in range(30, 60):
            relation = Relation(f"{name}{one}", "X", f"{name}{other}")
            for end in (relation.source, relation.target):
                edges.setdefault(end, []).append(relation)
    return edges


def test_a_walk_ends_when_it_has_looked_at_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    edges, ends = thicket("a") | thicket("b"), (["a0", "a1"], ["b0", "b1"])
    assert driven(edges, walk.paths(*ends, 5, 50)) == Paths((), truncated=False)
    monkeypatch.setattr(walk, "MAX_LOOKS", 500)
    assert driven(edges, walk.paths(*ends, 5, 50)) == Paths((), truncated=True)
