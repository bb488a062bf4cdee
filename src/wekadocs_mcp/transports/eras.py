"""What clients of each protocol version can read; versions are dates and compare as such."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

# Since when: before it, a client takes the whole result for broken (a content block) or never looks at it.
_SINCE = {"audio": "2025-03-26", "resource_link": "2025-06-18", "structuredContent": "2025-06-18"}


def knows(version: str, what: str) -> bool:
    """Whether a client of this version can read it; "" is our own command line, which reads everything."""
    return not version or version >= _SINCE.get(what, "")


def readable(version: str, content: Iterable[Mapping[str, object]]) -> list[Mapping[str, Any]]:
    """The content blocks with those such a client cannot read left out, or told in words."""
    # What a link leads to, the text names.
    kept = [block for block in content if block["type"] != "resource_link" or knows(version, "resource_link")]
    return [_told(version, block) for block in kept]


def messages(version: str, given: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A prompt's messages, with content that such a client can read."""
    return [{**each, "content": _told(version, each["content"])} for each in given]


def _told(version: str, block: Mapping[str, Any]) -> Mapping[str, Any]:
    if knows(version, block["type"]):
        return block
    what = block.get("uri") or block["mimeType"]
    told = f"[{block['type']} {what}, which clients of protocol {version} cannot read]"
    return {"type": "text", "text": told}


def listed(version: str, tools: Iterable[dict[str, object]]) -> list[dict[str, Any]]:
    """Tools as such a client may hold their answers to: no shape is promised of what it is not sent."""
    if knows(version, "structuredContent"):
        return list(tools)
    return [{key: value for key, value in tool.items() if key != "outputSchema"} for tool in tools]
