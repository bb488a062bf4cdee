"""The words in a schema that a model reads, wherever they stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .keywords import NOTES, canonical, get, resolve

_DEFINITIONS = ("$defs", "definitions")
_DATA = ("enum", "const", "default", "examples")


def notes(root: object) -> set[str]:
    """Every title, description and other note of what the schema uses; where a note stands does not matter."""
    found: set[str] = set()
    todo: list[tuple[Any, bool]] = [(root, False)]
    seen: set[int] = set()
    while todo:
        node, named = todo.pop()
        if id(node) in seen or not isinstance(node, Mapping | list):
            continue
        seen.add(id(node))
        if isinstance(node, list):
            todo.extend((each, False) for each in node)
            continue
        target = None if named else resolve(root, get(node, "$ref"))
        todo.extend([(target[0], False)] if target else [])
        for key, value in node.items():
            if not named and key in NOTES:
                found.add(f"{key}={canonical(value)}")
            elif named or key not in (*_DEFINITIONS, *_DATA):
                todo.append((value, not named and key in ("properties", "patternProperties", "dependentSchemas")))
    return found
