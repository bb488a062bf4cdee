"""`tools/list` on stdio, asked again: recognised by its bytes, answered from memory."""

from __future__ import annotations

import json
import re
from typing import Any

from wekadocs_mcp.transports import lists, messages
from wekadocs_mcp.transports.lists import Lists
from wekadocs_mcp.transports.sdk.names import types

_ID = rb'0|[1-9][0-9]{0,17}|"[A-Za-z0-9_-]{1,64}"'
_IS_ID = re.compile(_ID)
_MEMBER = re.compile(rb'"id"\s*:\s*(' + _ID + rb")")
_LINE_END = b"\n"


class ListAgain:
    """The last question that the SDK has answered here, and the tools it was answered with."""

    def __init__(self, known: Lists) -> None:
        self._lists = known
        self._asking: dict[Any, tuple[bytes, Any]] = {}
        self._asked: Any = None
        self._around_id: tuple[bytes, bytes] | None = None
        self._tools: Any = None

    def answer(self, line: bytes) -> list[Any] | None:
        """The parts of the answer, if this line is the last question but for its id."""
        if self._around_id is None:
            return None
        head, tail = self._around_id
        if not (line.startswith(head) and line.endswith(tail)):
            return None
        request_id = line[len(head) : len(line) - len(tail)]
        return self._listing(request_id) if _IS_ID.fullmatch(request_id) else None

    def answer_to(self, line: bytes, message: types.JSONRPCRequest) -> list[Any] | None:
        """The same for a message that was read; a new question is kept until its answer comes by."""
        asked = lists.question(message.params)
        found = self._listing(json.dumps(message.id).encode()) if self._asked == (asked,) else None
        if found is None:
            self._asking = {message.id: (line, asked)} if lists.is_short(asked) else {}
        return found

    def sent(self, message: types.JSONRPCMessage) -> list[Any] | None:
        """The parts of a message that the SDK sends, if it is the list; whoever asks for it again gets the same."""
        if not isinstance(message, types.JSONRPCResponse):
            return None
        tools = message.result.get("tools")
        if tools is None or self._lists.rendered(tools) is None:
            return None
        self._tools = tools
        self._asked = self._around_id = None
        if message.id in self._asking:
            line, asked = self._asking.pop(message.id)
            self._asked, self._around_id = (asked,), _around_id(line, message.id)
        return self._listing(json.dumps(message.id).encode())

    def _listing(self, request_id: bytes) -> list[Any] | None:
        rendered = self._lists.rendered(self._tools)
        if rendered is None:
            return None
        start = b'{"jsonrpc":"2.0","id":%s,"result":' % request_id
        return [start, memoryview(rendered)[: -len(lists.END)], _LINE_END]


def _around_id(line: bytes, request_id: types.RequestId) -> tuple[bytes, bytes] | None:
    """What stands before and after the request's own id; None where that is not certain."""
    found = _MEMBER.search(line)
    if found is None:
        return None
    head, tail = line[: found.start(1)], line[found.end(1) :]
    other = b"1" if request_id == 0 else b"0"
    read = messages.plain(head + other + tail)
    return (head, tail) if read is not None and read["id"] == int(other) else None
