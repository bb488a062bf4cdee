"""`contains` where every item counts is only a length; set operations know lengths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wekadocs_mcp.diff.inlining import changed

IsWithin = Callable[[Any, Any], bool]


def counted(schema: Any, is_within: IsWithin) -> Any:
    """The same set of values."""
    if not isinstance(schema, dict):
        return schema
    out = changed(schema, lambda part: counted(part, is_within))
    if "contains" not in out or "items" not in out or "prefixItems" in out or "unevaluatedItems" in out:
        return out
    if "$ref" in str((out["items"], out["contains"])) or not is_within(out["items"], out["contains"]):
        return out
    least, most = out.pop("minContains", 1), out.pop("maxContains", None)
    del out["contains"]
    # Lists only: without `type` the keywords say nothing about other values either way.
    out["minItems"] = max(least, out.get("minItems", 0))
    if most is not None:
        out["maxItems"] = min(most, out.get("maxItems", most))
    return out
