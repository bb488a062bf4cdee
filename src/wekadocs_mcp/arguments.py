"""From what a caller sent to what a handler gets: aliases, integral floats, defaults.

Built once per contract; a call only walks what it was given.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from .errors import ToolError
from .explain import at_pointer
from .schemas import Schema, resolved

_ABSENT = object()
Fill = Callable[[Any], Any]


def apply_aliases(arguments: Mapping[str, Any], aliases: Mapping[str, str]) -> dict[str, Any]:
    """Rename what models write by mistake; an alias and its name together are ambiguous."""
    renamed = dict(arguments)
    for alias, name in aliases.items():
        if alias in renamed:
            if name in renamed:
                message = f"`{alias}` means `{name}`, and both were given: pass `{name}` only."
                raise ToolError("INVALID_ARGUMENT", message, {"path": f"/{alias}", "argument": name})
            renamed[name] = renamed.pop(alias)
    return renamed


class Filler:
    """Fills defaults through properties, items, allOf and $ref; never through anyOf, oneOf or if."""

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._nodes: dict[int, _Node] = {}
        self._keep: list[Schema] = []
        self.top = self._node(root)

    def fill(self, arguments: dict[str, Any]) -> dict[str, Any]:
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
        ref = schema.get("$ref")
        if isinstance(ref, str) and ref.startswith("#") and ref not in seen:
            target = at_pointer(self._root, ref[1:])
            if isinstance(target, dict):
                self._build(node, target, seen | {ref})
        for part in schema.get("allOf", []):
            if isinstance(part, dict):
                self._build(node, part, seen)
        if schema.get("type") == "integer":
            node.integer = True
        for name, child in schema.get("properties", {}).items():
            if isinstance(child, dict):
                default = resolved(self._root, child).get("default", _ABSENT)
                node.properties.setdefault(name, []).append((default, self._node(child)))
        if isinstance(schema.get("items"), dict):
            node.items.append(self._node(schema["items"]))


class _Node:
    """What to do with one value: make it an int, fill its properties, walk its items."""

    __slots__ = ("_gives", "integer", "items", "properties")

    def __init__(self) -> None:
        self.integer = False
        self.properties: dict[str, list[tuple[Any, _Node]]] = {}
        self.items: list[_Node] = []
        self._gives: bool | None = None

    @property
    def gives(self) -> bool:
        """Whether an absent object here is worth making: something in it has a default."""
        if self._gives is None:
            self._gives = False  # a recursive schema answers no on its second visit
            self._gives = any(
                default is not _ABSENT or child.gives for pairs in self.properties.values() for default, child in pairs
            )
        return self._gives

    def apply(self, value: Any) -> Any:
        if isinstance(value, dict):
            for name, pairs in self.properties.items():
                for default, child in pairs:
                    self._property(value, name, default, child)
        elif isinstance(value, list):
            for child in self.items:
                value[:] = [child.apply(item) for item in value]
        elif self.integer and isinstance(value, float) and value.is_integer():
            return int(value)
        return value

    @staticmethod
    def _property(value: dict[str, Any], name: str, default: Any, child: _Node) -> None:
        if name in value:
            value[name] = child.apply(value[name])
        elif default is not _ABSENT:
            value[name] = child.apply(copy.deepcopy(default))
        elif child.gives:
            value[name] = child.apply({})
