"""Patterns that Python's `re` cannot read, written so that it can: `\\p{…}` and `(?<name>…)`."""

from __future__ import annotations

import re
from typing import Any

from . import charsets

_PART = re.compile(r"\\[pP]\{\w+\}|\\.|\[|\]|\(\?<(?=[A-Za-z_])|\\k<\w+>", re.DOTALL)


def readable(schema: object) -> Any:
    """The same schema for python-jsonschema; what Python reads by itself is left as it is."""
    if isinstance(schema, dict):
        return {key: _value(key, value) for key, value in schema.items()}
    return [readable(part) for part in schema] if isinstance(schema, list) else schema


def _value(key: str, value: object) -> Any:
    if key == "pattern" and isinstance(value, str):
        return rewritten(value)
    if key == "patternProperties" and isinstance(value, dict):
        return {rewritten(text): readable(part) for text, part in value.items()}
    return readable(value)


def rewritten(pattern: str) -> str:
    try:
        re.compile(pattern)
        return pattern
    except (re.error, OverflowError, RecursionError):
        return _rewritten(pattern)


def _rewritten(pattern: str) -> str:
    out, at, inside = "", 0, False
    for found in _PART.finditer(pattern):
        part = found[0]
        out += pattern[at : found.start()]
        at = found.end()
        if part in ("[", "]"):
            inside = part == "[" or (inside and part != "]")
            out += part
        elif part[:2] in ("\\p", "\\P"):
            spans = _spans(part)
            out += spans if inside else f"[{spans}]"
        else:
            out += "(?P<" if part == "(?<" else f"(?P={part[3:-1]})" if part.startswith("\\k<") else part
    return out + pattern[at:]


def _spans(part: str) -> str:
    chars = charsets.category(part[3:-1]) or ()
    if part[1] == "P":
        chars = charsets.complement(chars)
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in chars)
