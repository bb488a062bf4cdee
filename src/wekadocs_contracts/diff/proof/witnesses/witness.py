"""The search for a value that used to work and no longer does, within a budget of steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from wekadocs_contracts.diff.proof import inclusion
from wekadocs_contracts.diff.proof.budget import Budget
from wekadocs_contracts.diff.proof.confirm import Judge
from wekadocs_contracts.diff.proof.normal.normalise import canonical_json

from .edits import Editor
from .hints import Hints, collect
from .members import MAX_CASES, SAMPLES, TYPES, Maker
from .shrink import shrink

MAX_SEEDS = 6
MAKING_STEPS = 1_500
SHRINKING_STEPS = 1_000
NOTHING: Any = object()
_ANYTHING = [SAMPLES[kind][0] for kind in TYPES]


def find(search: Search, budget: Budget, tries: int | None = None) -> Any:
    """A confirmed, shrunk witness, or NOTHING; looks at no more than `tries` candidates."""
    judge = search.judge
    for candidate in _while(budget, islice(search.candidates(), tries)):
        if judge.is_candidate(candidate) and judge.is_witness(candidate):
            return shrink(candidate, judge.is_witness, Budget(SHRINKING_STEPS))
    return NOTHING


def _while(budget: Budget, candidates: Iterable[object]) -> Iterator[Any]:
    for candidate in candidates:
        yield candidate
        if not budget.spend():
            return


class Search:
    """Candidates from the most natural to the most contrived."""

    def __init__(self, judge: Judge, difference: object, examples: Sequence[object], budget: Budget) -> None:
        self.judge = judge
        self.budget = budget
        self.difference = None if inclusion.is_bulky(difference) else difference
        self.examples = list(examples)
        values, other = judge.values, judge.judge
        self.hints: Hints = collect([values.raw, other.raw], examples)
        self.makers = (self.maker(values.schema), self.maker(other.schema))
        sides = (values.schema, other.schema, self.makers)
        self.editors = [Editor(*sides, deep=deep) for deep in (False, True)]
        self.directed = Editor(*sides, deep=False, everywhere=False)

    def maker(self, schema: object) -> Maker:
        definitions = schema.get("$defs", {}) if isinstance(schema, dict) else {}
        return Maker(definitions, self.hints, self.budget.part(MAKING_STEPS))

    def candidates(self) -> Iterator[Any]:
        seeds = list(islice(self.seeds(), MAX_SEEDS))
        yield from seeds
        first = _first_of_each_shape(seeds)
        for ground in first:
            yield from self.directed.edits(ground)
        yield from self.edited(first, deep=False)
        yield from self.from_difference
        grounds = [*seeds, *filter(self.judge.is_valid, self.from_difference)]
        yield from self.edited([ground for ground in grounds if not any(ground is f for f in first)], deep=False)
        yield from self.edited(grounds, deep=True)
        for deep in (False, True):
            for edited in self.edited(grounds, deep=deep):
                if self.judge.is_valid(edited):
                    yield from self.edited([edited], deep=False)

    def edited(self, grounds: Sequence[object], *, deep: bool) -> Iterator[Any]:
        for ground in grounds:
            yield from self.editors[deep].edits(ground)

    def seeds(self) -> Iterator[Any]:
        """Values that worked: given examples first, then ones made from defaults, enums and bounds."""
        seen: set[str] = set()
        for value in (*self.examples, *self.hints.get("", ()), *self.from_values, *_ANYTHING):
            key = canonical_json(value)
            if key not in seen and self.judge.is_valid(value):
                seen.add(key)
                yield value

    @cached_property
    def from_values(self) -> list[Any]:
        schema = self.judge.values.schema
        whole = _both(schema, self.judge.exempt)
        made = inclusion.simplified(whole) if inclusion.cases(whole) <= MAX_CASES else inclusion.UNKNOWN
        return self.made(made.schema if made.schema is not None else schema)

    @cached_property
    def from_difference(self) -> list[Any]:
        return [] if self.difference is None else self.made(self.difference)

    def made(self, schema: object) -> list[Any]:
        if not isinstance(schema, dict):
            return []
        return self.maker(schema).make({k: v for k, v in schema.items() if k != "$defs"})


def _first_of_each_shape(values: list[object]) -> list[Any]:
    found: dict[type, Any] = {}
    for value in values:
        found.setdefault(type(value) if isinstance(value, dict | list) else str, value)
    return list(found.values())


def _both(schema: object, exempt: object | None) -> Any:
    return conjunction(schema, exempt) if exempt is not None else schema


def conjunction(first: object, second: object) -> Any:
    """Both at once; their definitions must not share names."""
    parts = [
        {k: v for k, v in part.items() if k != "$defs"} if isinstance(part, dict) else part for part in (first, second)
    ]
    definitions: dict[str, Any] = {}
    for part in (first, second):
        definitions |= part.get("$defs", {}) if isinstance(part, dict) else {}
    return {"allOf": parts, "$defs": definitions}
