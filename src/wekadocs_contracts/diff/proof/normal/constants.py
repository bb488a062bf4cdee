"""Arrays and objects among constants, spelled out with keywords: set operations know those, not the values."""

from __future__ import annotations

from typing import Any

from .inlining import changed


def spelled_out(schema: object) -> Any:
    """The same set of values."""
    if not isinstance(schema, dict):
        return schema
    out = changed({k: v for k, v in schema.items() if k not in ("const", "enum")}, spelled_out)
    limits = [_one_of([schema["const"]])] if "const" in schema else []
    limits += [_one_of(schema["enum"])] if "enum" in schema else []
    return {**out, "allOf": [*out.get("allOf", []), *limits]} if limits else out


def _one_of(values: list[object]) -> dict[str, Any]:
    plain = [value for value in values if not isinstance(value, dict | list)]
    branches: list[Any] = [{"enum": plain}] if plain else []
    branches += [_exactly(value) for value in values if isinstance(value, dict | list)]
    return branches[0] if len(branches) == 1 else {"anyOf": branches} if branches else {"not": {}}


def _exactly(value: object) -> dict[str, Any]:
    if isinstance(value, list):
        size = {"type": "array", "minItems": len(value), "maxItems": len(value)}
        return {**size, "prefixItems": [_exactly(item) for item in value]} if value else size
    if isinstance(value, dict):
        if not value:
            return {"type": "object", "maxProperties": 0}
        inner = {name: _exactly(item) for name, item in value.items()}
        return {"type": "object", "properties": inner, "required": list(value), "additionalProperties": False}
    return {"const": value}
