"""How much a stranger's schema may ask for: how deep, how long a pattern, how many schemas once references unfold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .schemas import at_pointer, children
from .source import Pointer

MAX_DEPTH = 100
MAX_UNFOLDED = 50_000
MAX_PATTERN = 4_096
UNFOLDS = f"its references unfold to more than {MAX_UNFOLDED} schemas"


def excess(schema: object) -> tuple[Pointer, str] | None:
    """The first place that asks for too much, and why; None where all is within bounds."""
    return _walk(schema) or _unfolds(schema)


def _walk(schema: object) -> tuple[Pointer, str] | None:
    waiting: list[tuple[Pointer, Any]] = [((), schema)]
    while waiting:
        place, node = waiting.pop()
        if len(place) > MAX_DEPTH:
            return place, f"nested more than {MAX_DEPTH} deep"
        if isinstance(node, Mapping):
            if long := _long_pattern(node):
                return (*place, long), f"a pattern of more than {MAX_PATTERN} characters"
            waiting += [((*place, key), child) for key, child in node.items()]
        elif isinstance(node, list):
            waiting += [((*place, index), child) for index, child in enumerate(node)]
    return None


def _long_pattern(node: Mapping[str, Any]) -> str | None:
    if isinstance(node.get("pattern"), str) and len(node["pattern"]) > MAX_PATTERN:
        return "pattern"
    named = node.get("patternProperties")
    return "patternProperties" if isinstance(named, Mapping) and any(len(key) > MAX_PATTERN for key in named) else None


def _unfolds(root: object) -> tuple[Pointer, str] | None:
    """A reference costs what it refers to, each time; what refers to itself is counted once."""
    known: dict[str, int] = {}

    def count(node: object) -> int:
        if not isinstance(node, Mapping):
            return 1
        total = 1 + sum(count(child) for _, child in children(node))
        ref = node.get("$ref")
        if isinstance(ref, str) and ref.startswith("#"):
            total += target(ref)
        return min(total, MAX_UNFOLDED + 1)

    def target(ref: str) -> int:
        if ref not in known:
            known[ref] = 1  # while it is being counted
            known[ref] = count(at_pointer(root, ref[1:]))
        return known[ref]

    try:
        within = count(root) <= MAX_UNFOLDED
    except RecursionError:
        within = False
    return None if within else ((), UNFOLDS)


def hint(why: str) -> str:
    return "refer to a thing once, not twice on every level" if why == UNFOLDS else "flatten it, or shorten it"
