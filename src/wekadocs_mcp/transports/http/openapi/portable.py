"""A contract's schemas as readers of OpenAPI understand them: written out, or among the components."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wekadocs_contracts.format.schemas import Schema, at_pointer

_MAX_NODES = 4_000
_LOCAL = ("$schema", "$defs", "definitions", "$anchor")  # what only a schema that stands alone needs
_COMPONENTS = "#/components/schemas/"


class _CannotBeWrittenOut(Exception):
    """It leads back to itself, or grows too large."""


def placed(name: str, schema: Schema, components: dict[str, object]) -> Schema:
    """The schema without references; one that leads back to itself becomes a component of that name."""
    try:
        return _Writer(schema).write(schema, ())  # type: ignore[no-any-return]
    except _CannotBeWrittenOut:
        components[name] = _moved(schema, f"{_COMPONENTS}{name}")
        return {"$ref": f"{_COMPONENTS}{name}"}


class _Writer:
    def __init__(self, root: Schema) -> None:
        self._root = root
        self._nodes = 0

    def write(self, node: object, inside: tuple[str, ...]) -> Any:
        self._nodes += 1
        if self._nodes > _MAX_NODES:
            raise _CannotBeWrittenOut
        if isinstance(node, list):
            return [self.write(each, inside) for each in node]
        if not isinstance(node, Mapping):
            return node
        if "$dynamicRef" in node:
            raise _CannotBeWrittenOut
        ref = node.get("$ref")
        own = {key: self.write(value, inside) for key, value in node.items() if key not in (*_LOCAL, "$ref")}
        return self._joined(own, ref, inside) if isinstance(ref, str) else own

    def _joined(self, own: Schema, ref: str, inside: tuple[str, ...]) -> Schema:
        target = at_pointer(self._root, ref[1:]) if ref.startswith("#") else None
        if ref in inside or target is None:
            raise _CannotBeWrittenOut
        there = self.write(target, (*inside, ref))
        if isinstance(there, dict) and not own.keys() & there.keys() - {"title", "description", "default", "examples"}:
            return {**there, **own}
        return {**own, "allOf": [*own.get("allOf", []), there]}


def _moved(node: object, place: str) -> Any:
    """The same schema below another root: what pointed to `#/…` points to its new place."""
    if isinstance(node, list):
        return [_moved(each, place) for each in node]
    if not isinstance(node, Mapping):
        return node
    moved = {key: _moved(value, place) for key, value in node.items() if key != "$schema"}
    ref = node.get("$ref")
    if isinstance(ref, str) and (ref == "#" or ref.startswith("#/")):
        moved["$ref"] = place + ref[1:]
    return moved
