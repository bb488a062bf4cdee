"""Walks over a graph that lives elsewhere: each yields the nodes whose edges it needs and is sent them.

One text of the algorithms for every store: SQLite answers within its thread, Neo4j over the network.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from .interface import MAX_VISITED, Path, Paths, Relation


@dataclass(frozen=True)
class Step:
    """The edges of the nodes asked for, as far as they may be seen."""

    relations: Sequence[Relation]
    cut: bool = False  # some node had more than FAN_OUT of a type


@dataclass(frozen=True)
class Around:
    """What a neighbourhood walk found; ids by distance, then id."""

    distances: dict[str, int]
    relations: tuple[Relation, ...]
    truncated: bool


def around(seeds: Sequence[str], hops: int, enough: int) -> Generator[tuple[str, ...], Step, Around]:
    """Breadth first, level by level; ends after the level that has enough nodes.

    Only edges between one level and the next are kept (and those among the seeds): which edges a page shows must not
    depend on how far the walk went for it.
    """
    distances = dict.fromkeys(seeds, 0)
    relations: set[Relation] = set()
    truncated = False
    frontier = tuple(sorted(distances))
    for hop in range(1, hops + 1):
        if not frontier or len(distances) - len(seeds) >= enough:
            break
        step = yield frontier
        truncated |= step.cut
        level = sorted({end for edge in step.relations for end in (edge.source, edge.target)} - distances.keys())
        room = MAX_VISITED - len(distances)
        truncated |= len(level) > room
        distances.update(dict.fromkeys(level[:room], hop))
        relations.update(edge for edge in step.relations if _leads_out(edge, distances, hop))
        frontier = tuple(level[:room])
    return Around(distances, tuple(sorted(relations)), truncated)


def _leads_out(edge: Relation, distances: dict[str, int], hop: int) -> bool:
    ends = {distances.get(edge.source), distances.get(edge.target)}
    return ends == {hop - 1, hop} or (hop == 1 and ends == {0})


@dataclass
class _Ball:
    """What is within some hops of one node; `towards` leads back to it."""

    start: str
    level: tuple[str, ...]
    depth: int = 0
    towards: dict[str, dict[str, str]] = field(default_factory=dict)  # node → node nearer to the start → type

    def __post_init__(self) -> None:
        self.towards[self.start] = {}


class _Adjacency:
    """Edges asked for once, whichever walk needs them."""

    def __init__(self) -> None:
        self.known: dict[str, list[tuple[str, str]]] = {}
        self.truncated = False

    def missing(self, nodes: Sequence[str]) -> tuple[str, ...]:
        wanted = [node for node in nodes if node not in self.known]
        room = MAX_VISITED - len(self.known)
        self.truncated |= len(wanted) > room
        return tuple(wanted[:room])

    def learn(self, asked: tuple[str, ...], step: Step) -> None:
        self.truncated |= step.cut
        for node in asked:
            self.known[node] = []
        for edge in step.relations:
            for near, far in ((edge.source, edge.target), (edge.target, edge.source)):
                if near in self.known and near in asked:
                    self.known[near].append((far, edge.type))


def paths(
    a_ids: Sequence[str], b_ids: Sequence[str], max_hops: int, max_paths: int
) -> Generator[tuple[str, ...], Step, Paths]:
    """All shortest paths of every pair, from both ends towards the middle."""
    adjacency = _Adjacency()
    found: list[Path] = []
    asked = adjacency.missing(list(dict.fromkeys([*a_ids, *b_ids])))
    if asked and a_ids and b_ids:
        adjacency.learn(asked, (yield asked))  # all ends at once: each question may be a round trip
    for a in a_ids:
        for b in b_ids:
            if a != b:
                pair = yield from _shortest(a, b, adjacency, max_hops)
                found += islice(pair, max_paths)
    return Paths(tuple(sorted(set(found))[:max_paths]), adjacency.truncated)


def _shortest(a: str, b: str, adjacency: _Adjacency, max_hops: int) -> Generator[tuple[str, ...], Step, Iterator[Path]]:
    one, other = _Ball(a, (a,)), _Ball(b, (b,))
    while not (middle := set(one.level) & set(other.level)):
        if one.depth + other.depth >= max_hops or not one.level or not other.level:
            return iter(())
        smaller = one if len(one.level) <= len(other.level) else other
        yield from _grow(smaller, adjacency)
    return _enumerate(one, other, middle)


def _grow(ball: _Ball, adjacency: _Adjacency) -> Generator[tuple[str, ...], Step, None]:
    asked = adjacency.missing(ball.level)
    if asked:
        adjacency.learn(asked, (yield asked))
    reached: dict[str, dict[str, str]] = {}
    for node in ball.level:
        for far, kind in adjacency.known.get(node, ()):
            if far not in ball.towards:
                nearer = reached.setdefault(far, {})
                nearer[node] = min(kind, nearer.get(node, kind))
    ball.towards.update(reached)
    ball.level, ball.depth = tuple(sorted(reached)), ball.depth + 1


def _enumerate(one: _Ball, other: _Ball, middle: set[str]) -> Iterator[Path]:
    """Paths in the order of their nodes' ids."""
    onward: dict[str, dict[str, str]] = {}
    for node, nearer in _leading_to(one, middle):
        for previous, kind in nearer.items():
            onward.setdefault(previous, {})[node] = kind
    for node, nearer in _leading_to(other, middle):
        for following, kind in nearer.items():
            onward.setdefault(node, {})[following] = kind
    stack: list[tuple[tuple[str, ...], tuple[str, ...]]] = [((one.start,), ())]
    while stack:
        nodes, types = stack.pop()
        if nodes[-1] == other.start:
            yield Path(len(types), nodes, types)
            continue
        for following in sorted(onward.get(nodes[-1], {}), reverse=True):
            stack.append(((*nodes, following), (*types, onward[nodes[-1]][following])))


def _leading_to(ball: _Ball, middle: set[str]) -> Iterator[tuple[str, dict[str, str]]]:
    todo, seen = list(middle), set(middle)
    while todo:
        node = todo.pop()
        nearer = ball.towards[node]
        yield node, nearer
        todo += [each for each in nearer if each not in seen]
        seen.update(nearer)
