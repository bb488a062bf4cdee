"""Where a change stands in the contract's file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from wekadocs_contracts.format.source import Pointer, Source, read
from wekadocs_contracts.problems import StartError

from .model import ToolSide

_KEYS = {"inputSchema": "input", "outputSchema": "output", "description": "routing"}


def line_of(side: ToolSide, pointer: str) -> int | None:
    """The line of the nearest part of the file that the pointer names; None where there is no file to look at."""
    if side.source is None:
        return None
    source = _source(side.source)
    if source is None:
        return None
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    if parts and side.carries:
        parts[0] = _KEYS.get(parts[0], parts[0])
    while parts:
        for place in (tuple(parts), _numbered(parts)):
            for table in (source.keys, source.values):
                if place in table:
                    return table[place][0]
        parts.pop()
    return 1


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
