"""What plugins write for the wire themselves: content blocks, prompt messages, resource contents."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from typing import Any

from .budgets import to_json

_NEEDS = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource": ("resource",),
    "resource_link": ("uri", "name"),
}
_MAX_DEPTH = 200


def block_problem(block: object) -> str | None:
    """Why MCP clients could not read this content block; it never quotes a value."""
    if not isinstance(block, Mapping):
        return f"is of type {type(block).__name__}, not a dict"
    kind = block.get("type")
    if not isinstance(kind, str) or kind not in _NEEDS:
        return f"needs a `type`: {', '.join(_NEEDS)}"
    for name in _NEEDS[kind]:
        if name != "resource" and not isinstance(block.get(name), str):
            return f"has no text as `{name}`, which a block of type {kind} needs"
    if "data" in _NEEDS[kind] and not _is_base64(block["data"]):
        return "has a `data` that is not base64: write base64.b64encode(raw).decode()"
    if kind == "resource" and (why := contents_problem(block.get("resource"), "uri")):
        return f"has a `resource` that {why}"
    return json_problem(block)


def contents_problem(contents: object, *needed: str) -> str | None:
    """Why this is no content of a resource."""
    if not isinstance(contents, Mapping):
        return f"is of type {type(contents).__name__}, not a dict"
    for name in needed:
        if not isinstance(contents.get(name), str):
            return f"has no text as `{name}`"
    if isinstance(contents.get("blob"), str):
        return None if _is_base64(contents["blob"]) else "has a `blob` that is not base64"
    return json_problem(contents) if isinstance(contents.get("text"), str) else "has neither `text` nor `blob`"


def message_problem(message: object) -> str | None:
    """Why this is no message of a prompt."""
    if not isinstance(message, Mapping):
        return f"is of type {type(message).__name__}, not a dict"
    if message.get("role") not in ("user", "assistant"):
        return "needs a `role`: user or assistant"
    why = block_problem(message.get("content"))
    return f'has a `content` that {why}; write {{"type": "text", "text": …}}' if why else None


def json_problem(value: object) -> str | None:
    """Where and why JSON cannot carry this, without the value."""
    try:
        to_json(value)
    except (TypeError, ValueError, RecursionError) as error:
        return f"is not JSON{_place(value)} ({type(error).__name__})"
    return None


def _place(value: object, pointer: str = "", depth: int = 0) -> str:
    """The first part that does not go, by its type."""
    if depth > _MAX_DEPTH:
        return f" below {pointer[:100]}: nested too deep, or a circle"
    if isinstance(value, dict):
        if any(not isinstance(name, str) for name in value):
            return f" at {pointer or '/'}: a name that is no text"
        parts: Iterable[tuple[Any, Any]] = value.items()
    elif isinstance(value, list | tuple):
        parts = enumerate(value)
    else:
        return f" at {pointer or '/'}: {type(value).__name__}"
    for name, part in parts:
        if not _goes(part):
            return _place(part, f"{pointer}/{str(name).encode('ascii', 'replace').decode()}", depth + 1)
    return ""


def _goes(value: object) -> bool:
    try:
        to_json(value)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def _is_base64(text: str) -> bool:
    try:
        base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True
