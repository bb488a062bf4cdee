"""tools/list: shaped once for each protocol version, rendered once, sent as the same bytes until it changes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json

END = b"\r\n\r\n"
_MAX_QUESTION = 8192


class Lists:
    """The lists of tools as they were sent; whoever sent one knows it again by the object of its `tools`."""

    def __init__(self) -> None:
        self._results: dict[str, dict[str, Any]] = {}
        self._rendered: list[tuple[Any, bytes]] = []

    def get(self, version: str) -> dict[str, Any] | None:
        return self._results.get(version)

    def keep(self, version: str, result: dict[str, object]) -> None:
        self._results[version] = result

    def clear(self) -> None:
        self._results.clear()
        self._rendered.clear()

    def tools(self, version: str) -> Any:
        return self._results.get(version, {}).get("tools")

    def rendered(self, tools: object) -> bytes | None:
        """The answer with these tools, from its result on; None once they are no longer the ones to send.

        The line ends that close an event are part of it: over HTTP it goes out as it is, without a copy.
        """
        for known, raw in self._rendered:
            if known is tools:
                return raw
        for result in self._results.values():
            if result["tools"] is tools:
                self._rendered.append((tools, to_json(result) + b"}" + END))
                return self._rendered[-1][1]
        return None


def before(request_id: object) -> bytes:
    """What comes before the bytes of `rendered`."""
    return b'{"jsonrpc":"2.0","id":%s,"result":' % json.dumps(request_id).encode()


def question(params: Any) -> Any:
    """What the answer could depend on: all but the token by which a client would know its progress."""
    meta = params.get("_meta") if isinstance(params, Mapping) else None
    if isinstance(meta, Mapping) and type(meta.get("progressToken")) in (int, str):
        return {**params, "_meta": {name: value for name, value in meta.items() if name != "progressToken"}}
    return params


def is_short(asked: object) -> bool:
    """Whether a question is worth remembering: no client needs a long one, and memory is for everybody."""
    return len(json.dumps(asked)) <= _MAX_QUESTION
