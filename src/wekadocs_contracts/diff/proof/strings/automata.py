"""Nondeterministic automata over code points, run as lazily built deterministic ones."""

from __future__ import annotations

from collections.abc import Callable

from . import charsets
from .charsets import CharSet
from .regex_parser import Alt, Chars, Edge, Look, Node, Repeat, Seq, Undecided

MAX_STATES = 3_000

# What stands before or after a position: the text's end, a word character, another character.
END, WORD, OTHER = 0, 1, 2
State = tuple[frozenset[int], int]


def kind(point: int) -> int:
    return WORD if charsets.has(charsets.WORD, point) else OTHER


class Automaton:
    """Accepts a string iff the tree matches somewhere in it."""

    def __init__(self, node: Node) -> None:
        self.jumps: list[list[tuple[str, int]]] = []
        self.moves: list[list[tuple[CharSet, int]]] = []
        self.sets: set[CharSet] = {charsets.WORD} if _has_word_edge(node) else set()
        self.words = bool(self.sets)
        self._steps: dict[tuple[State, int], State] = {}
        self._closures: dict[tuple[State, int], frozenset[int]] = {}
        first, self.last = self.state(), self.state()
        self.moves[first].append((charsets.ANY, first))
        self.moves[self.last].append((charsets.ANY, self.last))
        self.build(node, first, self.last)
        self.initial: State = (frozenset([first]), END)

    def state(self) -> int:
        if len(self.jumps) >= MAX_STATES:
            raise Undecided("automaton too large")
        self.jumps.append([])
        self.moves.append([])
        return len(self.jumps) - 1

    def build(self, node: Node, start: int, end: int) -> None:
        match node:
            case Chars(chars):
                self.sets.add(chars)
                self.moves[start].append((chars, end))
            case Edge(edge):
                self.jumps[start].append((edge, end))
            case Alt(options):
                for option in options:
                    self.build(option, start, end)
            case Seq(parts):
                self.chain([_builder(self, part) for part in parts], start, end)
            case Repeat(body, least, most):
                self.repeat(body, least, most, start, end)
            case Look():
                raise Undecided("lookahead inside a pattern")

    def chain(self, builders: list[Callable[[int, int], None]], start: int, end: int) -> None:
        for builder in builders:
            after = self.state()
            builder(start, after)
            start = after
        self.jumps[start].append(("", end))

    def repeat(self, body: Node, least: int, most: int | None, start: int, end: int) -> None:
        # A fresh state on both sides keeps a loop from leaking into what shares the states outside.
        inner = self.state()
        self.jumps[start].append(("", inner))
        for _ in range(least):
            inner = self.once(body, inner)
        if most is None:
            loop = self.once(body, inner)
            self.jumps[loop].append(("", inner))
        for _ in range((most or least) - least):
            self.jumps[inner].append(("", end))
            inner = self.once(body, inner)
        self.jumps[inner].append(("", end))

    def once(self, body: Node, start: int) -> int:
        after = self.state()
        self.build(body, start, after)
        return after

    def closure(self, state: State, after: int) -> frozenset[int]:
        key = (state, after)
        if key not in self._closures:
            self._closures[key] = self._reach(state[0], state[1], after)
        return self._closures[key]

    def _reach(self, states: frozenset[int], before: int, after: int) -> frozenset[int]:
        boundary = (before == WORD) != (after == WORD)
        passed = {"": True, "^": before == END, "$": after == END, "b": boundary, "B": not boundary}
        reached, todo = set(states), list(states)
        while todo:
            for edge, target in self.jumps[todo.pop()]:
                if passed[edge] and target not in reached:
                    reached.add(target)
                    todo.append(target)
        return frozenset(reached)

    def step(self, state: State, point: int) -> State:
        key = (state, point)
        if key not in self._steps:
            at = kind(point) if self.words else OTHER
            moved = frozenset(
                target
                for source in self.closure(state, at)
                for chars, target in self.moves[source]
                if charsets.has(chars, point)
            )
            # Once matched, always matched: the other threads no longer matter.
            done = self.last in moved
            self._steps[key] = (frozenset([self.last]) if done else moved, at)
        return self._steps[key]

    def accepts(self, state: State) -> bool:
        return self.last in self.closure(state, END)


def _builder(automaton: Automaton, node: Node) -> Callable[[int, int], None]:
    return lambda start, end: automaton.build(node, start, end)


def _has_word_edge(node: Node) -> bool:
    match node:
        case Edge(edge):
            return edge in ("b", "B")
        case Alt(parts) | Seq(parts):
            return any(_has_word_edge(part) for part in parts)
        case Repeat(body, _, _):
            return _has_word_edge(body)
        case Look(ahead, _):
            return _has_word_edge(ahead)
    return False
