"""Lines that are no message: what to say about them, and to which request."""

from __future__ import annotations

import json
import re
from typing import Any

_ID = rb'"id"\s*:\s*("(?:[^"\\]|\\.){1,100}"|-?\d{1,18})\s*'
# Where clients put the id: among the first, short members, or at the very end.
_HEAD_ID = re.compile(rb'\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,100}"\s*,){0,2}\s*' + _ID + rb"[,}]")
_TAIL_ID = re.compile(rb",\s*" + _ID + rb"\}\s*$")


def id_in(line: bytes) -> Any:
    """The request's id, as well as it can be told from a line that cannot be read whole."""
    try:
        body = json.loads(line)
        found = body.get("id") if isinstance(body, dict) else None
    except (ValueError, RecursionError):
        return _id_by_sight(line)
    return found if isinstance(found, int | str) and not isinstance(found, bool) else None


def _id_by_sight(line: bytes) -> Any:
    match = _HEAD_ID.match(line) or _TAIL_ID.search(line[-200:])
    try:
        return json.loads(match.group(1)) if match else None
    except ValueError:
        return None


def why_unreadable(line: bytes) -> tuple[Any, int, str]:
    """The request's id, a JSON-RPC error code, and what is wrong with the line."""
    request_id = id_in(line)
    try:
        body = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        why = {"RecursionError": "it is nested too deeply", "UnicodeDecodeError": "it is not UTF-8"}
        return request_id, -32700, f"Parse error: {why.get(type(error).__name__, 'the line is not JSON')}."
    if not isinstance(body, dict):
        return None, -32600, "Invalid request: one JSON-RPC object a line; batches are not part of MCP."
    try:
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return (
            request_id,
            -32700,
            "Parse error: a string holds half of a surrogate pair, which is not Unicode text.",
        )
    return request_id, -32600, "Invalid request: not a JSON-RPC 2.0 message."
