"""One JSON-RPC message from its bytes; or what is wrong with them, and which request they belong to."""

from __future__ import annotations

import json
import re
from typing import Any

from wekadocs_mcp.transports.sdk.names import types

_parse = types.jsonrpc_message_adapter.validate_json
_ID = rb'"id"\s*:\s*("(?:[^"\\]|\\.){1,100}"|-?\d{1,18})\s*'
# Where clients put the id: among the first, short members, or at the very end.
_HEAD_ID = re.compile(rb'\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,100}"\s*,){0,2}\s*' + _ID + rb"[,}]")
_REQUEST_KEYS = frozenset({"jsonrpc", "id", "method", "params"})
_SHALLOW = 100  # the SDK's parser gives up at 200 levels
_TAIL_ID = re.compile(rb",\s*" + _ID + rb"\}\s*$")


class Unreadable(Exception):
    """For the client: no message that a server can act on."""

    def __init__(self, request_id: types.RequestId | None, code: int, message: str) -> None:
        super().__init__(message)
        self.request_id, self.code, self.message = request_id, code, message


def read(raw: bytes) -> types.JSONRPCMessage:
    """The message, as the SDK has it."""
    try:
        message = _parse(raw, by_name=False)
    except ValueError:
        raise _why_unreadable(raw) from None
    if isinstance(message, types.JSONRPCNotification) and b'"id"' in raw and "id" in json.loads(raw):
        # The SDK takes a request with an id of no use for a notification, and its sender would wait for ever.
        raise Unreadable(None, types.INVALID_REQUEST, "Invalid request: an id is a string or a whole number.")
    return message


def plain(raw: bytes) -> dict[str, Any] | None:
    """The request, if these bytes are one beyond doubt, at a fraction of what `read` costs: most messages are."""
    if b"\\ud" in raw or b"\\uD" in raw or raw.count(b"{") + raw.count(b"[") > _SHALLOW:
        return None
    try:
        message = json.loads(raw.decode())  # given bytes, json would let encoded surrogates pass
    except (ValueError, RecursionError):
        return None
    is_request = (
        isinstance(message, dict)
        and message.keys() <= _REQUEST_KEYS
        and message.get("jsonrpc") == "2.0"
        and isinstance(message.get("method"), str)
        and type(message.get("id")) in (int, str)
        and isinstance(message.get("params", {}), dict)
    )
    return message if is_request else None


def write(message: types.JSONRPCMessage) -> bytes:
    """The bytes of a message, as the SDK has it; text that is no Unicode is escaped rather than lost."""
    try:
        raw: bytes = message.model_dump_json(by_alias=True, exclude_unset=True).encode()
    except (ValueError, UnicodeEncodeError):
        return json.dumps(message.model_dump(mode="python", by_alias=True, exclude_unset=True)).encode()
    return raw


def id_in(line: bytes) -> types.RequestId | None:
    """The request's id, as well as it can be told from a line that cannot be read whole."""
    try:
        body = json.loads(line)
        found = body.get("id") if isinstance(body, dict) else None
    except (ValueError, RecursionError):
        return _id_by_sight(line)
    return found if isinstance(found, int | str) and not isinstance(found, bool) else None


def _id_by_sight(line: bytes) -> types.RequestId | None:
    match = _HEAD_ID.match(line) or _TAIL_ID.search(line[-200:])
    try:
        found: types.RequestId | None = json.loads(match.group(1)) if match else None
        return found
    except ValueError:
        return None


def _why_unreadable(line: bytes) -> Unreadable:
    request_id = id_in(line)
    try:
        body = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        why = {"RecursionError": "it is nested too deeply", "UnicodeDecodeError": "it is not UTF-8"}
        told = why.get(type(error).__name__, "it is not JSON")
        return Unreadable(request_id, types.PARSE_ERROR, f"Parse error: {told}.")
    if not isinstance(body, dict):
        told = "Invalid request: one JSON-RPC object at a time; batches are not part of MCP."
        return Unreadable(None, types.INVALID_REQUEST, told)
    try:
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        told = "Parse error: a string holds half of a surrogate pair, which is not Unicode text."
        return Unreadable(request_id, types.PARSE_ERROR, told)
    return Unreadable(request_id, types.INVALID_REQUEST, "Invalid request: not a JSON-RPC 2.0 message.")
