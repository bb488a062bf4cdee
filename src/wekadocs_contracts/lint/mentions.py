"""Tools that contracts name: in the words that route a model, and as their successors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from wekadocs_contracts.format import templates
from wekadocs_contracts.format.contracts import Contract
from wekadocs_contracts.format.schemas import Schema
from wekadocs_contracts.format.source import Pointer

_MAJOR = re.compile(r"\.v[0-9]+$")
Elsewhere = Callable[[], Iterable[str]]  # names of tools that are not looked at here; asked only when one is missing


def nowhere() -> tuple[str, ...]:
    return ()


class Known:
    """Names of tools; those that are `elsewhere` are looked up when a name is not among the others."""

    def __init__(self, names: Iterable[str], elsewhere: Elsewhere = nowhere) -> None:
        self._names = set(names)
        self._elsewhere = elsewhere
        self._all: set[str] | None = None

    @property
    def all(self) -> set[str]:
        if self._all is None:
            self._all = self._names.union(self._elsewhere())
        return self._all

    def has(self, name: str) -> bool:
        bare = _MAJOR.sub("", name)
        return {name, bare} & self._names != set() or {name, bare} & self.all != set()

    def matched(self, pattern: str) -> bool:
        return any(fnmatchcase(name, pattern) for names in (self._names, self.all) for name in names)


def in_text(text: str, context: Callable[[Callable[[str], str]], Mapping[str, object]]) -> list[str]:
    """The names a template passes to tool(), in order."""
    named: list[str] = []

    def note(name: str) -> str:
        named.append(str(name))
        return str(name)

    if "tool" in text:
        templates.fault(text, context(note))  # whether it can be rendered is judged elsewhere
    return named


def in_contract(contract: Contract) -> Iterator[tuple[Pointer, str]]:
    """Every tool a contract names, with the place."""
    for part, text in contract.routing.items():
        for name in in_text(text, routing(contract.bounded_input, contract.budgets)):
            yield ("routing", part), name
    if contract.replaced_by:
        yield ("replaced_by",), contract.replaced_by


def routing(schema: Schema, budgets: Mapping[str, object]) -> Callable[[Callable[[str], str]], Mapping[str, Any]]:
    """What a routing text of this schema may cite, for whichever function names its tools."""
    return lambda tool: templates.routing_context(schema, budgets, tool)
