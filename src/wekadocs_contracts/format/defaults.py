"""Defaults of a schema, filled in: what a handler gets where a caller said nothing, and which defaults cannot hold.

Built once per schema; a call only walks what it was given.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from .explain import Checker, Violation
from .schemas import Schema, at_pointer, resolved

_ABSENT = object()


class Filler:
    """Fills defaults through properties, items, allOf and $ref; never through anyOf, oneOf or if."""

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._nodes: dict[int, _Node] = {}
        self._keep: list[Schema] = []
        self.top = self._node(root)

    def fill(self, arguments: Mapping[str, object]) -> dict[str, Any]:
        return self.top.apply(arguments)  # type: ignore[no-any-return]

    def _node(self, schema: Schema) -> _Node:
        known = self._nodes.get(id(schema))
        if known is not None:
            return known
        node = self._nodes[id(schema)] = _Node()
        self._keep.append(schema)
        self._build(node, schema, set())
        return node

    def _build(self, node: _Node, schema: Schema, seen: set[str]) -> None:
        """What stands here comes before what stands behind allOf and $ref: the nearest default wins."""
        node.integer = node.integer or _integers_only(schema)
        for name, child in schema.get("properties", {}).items():
            if isinstance(child, dict):
                found = node.properties.setdefault(name, _Property())
                found.nodes.append(self._node(child))
                if found.default is _ABSENT:
                    found.default = resolved(self._root, child).get("default", _ABSENT)
        if isinstance(schema.get("items"), dict):
            node.items.append((len(schema.get("prefixItems", ())), self._node(schema["items"])))
        for part in schema.get("allOf", []):
            if isinstance(part, dict):
                self._build(node, part, seen)
        ref = schema.get("$ref")
        if isinstance(ref, str) and ref.startswith("#") and ref not in seen:
            target = at_pointer(self._root, ref[1:])
            if isinstance(target, dict):
                self._build(node, target, seen | {ref})


_LIMITS = frozenset(
    {"type", "enum", "const", "pattern", "format", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"}
    | {kind + what for kind in ("min", "max") for what in ("imum", "Length", "Items")}
)


def unfit_defaults(schema: Schema) -> list[Violation]:
    """Defaults that, filled in, break a limit wherever it stands: in allOf, behind $ref, in if."""
    found = Checker(schema).violations(Filler(schema).fill({}))
    return [each for each in found if each.pointer and each.keyword in _LIMITS]


def _integers_only(schema: Schema) -> bool:
    """Whether a number here can only be an integer, also one of several types."""
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    branches = [each for key in ("anyOf", "oneOf") for each in schema.get(key, []) if isinstance(each, dict)]
    if branches and not kinds:
        return any(map(_integers_only, branches)) and not any(each.get("type") == "number" for each in branches)
    return "integer" in kinds and "number" not in kinds


class _Node:
    """What to do with one value: make it an int, fill its properties, walk its items."""

    __slots__ = ("_gives", "integer", "items", "properties")

    def __init__(self) -> None:
        self.integer = False
        self.properties: dict[str, _Property] = {}
        self.items: list[tuple[int, _Node]] = []
        self._gives: bool | None = None

    @property
    def gives(self) -> bool:
        """Whether an absent object here is worth making: something in it has a default."""
        if self._gives is None:
            self._gives = False  # a recursive schema answers no on its second visit
            self._gives = any(each.default is not _ABSENT or each.gives for each in self.properties.values())
        return self._gives

    def apply(self, value: object, making: tuple[_Node, ...] = ()) -> Any:
        """`making`: the absent objects being made now; a recursive schema makes none inside itself."""
        if isinstance(value, dict):
            for name, each in self.properties.items():
                each.fill(value, name, making)
        elif isinstance(value, list):
            for first, child in self.items:
                value[first:] = [child.apply(item, making) for item in value[first:]]
        elif self.integer and isinstance(value, float) and value.is_integer():
            return int(value)
        return value


class _Property:
    """One name of an object: its default, and every schema that speaks of it."""

    __slots__ = ("default", "nodes")

    def __init__(self) -> None:
        self.default: Any = _ABSENT
        self.nodes: list[_Node] = []

    @property
    def gives(self) -> bool:
        return any(node.gives for node in self.nodes)

    def fill(self, holder: dict[str, object], name: str, making: tuple[_Node, ...]) -> None:
        if name not in holder:
            again = any(node in making for node in self.nodes)
            if self.default is not _ABSENT:
                holder[name] = copy.deepcopy(self.default)
            elif not again and self.gives:
                holder[name] = {}
            if again or name not in holder:
                return
            making = (*making, *self.nodes)
        for node in self.nodes:
            holder[name] = node.apply(holder[name], making)
