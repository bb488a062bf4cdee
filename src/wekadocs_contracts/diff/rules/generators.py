"""What a newer schema generator writes by itself: it says nothing that a caller could have meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wekadocs_contracts.diff.model import Change, Direction

from .keywords import same

_LARGEST = 2**53 - 1  # of what JavaScript counts exactly; zod writes it beside every integer
_BOUNDS = {"maximum": _LARGEST, "minimum": -_LARGEST}


def as_arguments(old: object, new: object) -> tuple[Any, Any]:
    """Arguments are an object, whether or not the root of their schema says so."""
    if not isinstance(old, dict) or not isinstance(new, dict) or "type" in old:
        return old, new
    return {"type": "object", **old}, {"type": "object", **new}


def without_safe_integers(old: object, new: object, direction: Direction) -> tuple[Any, Any, list[Change]]:
    """Both schemas without the bounds that every exact integer keeps to, and a row where only one had them."""
    mine, theirs = _stripped(old), _stripped(new)
    if same(mine, old) == same(theirs, new):
        return old, new, []
    message = "integers are kept within what JavaScript counts exactly (±9007199254740991), or no longer"
    place = "/inputSchema" if direction == "input" else "/outputSchema"
    row = Change("", direction, "docs", "safe-integer-bound", place, message=message)
    return mine, theirs, [row]


def _stripped(node: object) -> Any:
    if isinstance(node, list):
        return [_stripped(each) for each in node]
    if not isinstance(node, dict):
        return node
    return dict(_kept(node))


def _kept(node: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, each in node.items():
        if node.get("type") == "integer" and key in _BOUNDS and each == _BOUNDS[key]:
            continue
        yield key, each if key in ("enum", "const", "default", "examples") else _stripped(each)
