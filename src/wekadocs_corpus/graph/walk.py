"""Walks over a graph that lives elsewhere: each yields the nodes whose edges it needs and is sent them.

One text of the algorithms for every store: SQLite answers within its thread, Neo4j over the network. What a walk may
look at is counted, not timed: the same question is cut at the same place everywhere.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import Any, TypeVar

from .interface import MAX_EDGES, MAX_LOOKS, MAX_VISITED, TOGETHER, Direction, Path, Paths, Relation

_AT_ONCE = 100  # nodes of one question: between two of them a walk can be ended


@dataclass(frozen=True)
class Step:
    """The edges of the nodes asked for, as far as they may be seen."""

    relations: Sequence[Relation]
    cut: bool = False  # some node had more than FAN_OUT of a type


Many = TypeVar("Many", bound=Collection[Any])
Asking = Generator[tuple[str, ...], Step, Step]


@dataclass
class _Allowance:
    """How many edges a walk may still look at."""

    left: int = MAX_EDGES

    @property
    def spent(self) -> bool:
        return self.left <= 0

    def ask(self, nodes: Sequence[str]) -> Asking:
        """The edges of many nodes, a few at a time, while the allowance lasts."""
        found: dict[Relation, None] = {}
        cut = False
        for start in range(0, len(nodes), _AT_ONCE):
            if self.spent:
                return Step(tuple(found), cut=True)
            step = yield tuple(nodes[start : start + _AT_ONCE])
            self.left -= len(step.relations)
            found.update(dict.fromkeys(step.relations))
            cut |= step.cut
        return Step(tuple(found), cut)


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
    truncated, allowance = False, _Allowance()
    frontier = tuple(sorted(distances))
    for hop in range(1, hops + 1):
        if not frontier or len(distances) - len(seeds) >= enough:
            break
        step = yield from allowance.ask(frontier)
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


@dataclass(eq=False)
class _Ball:
    """What is around one node, level by level; `towards` leads back to it."""

    start: str
    way: Direction = "both"  # how edges are followed from the start
    levels: list[tuple[str, ...]] = field(default_factory=list)
    towards: dict[str, dict[str, str]] = field(default_factory=dict)  # node → node nearer to the start → type

    def __post_init__(self) -> None:
        self.levels.append((self.start,))
        self.towards[self.start] = {}


@dataclass
class _Pair:
    """Two balls that grow towards each other, each as far as this pair needs it."""

    one: _Ball
    other: _Ball
    depths: tuple[int, int] = (0, 0)

    @property
    def levels(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return self.one.levels[self.depths[0]], self.other.levels[self.depths[1]]

    def smaller(self) -> tuple[_Ball, int]:
        """The ball that is cheaper to grow, and from which level."""
        near, far = self.levels
        return (self.one, self.depths[0]) if len(near) <= len(far) else (self.other, self.depths[1])

    def further(self) -> None:
        first = self.smaller()[0] is self.one
        self.depths = (self.depths[0] + first, self.depths[1] + (not first))


class _Walk:
    """Edges asked for once and balls grown once, whichever pairs need them."""

    def __init__(self) -> None:
        self.known: dict[str, list[tuple[str, str, Direction]]] = {}  # node → far end, type, how the edge leaves it
        self.allowance = _Allowance()
        self._looks = MAX_LOOKS
        self.truncated = False

    def learn(self, nodes: Sequence[str]) -> Generator[tuple[str, ...], Step, None]:
        wanted = [node for node in dict.fromkeys(nodes) if node not in self.known]
        room = MAX_VISITED - len(self.known)
        asked = wanted[:room]
        step = yield from self.allowance.ask(asked)
        self.truncated |= len(wanted) > room or step.cut
        self.known.update({node: [] for node in asked})
        new = frozenset(asked)
        for edge in step.relations:
            sides: tuple[tuple[str, str, Direction], ...] = (
                (edge.source, edge.target, "out"),
                (edge.target, edge.source, "in"),
            )
            for near, far, way in sides:
                if near in new:
                    self.known[near].append((far, edge.type, "both" if edge.type == TOGETHER else way))

    def grow(self, pairs: Sequence[_Pair]) -> Generator[tuple[str, ...], Step, None]:
        """Every pair by one hop."""
        growing = dict.fromkeys(pair.smaller() for pair in pairs)
        todo = [ball for ball, depth in growing if len(ball.levels) == depth + 1]
        yield from self.learn([node for ball in todo for node in ball.levels[-1]])
        for ball in todo:
            self._grow(ball)
        for pair in pairs:
            pair.further()

    def _grow(self, ball: _Ball) -> None:
        reached: dict[str, dict[str, str]] = {}
        for node in ball.levels[-1]:
            edges = self.looked_at(self.known.get(node, ()))
            for far, kind, way in edges:
                if far not in ball.towards and (ball.way == way or "both" in (ball.way, way)):
                    nearer = reached.setdefault(far, {})
                    nearer[node] = min(kind, nearer.get(node, kind))
        ball.towards.update(reached)
        ball.levels.append(tuple(sorted(reached)))

    def looked_at(self, items: Many) -> Many | tuple[()]:
        """The items, or none when enough was looked at; then something is left out."""
        self._looks -= len(items)
        if self._looks >= 0:
            return items
        self.truncated = True
        return ()

    @property
    def over(self) -> bool:
        return self._looks < 0 or self.allowance.spent

    def met(self, pair: _Pair) -> set[str]:
        near, far = sorted(pair.levels, key=len)
        return set(self.looked_at(near)).intersection(far)


_BACK: dict[Direction, Direction] = {"out": "in", "in": "out", "both": "both"}


def paths(
    a_ids: Sequence[str], b_ids: Sequence[str], max_hops: int, max_paths: int, direction: Direction = "both"
) -> Generator[tuple[str, ...], Step, Paths]:
    """All shortest paths of every pair, from both ends towards the middle; all pairs at once, one hop after the other.

    The shortest come first, so that the walk ends as soon as more are found than are wanted. `direction` says how edges
    may be followed from a to b; each step is asked for both ways, because the other end looks back.
    """
    walk = _Walk()
    ones, others = (
        {each: _Ball(each, way) for each in ids} for ids, way in ((a_ids, direction), (b_ids, _BACK[direction]))
    )
    if direction == "both":
        others = others | ones  # one ball serves both sides
    pairs = [_Pair(ones[a], others[b]) for a in sorted(a_ids) for b in sorted(b_ids) if a != b]
    found: set[Path] = set()
    if pairs:
        yield from walk.learn([*a_ids, *b_ids])  # all ends at once: each question may be a round trip
    for _ in range(max_hops):
        if not pairs or walk.over or len(found) > max_paths:
            break
        yield from walk.grow(pairs)
        pairs = _meet(walk, pairs, found, max_paths)
    truncated = walk.truncated or len(found) > max_paths or bool(pairs and walk.over)
    return Paths(tuple(sorted(found)[:max_paths]), truncated)


def _meet(walk: _Walk, pairs: Sequence[_Pair], found: set[Path], wanted: int) -> list[_Pair]:
    """Adds the paths of those that have met; the others go on.

    Of equal length, paths are in the order of their nodes: those that begin with a later node are not needed when
    there are more than enough already.
    """
    still: list[_Pair] = []
    for _, group in groupby(pairs, key=lambda pair: pair.one.start):
        if len(found) > wanted:
            break
        for pair in group:
            middle = walk.met(pair)
            if middle:
                found.update(islice(_enumerate(walk, pair, middle), wanted + 1))
            elif all(pair.levels):
                still.append(pair)
    return still


def _enumerate(walk: _Walk, pair: _Pair, middle: set[str]) -> Iterator[Path]:
    """Paths in the order of their nodes' ids."""
    onward: dict[str, dict[str, str]] = {}
    for node, nearer in _leading_to(walk, pair.one, middle):
        for previous, kind in nearer.items():
            onward.setdefault(previous, {})[node] = kind
    for node, nearer in _leading_to(walk, pair.other, middle):
        for following, kind in nearer.items():
            onward.setdefault(node, {})[following] = kind
    stack: list[tuple[tuple[str, ...], tuple[str, ...]]] = [((pair.one.start,), ())]
    while stack:
        nodes, types = stack.pop()
        if nodes[-1] == pair.other.start:
            yield Path(len(types), nodes, types)
            continue
        ways = onward.get(nodes[-1], {})
        for following in sorted(walk.looked_at(ways), reverse=True):
            stack.append(((*nodes, following), (*types, ways[following])))


def _leading_to(walk: _Walk, ball: _Ball, middle: set[str]) -> Iterator[tuple[str, dict[str, str]]]:
    todo, seen = list(middle), set(middle)
    while todo:
        node = todo.pop()
        nearer = ball.towards[node]
        yield node, nearer
        todo += [each for each in walk.looked_at(nearer) if each not in seen]
        seen.update(nearer)
