"""The former REST endpoints for clients that have not moved yet. They do not evolve."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

from wekadocs_mcp import HttpReply, HttpRequest, HttpRoute

FLAG = "MCP_HTTP_LEGACY_REST_ENABLED"
_GUIDE = "https://github.com/wekadocs/wekadocs-mcp/blob/main/docs/how-to/migrate.md"
_STRINGS = {"type": "array", "items": {"type": "string"}}
# What these endpoints published; the arguments that really worked are taken too.
_PUBLISHED: dict[str, dict[str, Any]] = {
    "search_documentation": {
        "query": {"type": "string"},
        "top_k": {"type": "integer", "default": 20},
        "verbosity": {"type": "string", "enum": ["full", "graph"], "default": "graph"},
    },
    "traverse_relationships": {
        "node_id": {"type": "string"},
        "relationship_types": _STRINGS,
        "max_depth": {"type": "integer", "default": 2},
    },
}
_SPELLINGS = (("node_id", "start_ids"), ("relationship_types", "rel_types"))  # published, and what really worked
_ONLY_FOR_KNOWN = "search_documentation"


async def initialize(request: HttpRequest) -> HttpReply:
    body = {
        "protocol_version": "1.0",
        "server_info": dict(request.server_info),
        "capabilities": {"tools": True, "prompts": False, "resources": False},
    }
    return _reply(request, body)


async def tools_list(request: HttpRequest) -> HttpReply:
    tools = []
    for name, properties in _PUBLISHED.items():
        tool = request.tool(name) if request.is_known or name != _ONLY_FOR_KNOWN else None
        if tool is not None:
            schema = {"type": "object", "properties": properties, "required": [next(iter(properties))]}
            tools.append({"name": name, "description": _described(tool), "input_schema": schema})
    return _reply(request, {"tools": tools})


def _described(tool: Mapping[str, Any]) -> str:
    """Without the line of MCP's defaults: here they are the schema's."""
    return "\n".join(line for line in tool["description"].split("\n") if not line.startswith("Defaults: "))


async def tools_call(request: HttpRequest) -> HttpReply:
    asked = request.body if isinstance(request.body, dict) else {}
    name, arguments = asked.get("name"), asked.get("arguments", {})
    if not isinstance(name, str) or not isinstance(arguments, dict):
        return _reply(request, {"detail": "Send an object with name, a string, and arguments, an object."}, 422)
    if name not in _PUBLISHED:
        return _failed(request, f"Unknown tool: {name[:100]}")
    if name == "traverse_relationships":
        wrong = _misspelt(arguments)
        if wrong:
            return _failed(request, f"Validation error: {wrong}")
        arguments = _spelt(arguments)
    outcome = await request.call(name, arguments)
    if outcome.error is not None:
        return _failed(request, outcome.content[0]["text"])
    data = outcome.data if outcome.data is not None else json.loads(outcome.content[0]["text"])
    return _reply(request, {"content": _blocks(name, data), "is_error": False})


def _misspelt(given: Mapping[str, object]) -> str:
    """Why these arguments mean nothing, in the names that are published here."""
    if any(published in given and worked in given for published, worked in _SPELLINGS):
        return "pass node_id or start_ids, and relationship_types or rel_types."
    if not given.get("node_id") and not given.get("start_ids"):
        return "node_id, or start_ids, is required and cannot be empty."
    if not isinstance(given.get("node_id", ""), str):
        return "node_id is the id of one node, a string."
    types = given.get("relationship_types", [])
    if not isinstance(types, list) or not all(isinstance(each, str) for each in types):
        return "relationship_types is a list of strings."
    return ""


def _spelt(arguments: Mapping[str, object]) -> dict[str, Any]:
    """What was published as what really worked."""
    given = dict(arguments)
    for published, worked in _SPELLINGS:
        if published in given:
            given[worked] = given.pop(published)
    if isinstance(given.get("start_ids"), str):
        given["start_ids"] = [given["start_ids"]]
    return {"include_text": True, **given}


def _blocks(name: str, data: Mapping[str, object]) -> list[dict[str, Any]]:
    if name == "traverse_relationships":
        return [{"type": "text", "text": json.dumps(data, ensure_ascii=False, separators=(",", ":"))}]
    return [{"type": "text", "text": data["answer_markdown"]}, {"type": "json", "json": data["answer_json"]}]


def _failed(request: HttpRequest, text: str) -> HttpReply:
    return _reply(request, {"content": [{"type": "text", "text": text}], "is_error": True})


def _reply(request: HttpRequest, body: Mapping[str, object], status: int = 200) -> HttpReply:
    """With what tells a client, its logs and its author that this will go."""
    settings = request.settings
    since, until = dates(settings)
    headers = {
        "Deprecation": f"@{int(since.timestamp())}",
        "Sunset": format_datetime(until, usegmt=True),
        "Link": f'</_mcp>; rel="successor-version", <{_GUIDE}>; rel="deprecation"; type="text/markdown"',
    }
    end = f"and go with release {settings['sunset_release']}"
    warning = f"These endpoints are deprecated {end}: connect an MCP client to /_mcp instead."
    return HttpReply({**body, "warning": warning}, status, headers)


def dates(settings: Mapping[str, Any]) -> tuple[datetime, datetime]:
    """Since when they are deprecated, and when they go."""
    since, until = (datetime.fromisoformat(settings[key]).replace(tzinfo=UTC) for key in ("deprecated", "sunset"))
    return since, until


ROUTES = (
    HttpRoute("POST", "/mcp/initialize", initialize, FLAG),
    HttpRoute("GET", "/mcp/tools/list", tools_list, FLAG),
    HttpRoute("POST", "/mcp/tools/call", tools_call, FLAG),
)
