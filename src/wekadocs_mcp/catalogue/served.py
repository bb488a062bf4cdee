"""What one deployment serves: each tool in the form it was given, and all of them by name."""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from wekadocs_contracts.format import templates
from wekadocs_contracts.format.contracts import Contract, wire_form
from wekadocs_contracts.format.defaults import Filler
from wekadocs_contracts.format.explain import Checker
from wekadocs_contracts.format.schemas import Schema, properties
from wekadocs_contracts.problems import HOST_CODES, nearest
from wekadocs_mcp.calls.running import is_coroutine
from wekadocs_mcp.calls.turns import Places
from wekadocs_mcp.plugins.binding import Binding, arguments_of
from wekadocs_mcp.plugins.importing import Plugin
from wekadocs_mcp.plugins.tools import Handler


@dataclass(frozen=True)
class Disabled:
    """Why a tool refuses client calls, and which switch would change that."""

    why: str
    switch: str


@dataclass(eq=False)
class ServedTool:
    """One major of one tool, as this deployment serves it."""

    contract: Contract
    name: str
    plugin: Plugin
    handler: Handler | None
    input: Schema
    describe: Callable[[], str]
    title: str
    budgets: dict[str, Any]
    response_bytes: int
    places: Places
    limits: Mapping[str, int] = field(default_factory=dict)
    listed: bool = True
    disabled: Disabled | None = None

    @property
    def running(self) -> int:
        return self.places.taken

    @functools.cached_property
    def description(self) -> str:
        """Rendered when a list is asked for: a start from a compiled surface has it in the list already."""
        return self.describe()

    @functools.cached_property
    def check_input(self) -> Checker:
        return Checker(self.input)

    @functools.cached_property
    def check_output(self) -> Checker | None:
        return Checker(self.contract.output) if self.contract.output is not None else None

    @functools.cached_property
    def filler(self) -> Filler:
        return Filler(self.input)

    @functools.cached_property
    def codes(self) -> frozenset[str] | None:
        """What may be raised: the contract's, and the host's own, by whichever name."""
        return None if self.contract.codes is None else HOST_CODES | self.contract.codes

    @functools.cached_property
    def is_async(self) -> bool:
        return self.handler is not None and is_coroutine(self.handler)

    @functools.cached_property
    def has_scope(self) -> bool:
        return "scope" in properties(self.input)

    @functools.cached_property
    def mirrors_arguments(self) -> bool:
        """Whether the schema may ask for an argument in a header too; wherever in it the word stands."""
        return '"x-mcp-header"' in json.dumps(self.input)

    @functools.cached_property
    def binding(self) -> Binding:
        assert self.handler is not None
        return Binding.of(self.handler, arguments_of(self.input))

    @functools.cached_property
    def text_template(self) -> Any:
        return templates.answers().from_string(self.contract.text) if self.contract.text else None

    @functools.cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(_property_names(self.input))

    def known_part(self, pointer: object) -> str:
        """A pointer into the arguments as far as the contract has its names: the rest is a caller's own words."""
        parts = pointer.split("/")[1:] if isinstance(pointer, str) else []
        known = [*itertools.takewhile(lambda part: part in self._names or (part.isdecimal() and len(part) < 6), parts)]
        return "".join(f"/{part}" for part in (*known, *(["…"] if len(known) < len(parts) else [])))

    def undeclared(self, arguments: Mapping[str, object]) -> int:
        """How many arguments were given that the contract does not name; it may let them pass."""
        return len(arguments.keys() - properties(self.input).keys())

    def wire(self, structured: bool) -> dict[str, Any]:
        """The tool as tools/list shows it."""
        return wire_form(self.contract, self.name, self.title, self.description, self.input, structured)


def _property_names(schema: object) -> Iterator[str]:
    if isinstance(schema, Mapping):
        named = schema.get("properties")
        yield from named if isinstance(named, Mapping) else ()
    for each in schema.values() if isinstance(schema, Mapping) else schema if isinstance(schema, list) else ():
        yield from _property_names(each)


@dataclass
class Catalogue:
    """Everything one deployment serves. Immutable by convention: a reload makes a new one."""

    tools: list[ServedTool] = field(default_factory=list)
    callable: dict[str, ServedTool] = field(default_factory=dict)
    by_contract: dict[str, ServedTool] = field(default_factory=dict)
    # Of names with several dots, the underscore form → the dotted one: what lies between is answered too.
    dotted: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    @property
    def listed(self) -> list[ServedTool]:
        return sorted((tool for tool in self.tools if tool.listed and not tool.disabled), key=lambda tool: tool.name)

    def find(self, name: str) -> ServedTool | None:
        """A tool by any of its spellings; each dot of a name may be written as an underscore."""
        found = self.callable.get(name)
        if found is not None or "." not in name:
            return found
        dotted = self.dotted.get(name.replace(".", "_"), "")
        mixed = len(dotted) == len(name) and all(
            wanted in (given, ".") for given, wanted in zip(name, dotted, strict=True)
        )
        return self.callable.get(dotted) if mixed else None

    def suggestion(self, name: str) -> str | None:
        return nearest(name, [tool.name for tool in self.listed]) or nearest(name, self.callable)
