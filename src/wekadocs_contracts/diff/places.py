"""Where a change stands in the contract's file, or in the JSON file that holds the tool."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from wekadocs_contracts.diff.operands.json_places import json_text
from wekadocs_contracts.format.source import Pointer, Source, read
from wekadocs_contracts.problems import StartError

from .model import ToolSide

_YAML = (".yaml", ".yml")
_KEYS = {"inputSchema": "input", "outputSchema": "output", "description": "routing"}


def line_of(side: ToolSide, pointer: str) -> int | None:
    place = place_of(side, pointer)
    return place[0] if place else None


def place_of(side: ToolSide, pointer: str) -> tuple[int, int] | None:
    """Line and column of the nearest part of the file that the pointer names; None where there is no file."""
    if side.source is None:
        return None
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    if side.source.suffix not in _YAML:
        return json_text(side.source).place((*side.inside, *_in_json(side, parts)))
    source = _source(side.source)
    return _in_yaml(source, side, parts) if source else None


def _in_json(side: ToolSide, parts: list[str]) -> Pointer:
    """The pointer's parts as they stand in the file: of a list the numbers."""
    node: Any = side.wire
    found: list[str | int] = []
    for part in parts:
        key: str | int = int(part) if isinstance(node, list) and part.isdigit() else part
        found.append(key)
        try:
            node = node[key]
        except (LookupError, TypeError):
            break
    return tuple(found)


def _in_yaml(source: Source, side: ToolSide, parts: list[str]) -> tuple[int, int]:
    if parts and side.carries:
        parts[0] = _KEYS.get(parts[0], parts[0])
    while parts:
        for place in (tuple(parts), _numbered(parts)):
            for table in (source.keys, source.values):
                if place in table:
                    return table[place]
        parts.pop()
    return 1, 1


def _numbered(parts: list[str]) -> Pointer:
    return tuple(int(part) if part.isdigit() else part for part in parts)


@cache
def _source(path: Path) -> Source | None:
    try:
        return read(path)
    except StartError:
        return None


def forget() -> None:
    """Files were written; what was read of them is stale."""
    _source.cache_clear()
    json_text.cache_clear()
