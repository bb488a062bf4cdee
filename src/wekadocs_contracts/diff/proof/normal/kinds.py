"""What a value's type makes irrelevant: keywords about other types, and branches that cannot apply."""

from __future__ import annotations

from typing import Any

from wekadocs_contracts.format.schemas import Schema

from .inlining import changed

ALL = frozenset({"null", "boolean", "number", "string", "array", "object"})
_IN_PLACE = {"allOf", "anyOf", "oneOf", "not", "if", "then", "else"}
_ABOUT = {
    "object": (
        *("properties", "patternProperties", "additionalProperties", "propertyNames", "unevaluatedProperties"),
        *("required", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas"),
    ),
    "array": (
        *("items", "prefixItems", "contains", "minContains", "maxContains", "unevaluatedItems"),
        *("minItems", "maxItems", "uniqueItems"),
    ),
    "string": ("pattern", "minLength", "maxLength"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
_KIND_OF = {keyword: kind for kind, keywords in _ABOUT.items() for keyword in keywords}


def narrowed(schema: object, kinds: frozenset[str] = ALL) -> Any:
    """A schema that admits the same values among those of the given kinds."""
    if not isinstance(schema, dict):
        return schema
    kinds &= possible(schema)
    if not kinds:
        return False
    kept = {k: v for k, v in schema.items() if _KIND_OF.get(k, "") in ("", *kinds)}
    # In-place parts judge the same value; every other part judges values of its own.
    here = {k: v for k, v in kept.items() if k in _IN_PLACE}
    below = {k: v for k, v in kept.items() if k not in _IN_PLACE}
    dependent = {"dependentSchemas": below.pop("dependentSchemas")} if "dependentSchemas" in below else {}
    return {**changed(below, narrowed), **changed({**here, **dependent}, lambda part: narrowed(part, kinds))}


def possible(schema: Schema) -> frozenset[str]:
    kinds = ALL
    if "type" in schema:
        named = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        kinds &= {"number" if kind == "integer" else kind for kind in named}
    for values in (schema.get("enum"), [schema["const"]] if "const" in schema else None):
        if values is not None:
            kinds &= set(map(kind_of, values))
    return kinds


def kind_of(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object" if isinstance(value, dict) else "number"
