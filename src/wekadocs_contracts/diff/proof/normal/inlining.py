"""Definitions that do not lead back to themselves, written where they are used; the set operations see through them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wekadocs_contracts.format.schemas import Definitions, Schema

from .dialects import LISTS_OF_SCHEMAS, MAPS_OF_SCHEMAS, SINGLE_SCHEMAS

MAX_NODES = 4_000


def inlined(root: object, definitions: Definitions) -> tuple[Any, dict[str, Any]]:
    """The same schema; unchanged where it would grow too large."""
    uses = {name: _references(schema) for name, schema in definitions.items()}
    recursive = {name for name in definitions if name in _reachable(name, uses)}
    writer = _Writer(definitions, recursive)
    try:
        kept = {name: writer.write(definitions[name]) for name in recursive}
        return writer.write(root), kept
    except OverflowError:
        return root, definitions


class _Writer:
    def __init__(self, definitions: Mapping[str, object], recursive: set[str]) -> None:
        self.definitions = definitions
        self.recursive = recursive
        self.nodes = 0

    def write(self, schema: object) -> Any:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise OverflowError
        if not isinstance(schema, dict):
            return schema
        out = changed(schema, self.write)
        name = schema.get("$ref", "").removeprefix("#/$defs/")
        if not name or name in self.recursive:
            return out
        del out["$ref"]
        target = self.write(self.definitions[name])
        return {**out, "allOf": [*out.get("allOf", []), target]} if out else target


def changed(schema: Schema, change: Callable[[object], object]) -> dict[str, Any]:
    """A copy with every direct subschema passed through `change`."""
    out = dict(schema)
    for keyword, value in schema.items():
        if keyword in SINGLE_SCHEMAS:
            out[keyword] = change(value)
        elif keyword in LISTS_OF_SCHEMAS:
            out[keyword] = [change(part) for part in value]
        elif keyword in MAPS_OF_SCHEMAS:
            out[keyword] = {name: change(part) for name, part in value.items()}
    return out


def _references(schema: object) -> set[str]:
    found: set[str] = set()
    todo = [schema]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            if "$ref" in node:
                found.add(node["$ref"].removeprefix("#/$defs/"))
            changed(node, todo.append)
    return found


def _reachable(start: str, uses: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    todo = list(uses[start])
    while todo:
        if (name := todo.pop()) not in found:
            found.add(name)
            todo.extend(uses[name])
    return found
