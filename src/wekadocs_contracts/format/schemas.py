"""What is read in a contract's JSON Schemas: places, properties, caps and defaults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .source import Pointer

_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_SINGLES = (
    "items", "additionalProperties", "contains", "not", "if", "then", "else",
    "propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema",
)  # fmt: skip

Schema = dict[str, Any]  # what stands under a keyword is as the file says it, and is looked at before it is used
Definitions = dict[str, Any]  # name → schema, or true or false


def subschemas(schema: object, pointer: Pointer = ()) -> Iterator[tuple[Pointer, Schema]]:
    """Every schema inside a schema, itself first; values of default, enum and examples are data, not schemas."""
    if not isinstance(schema, Mapping):
        return
    yield pointer, schema  # type: ignore[misc]
    for place, child in children(schema):
        yield from subschemas(child, (*pointer, *place))


def children(schema: Mapping[str, Any]) -> Iterator[tuple[Pointer, Any]]:
    for keyword in _MAPS:
        if isinstance(schema.get(keyword), Mapping):
            for name, child in schema[keyword].items():
                yield (keyword, name), child
    for keyword in _LISTS:
        if isinstance(schema.get(keyword), list):
            for index, child in enumerate(schema[keyword]):
                yield (keyword, index), child
    for keyword in _SINGLES:
        if isinstance(schema.get(keyword), Mapping):
            yield (keyword,), schema[keyword]


def in_order(value: object) -> Any:
    if isinstance(value, Mapping):
        return {key: in_order(value[key]) for key in sorted(value)}
    return [in_order(item) for item in value] if isinstance(value, list) else value


def at_pointer(document: object, fragment: str) -> Any:
    """The node that a fragment names, a JSON pointer such as /$defs/row or an $anchor; None if there is none."""
    if fragment and not fragment.startswith("/"):
        return _anchored(document, fragment)
    if "%" in fragment:
        from urllib.parse import unquote

        fragment = unquote(fragment)
    for part in fragment.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        document = (
            document.get(key) if isinstance(document, Mapping) else item(document, int(key) if key.isdigit() else key)
        )
    return document


def _anchored(node: object, name: str) -> Any:
    if isinstance(node, Mapping) and node.get("$anchor") == name:
        return node
    inner = node.values() if isinstance(node, Mapping) else node if isinstance(node, list) else ()
    return next((found for child in inner if (found := _anchored(child, name)) is not None), None)


def item(schema: object, part: object) -> Any:
    return schema[part] if isinstance(schema, list) and isinstance(part, int) and part < len(schema) else None


_CAP_WORDS = {"maximum": "", "exclusiveMaximum": "", "maxLength": " characters", "maxItems": " items"}
_FLOORS = ("minimum", "exclusiveMinimum", "minLength", "minItems")


def properties(root: Schema, schema: object = None, seen: frozenset[str] = frozenset()) -> dict[str, Schema]:
    """The declared properties of an object schema, through $ref and allOf."""
    node = root if schema is None else schema
    if not isinstance(node, Mapping):
        return {}
    found: dict[str, Schema] = {}
    ref = node.get("$ref")
    if isinstance(ref, str) and ref.startswith("#") and ref not in seen:
        found.update(properties(root, at_pointer(root, ref[1:]), seen | {ref}))
    for part in node.get("allOf", []):
        found.update(properties(root, part, seen))
    for name, child in node.get("properties", {}).items():
        found[name] = {**found.get(name, {}), **child} if isinstance(child, Mapping) else {}
    return found


def required(root: Schema, schema: object, seen: frozenset[str] = frozenset()) -> set[str]:
    """The names an object must have, through $ref and allOf."""
    if not isinstance(schema, Mapping):
        return set()
    found = set(schema.get("required", []))
    ref = schema.get("$ref")
    if isinstance(ref, str) and ref.startswith("#") and ref not in seen:
        found |= required(root, at_pointer(root, ref[1:]), seen | {ref})
    return found.union(*(required(root, part, seen) for part in schema.get("allOf", [])))


def idle_defaults(schema: Schema) -> list[Pointer]:
    """Where a property has a default of its own although its object demands it, also through allOf."""
    found: dict[Pointer, None] = {}
    for place, node in subschemas(schema):
        parts = list(_all_of(node, place))
        needed = {name for _, part in parts for name in part.get("required", [])}
        for inner, part in parts:
            for name, child in part.get("properties", {}).items():
                if name in needed and isinstance(child, Mapping) and "default" in child:
                    found[(*inner, "properties", name, "default")] = None
    return list(found)


def _all_of(node: Schema, place: Pointer) -> Iterator[tuple[Pointer, Schema]]:
    yield place, node
    for index, part in enumerate(node.get("allOf", [])):
        if isinstance(part, dict):
            yield from _all_of(part, (*place, "allOf", index))


def resolved(root: Schema, schema: Schema, depth: int = 0) -> Schema:
    """A property's own keywords, with those of a local $ref and of allOf below them."""
    node: Schema = {}
    ref = schema.get("$ref")
    if isinstance(ref, str) and ref.startswith("#") and depth < 8:
        target = at_pointer(root, ref[1:])
        node.update(resolved(root, target, depth + 1) if isinstance(target, dict) else {})
    for part in schema.get("allOf", []) if depth < 8 else []:
        node.update(resolved(root, part, depth + 1) if isinstance(part, dict) else {})
    return {**node, **schema}


def bounded(schema: Schema, bounds: Mapping[str, Mapping[str, int]]) -> Schema:
    """The schema as a description tells it: with the limits that are enforced and not published."""
    if not bounds:
        return schema
    known = schema.get("properties", {})
    return {**schema, "properties": {name: {**child, **bounds.get(name, {})} for name, child in known.items()}}


def limits(root: Schema) -> dict[str, dict[str, Any]]:
    """`max`, `min` and `default` of every argument, by dotted path; what routing text and docs may cite."""
    table: dict[str, dict[str, Any]] = {"max": {}, "min": {}, "default": {}, "unit": {}}

    def note(schema: Schema, path: str, depth: int, needed: bool) -> None:
        node = resolved(root, schema)
        for keyword, unit in _CAP_WORDS.items():
            if keyword in node:
                table["max"][path], table["unit"][path] = node[keyword], unit
        for keyword in _FLOORS:
            if keyword in node:
                table["min"][path] = node[keyword]
        if "default" in node and not needed:
            table["default"][path] = node["default"]
        if depth < 6:
            inner = required(root, node)
            for name, child in properties(root, node).items():
                note(child, f"{path}.{name}", depth + 1, name in inner)

    demanded = required(root, root)
    for name, child in properties(root).items():
        if name != "scope":
            note(child, name, 0, name in demanded)
    return table
