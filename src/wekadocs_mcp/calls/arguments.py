"""What a caller sent, around its schema: aliases, what no JSON carries, unpublished limits; or a refusal in words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from wekadocs_contracts.format.explain import Violation
from wekadocs_mcp.errors import ToolError
from wekadocs_text import one_line

from .budgets import to_json

_MAX_NESTING = 200


def apply_aliases(arguments: Mapping[str, object], aliases: Mapping[str, str]) -> dict[str, Any]:
    """Rename what models write by mistake; an alias and its name together are ambiguous."""
    renamed = dict(arguments)
    for alias, name in aliases.items():
        if alias in renamed:
            if name in renamed:
                message = f"`{alias}` means `{name}`, and both were given: pass `{name}` only."
                raise ToolError("INVALID_ARGUMENT", message, {"path": f"/{alias}", "argument": name})
            renamed[name] = renamed.pop(alias)
    return renamed


def check_plain(arguments: Mapping[str, object]) -> None:
    """What no JSON can carry is refused before the schema sees it: a validator only looks where its schema does."""
    try:
        raw = to_json(arguments)
        if raw.count(b"[") + raw.count(b"{") > _MAX_NESTING and _deeper(arguments, _MAX_NESTING):
            raise RecursionError
    except (ValueError, TypeError, RecursionError):
        message = f"The arguments are not plain JSON: no NaN, valid Unicode, at most {_MAX_NESTING} levels of nesting."
        place = _not_finite(arguments)
        if place:
            message = f"{one_line('.'.join(map(str, place)))}: not a finite number. {message}"
        path = one_line("".join(f"/{part}" for part in place))
        raise ToolError("INVALID_ARGUMENT", message, {"path": path, "reason": "not_plain_json"}) from None


def _not_finite(value: object, at: tuple[str | int, ...] = ()) -> tuple[str | int, ...]:
    """Where the first number stands that is none; nothing where there is no such, or too deep."""
    if isinstance(value, float):
        return () if math.isfinite(value) else at
    if len(at) >= _MAX_NESTING or not isinstance(value, dict | list):
        return ()
    children = value.items() if isinstance(value, dict) else enumerate(value)
    return next((found for key, child in children if (found := _not_finite(child, (*at, key)))), ())


def _deeper(value: object, levels: int) -> bool:
    layer = [value]
    for _ in range(levels):
        layer = [child for each in layer if isinstance(each, dict | list) for child in _children(each)]
    return bool(layer)


def _children(value: dict[str, object] | list[object]) -> Any:
    return value.values() if isinstance(value, dict) else value


def invalid(tool: str, found: Sequence[Violation]) -> ToolError:
    """INVALID_ARGUMENT in the words of the most telling violation; the others in details."""
    if not found:
        return ToolError("INVALID_ARGUMENT", f"The arguments do not fit the input schema of {tool}.")
    first = found[0]
    problems = [{"path": _path(each), "message": each.message} for each in found[:5]]
    details: dict[str, Any] = {"path": _path(first), "problems": problems}
    if first.expected is not None:
        details["expected"] = first.expected
    place = one_line(".".join(map(str, first.pointer)))
    if first.at_key:
        message = f"Unknown argument `{place}`{first.hint}"
    else:
        message = f"{place}: {first.message}" if place else first.message
    return ToolError("INVALID_ARGUMENT", message if message.endswith("?") else f"{message}.", details)


def _path(violation: Violation) -> str:
    return one_line("".join(f"/{part}" for part in violation.pointer))


def clamp(arguments: dict[str, object], bounds: Mapping[str, Mapping[str, int]]) -> tuple[str, ...]:
    """Limits that a contract enforces without publishing them: too much is lowered, too little is refused.

    The names of what was lowered, for the answer to tell.
    """
    lowered = []
    for name, limits in bounds.items():
        value = arguments.get(name)
        within = _within(name, value, limits)
        if within != value:
            arguments[name] = within
            lowered.append(name)
    return tuple(lowered)


def _within(name: str, value: object, limits: Mapping[str, int]) -> Any:
    if isinstance(value, str | list):
        return value[: limits.get("maxItems" if isinstance(value, list) else "maxLength", len(value))]
    if not isinstance(value, int | float) or isinstance(value, bool):
        return value
    least = limits.get("minimum", value)
    if value < least:
        message = f"{name}: {value} is below the minimum of {least}. Pass {least} or more."
        raise ToolError("INVALID_ARGUMENT", message, {"path": f"/{name}", "minimum": least})
    return min(value, limits.get("maximum", value))
