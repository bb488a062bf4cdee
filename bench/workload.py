"""What the servers are asked: generated drop-in tools, and the messages of both protocol eras."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Make = Callable[[str, int], dict[str, Any]]  # a request from an era and an id
ERAS = ("legacy", "modern")
MODERN = "2026-07-28"
LEGACY = "2025-11-25"
TOOL = "bench.tool_000"
ARGUMENTS = {"query": "how do I mount a filesystem", "limit": 3}
_META = "io.modelcontextprotocol/"
_CLIENT = {"name": "bench", "version": "1.0.0"}
_ENVELOPE = {
    f"{_META}protocolVersion": MODERN,
    f"{_META}clientCapabilities": {},
    f"{_META}clientInfo": _CLIENT,
}

_HANDLER = """from wekadocs_mcp import tool


@tool("bench.tool_{number:03}")
async def answer(call, query, limit, mode, tags, explain):
    return {{"answer": query, "count": limit}}
"""

_CONTRACT = """contract: bench.tool_{number:03}
version: 1.0.0
status: stable
title: Bench tool {number}
routing:
  use_when: a question about topic {number} is to be answered from the documentation
  do_not_use_when: the question is about anything else than topic {number}
  returns: The question again and at most {{{{ max.limit }}}} of something.
  follow_up: Nothing follows; this tool is measured, not used.
annotations: {{readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false}}
input:
  type: object
  additionalProperties: false
  required: [query]
  properties:
    query: {{type: string, description: What is asked., minLength: 1, maxLength: 500}}
    limit: {{type: integer, description: How many., default: 5, minimum: 1, maximum: 50}}
    mode: {{type: string, description: How it is sought., enum: [words, vectors, both], default: both}}
    tags: {{type: array, description: Only these tags., items: {{type: string}}, maxItems: 8}}
    explain: {{type: boolean, description: Whether to say why., default: false}}
output:
  type: object
  required: [answer, count]
  properties:
    answer: {{type: string}}
    count: {{type: integer, minimum: 0}}
"""


def write_tools(folder: Path, count: int) -> Path:
    """`count` drop-in tools, each a contract and its handler."""
    folder.mkdir(parents=True)
    for number in range(count):
        stem = folder / f"tool_{number:03}"
        stem.with_suffix(".py").write_text(_HANDLER.format(number=number))
        stem.with_suffix(".v1.yaml").write_text(_CONTRACT.format(number=number))
    return folder


def request(era: str, number: int, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """One request; in the modern era each carries who asks, in which version."""
    body = dict(params or {})
    if era == "modern":
        body["_meta"] = _ENVELOPE
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": body}


def call(era: str, number: int) -> dict[str, Any]:
    return request(era, number, "tools/call", {"name": TOOL, "arguments": ARGUMENTS})


def initialize(number: int) -> dict[str, Any]:
    params = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": _CLIENT}
    return {"jsonrpc": "2.0", "id": number, "method": "initialize", "params": params}


INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def encode(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode()


def check(answer: bytes, needle: bytes) -> None:
    """A figure about an error would be worthless."""
    if needle not in answer or b'"error"' in answer[:200] or b'"isError":true' in answer:
        raise RuntimeError(f"unexpected answer: {answer[:400]!r}")
