"""Arrays and objects among constants, spelled out with keywords: set operations know those, not the values."""

from __future__ import annotations

from typing import Any

from wekadocs_mcp.diff.dialects import LISTS_OF_SCHEMAS, MAPS_OF_SCHEMAS, SINGLE_SCHEMAS


def has_containers(schema: Any) -> bool:
    """Is there any `const` or `enum` to spell out?"""
    if not isinstance(schema, dict):
        return False
    if any(isinstance(value, dict | list) for value in _constants(schema)):
        return True
    return any(has_containers(part) for part in _parts(schema))


def spelled_out(schema: Any) -> Any:
    """The same set of values."""
    if not isinstance(schema, dict):
        return schema
    out = {k: v for k, v in schema.items() if k not in ("const", "enum")}
    for keyword, value in out.items():
        if keyword in SINGLE_SCHEMAS:
            out[keyword] = spelled_out(value)
        elif keyword in LISTS_OF_SCHEMAS:
            out[keyword] = [spelled_out(part) for part in value]
        elif keyword in MAPS_OF_SCHEMAS:
            out[keyword] = {name: spelled_out(part) for name, part in value.items()}
    limits = [_one_of(schema[keyword] if keyword == "enum" else [schema[keyword]])
              for keyword in ("const", "enum") if keyword in schema]
    return {**out, "allOf": [*out.get("allOf", []), *limits]} if limits else out


def _one_of(values: list[Any]) -> dict[str, Any]:
    plain = [value for value in values if not isinstance(value, dict | list)]
    branches: list[Any] = [{"enum": plain}] if plain else []
    branches += [_exactly(value) for value in values if isinstance(value, dict | list)]
    return branches[0] if len(branches) == 1 else {"anyOf": branches} if branches else {"not": {}}


def _exactly(value: Any) -> dict[str, Any]:
    if isinstance(value, list):
        size = {"type": "array", "minItems": len(value), "maxItems": len(value)}
        return {**size, "prefixItems": [_exactly(item) for item in value]} if value else size
    if isinstance(value, dict):
        if not value:
            return {"type": "object", "maxProperties": 0}
        inner = {name: _exactly(item) for name, item in value.items()}
        return {"type": "object", "properties": inner, "required": list(value), "additionalProperties": False}
    return {"const": value}


def _constants(schema: dict[str, Any]) -> list[Any]:
    return [*schema.get("enum", ()), *([schema["const"]] if "const" in schema else [])]


def _parts(schema: dict[str, Any]) -> list[Any]:
    parts = [schema[keyword] for keyword in SINGLE_SCHEMAS if keyword in schema]
    for keyword in LISTS_OF_SCHEMAS:
        parts += schema.get(keyword, ())
    for keyword in MAPS_OF_SCHEMAS:
        parts += schema.get(keyword, {}).values()
    return parts
