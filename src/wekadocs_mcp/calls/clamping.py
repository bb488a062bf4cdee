"""Limits that a contract enforces without publishing them: too much is lowered and told, too little is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wekadocs_mcp.errors import ToolError


def clamp(arguments: dict[str, Any], bounds: Mapping[str, Mapping[str, int]]) -> tuple[str, ...]:
    """Bring the arguments within their bounds; the names of those that were lowered."""
    lowered = []
    for name, limits in bounds.items():
        value = arguments.get(name)
        within = _within(name, value, limits)
        if within != value:
            arguments[name] = within
            lowered.append(name)
    return tuple(lowered)


def _within(name: str, value: Any, limits: Mapping[str, int]) -> Any:
    if isinstance(value, str | list):
        return value[: limits.get("maxItems" if isinstance(value, list) else "maxLength", len(value))]
    if not isinstance(value, int | float) or isinstance(value, bool):
        return value
    least = limits.get("minimum", value)
    if value < least:
        message = f"{name}: {value} is below the minimum of {least}. Pass {least} or more."
        raise ToolError("INVALID_ARGUMENT", message, {"path": f"/{name}", "minimum": least})
    return min(value, limits.get("maximum", value))
