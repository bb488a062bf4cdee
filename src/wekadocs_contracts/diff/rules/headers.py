"""Arguments that travel as HTTP headers too (`x-mcp-header`): a client must drop a tool that declares one wrongly."""

from __future__ import annotations

import re

from wekadocs_contracts.format.schemas import Schema, subschemas

KEY = "x-mcp-header"
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")  # RFC 9110 §5.6.2
_KINDS = ("integer", "string", "boolean")  # a number is written differently by every client


def invalid_header(schema: object) -> str | None:
    """Why clients must drop a tool with this input schema; None where its headers are as they must be."""
    seen: dict[str, str] = {}
    for place, node in subschemas(schema):
        if KEY not in node:
            continue
        if not place or any(part != "properties" for part in place[::2]):
            return f"{KEY} found at a schema position not reachable via a pure `properties` chain"
        where = ".".join(map(str, place[1::2]))
        if (reason := _fault(node)) is not None:
            return f"property {where!r}: {KEY} {reason}"
        header = str(node[KEY])
        if (other := seen.setdefault(header.lower(), where)) != where:
            return f"{KEY} {header!r} on property {where!r} duplicates property {other!r}"
    return None


def _fault(node: Schema) -> str | None:
    header, kind = node[KEY], node.get("type")
    if not isinstance(header, str):
        return f"must be a string, not {type(header).__name__}"
    if not _TOKEN.fullmatch(header):
        return f"{header!r} is not an RFC 9110 token"
    if kind not in _KINDS:
        return f"is only permitted on integer/string/boolean properties (its type is {kind!r})"
    return None
