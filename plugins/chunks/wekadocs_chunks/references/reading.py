"""A bibliography's file to records; the format is told by the file's name, or else by its beginning."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .records import Record, Unreadable, record

_MOST_BYTES = 64 << 20
_EXTRA = "pip install 'wekadocs-mcp[chunks]'"


def load(path: Path) -> list[Record]:
    """Every reference in it; raises `Unreadable` with the reason in words for a caller."""
    name = path.name
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise Unreadable(f"references: {name} is larger than {_MOST_BYTES} bytes and was not read")
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        raise Unreadable(f"references: there is no file {name}; chunks are stored without it") from None
    except UnicodeDecodeError:
        raise Unreadable(f"references: {name} is not UTF-8 and was not read") from None
    except OSError as error:
        raise Unreadable(f"references: {name} could not be read: {error.strerror}") from None
    try:
        return [record(csl) for csl in _items(path, text)]
    except Unreadable:
        raise
    except Exception as error:  # whatever a library raises on a broken file: no bibliography costs a batch
        raise Unreadable(f"references: {name} could not be read ({type(error).__name__})") from None


def _items(path: Path, text: str) -> list[dict[str, Any]]:
    match path.suffix.lower():
        case ".bib" | ".bibtex":
            return _bibtex(text)
        case ".ris":
            return _ris(text)
        case ".json":
            return _csl(path.name, text)
    start = text.lstrip()[:6]
    return (
        _bibtex(text) if start.startswith("@") else _ris(text) if start.startswith("TY  -") else _csl(path.name, text)
    )


def _csl(name: str, text: str) -> list[dict[str, Any]]:
    data = json.loads(text)
    if isinstance(data, dict):  # as Better BibTeX exports it, or a single item
        data = data.get("items", [data])
    if not isinstance(data, list):
        raise Unreadable(f"references: {name} is JSON, but no list of references")
    return [each for each in data if isinstance(each, dict)]


def _bibtex(text: str) -> list[dict[str, Any]]:
    try:
        from . import bibtex
    except ImportError:
        raise Unreadable(f"references: BibTeX needs a library that is not installed: {_EXTRA}") from None
    return bibtex.items(text)


def _ris(text: str) -> list[dict[str, Any]]:
    try:
        from . import ris
    except ImportError:
        raise Unreadable(f"references: RIS needs a library that is not installed: {_EXTRA}") from None
    return ris.items(text)
