"""What tests of a call share: a few contracts, and how an error looks in an outcome."""

from __future__ import annotations

import json
from typing import Any

ANYTHING = {"type": "object", "additionalProperties": True}

NESTED = {
    "type": "object",
    "$defs": {"paging": {"type": "object", "properties": {"size": {"type": "integer", "default": 10}}}},
    "properties": {
        "query": {"type": "string"},
        "plain": {"type": "object", "properties": {"a": {"type": "string"}}},
        "options": {
            "type": "object",
            "properties": {"mode": {"enum": ["fast", "slow"], "default": "fast"}, "deep": {"$ref": "#/$defs/paging"}},
        },
        "rows": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer", "default": 1}}}},
        "both": {
            "allOf": [{"type": "object", "properties": {"x": {"default": "x"}}}, {"properties": {"y": {"default": 2}}}]
        },
        "any": {"anyOf": [{"type": "object", "properties": {"z": {"default": 1}}}, {"type": "null"}]},
        "one": {"oneOf": [{"type": "object", "properties": {"z": {"default": 1}}}, {"type": "null"}]},
        "when": {"if": {"properties": {"z": {"default": 1}}}, "type": "object"},
    },
}


def error(outcome: Any) -> dict[str, Any]:
    assert outcome.error is not None, outcome
    assert outcome.data is None
    (block,) = outcome.content
    assert json.loads(block["text"]) == outcome.error
    assert set(outcome.error["error"]) == {"code", "message", "details", "retryable"}
    assert outcome.error["error"]["message"].strip()
    return outcome.error["error"]


FAST = {"timeout_seconds": 0.3}

CEILING = {"project_id": "docs", "environment": "prod", "doc_tags": ["a", "b"], "repositories": []}

SCOPED = {"type": "object", "properties": {"scope": {"$ref": "wekadocs:shared/scope"}}}

SHOW_SCOPE = """
    @tool("demo.echo")
    async def echo(call):
        scope = call.scope
        return {"got": [scope.project_id, scope.environment, list(scope.doc_tags), list(scope.repositories)]}
"""
