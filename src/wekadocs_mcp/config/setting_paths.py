"""Paths among a plugin's settings: `format: path` in its schema; a relative one starts beside the file that says it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wekadocs_contracts.format.schemas import Schema
from wekadocs_contracts.format.source import Pointer

from .deployment import Config


def placed(settings: dict[str, object], schema: Schema, config: Config, at: Pointer) -> dict[str, Any]:
    """The settings with every path made absolute."""
    found = dict(settings)
    others = schema.get("additionalProperties")
    free = dict.fromkeys(settings, others) if isinstance(others, dict) else {}  # a map: each of its values is alike
    for name, child in {**free, **schema.get("properties", {})}.items():
        value, here = found.get(name), (*at, name)
        if isinstance(value, dict):
            found[name] = placed(value, child, config, here)
        elif isinstance(value, list) and child.get("items", {}).get("format") == "path":
            found[name] = [_absolute(each, config, here) for each in value]
        elif value and isinstance(value, str) and child.get("format") == "path":
            found[name] = _absolute(value, config, here)
    return found


def _absolute(value: str, config: Config, at: Pointer) -> str:
    path = Path(value).expanduser()
    return str(path if path.is_absolute() else config.layers().folder(at) / path)
