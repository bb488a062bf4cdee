"""Keywords about lists that say less than they seem, written as what they come to; set operations know that."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

from wekadocs_contracts.format.schemas import Schema

from .inlining import changed

IsEmpty = Callable[[Any], bool]
MAX_POSITIONS = 8


def plain_lists(schema: object, is_empty: IsEmpty) -> Any:
    """The same set of values."""
    if not isinstance(schema, dict):
        return schema
    out = changed(schema, lambda part: plain_lists(part, is_empty))
    if "contains" in out and "items" in out and not {"prefixItems", "unevaluatedItems"} & set(out):
        out = _counted(out, is_empty)
    if out.get("uniqueItems") is True and _never_repeats(out, is_empty):
        del out["uniqueItems"]
    return out


def _counted(schema: Schema, is_empty: IsEmpty) -> dict[str, Any]:
    """`contains` where every item counts is a length; where none can and none has to, it is nothing."""
    items, wanted = schema["items"], schema["contains"]
    if _refers(items, wanted):
        return schema
    out = {k: v for k, v in schema.items() if k not in ("contains", "minContains", "maxContains")}
    least, most = schema.get("minContains", 1), schema.get("maxContains")
    if least == 0 and is_empty({"allOf": [items, wanted]}):
        return out
    if not is_empty({"allOf": [items, {"not": wanted}]}):
        return schema
    out["minItems"] = max(least, out.get("minItems", 0))
    if most is not None:
        out["maxItems"] = min(most, out.get("maxItems", most))
    return out


def _never_repeats(schema: Schema, is_empty: IsEmpty) -> bool:
    """A closed tuple whose positions have nothing in common."""
    positions = schema.get("prefixItems", ())
    closed = schema.get("items") is False or schema.get("maxItems", len(positions) + 1) <= len(positions)
    if not closed or not 1 < len(positions) <= MAX_POSITIONS or _refers(*positions):
        return False
    return all(is_empty({"allOf": list(pair)}) for pair in combinations(positions, 2))


def _refers(*schemas: Any) -> bool:
    return "$ref" in str(schemas)
