"""The catalogue as an OpenAPI 3.1 document: an operation a listed tool, made from its contract, byte-stable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wekadocs_contracts.format.schemas import in_order, properties
from wekadocs_mcp import __version__
from wekadocs_mcp.app import App
from wekadocs_mcp.catalogue.served import ServedTool

from . import statuses
from .portable import placed

PATH, CALLS = "/openapi.json", "/tools/"
_ENVELOPE = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "details", "retryable"],
            "properties": {
                "code": {"type": "string", "description": "What went wrong, for programs."},
                "message": {"type": "string", "description": "What went wrong and the way out, for a model."},
                "details": {"type": "object"},
                "retryable": {"type": "boolean", "description": "Whether the same call may succeed later."},
            },
        }
    },
}
_REFUSED = {
    "type": "object",
    "required": ["error"],
    "properties": {"error": {"type": "object", "properties": {"message": {"type": "string"}}}},
}
_CONTENT = {
    "type": "object",
    "required": ["content"],
    "properties": {"content": {"type": "array", "items": {"type": "object"}, "description": "MCP content blocks."}},
}


def document(app: App, with_token: bool) -> dict[str, Any]:
    """What `GET /openapi.json` answers; `with_token`: whether callers need one."""
    schemas: dict[str, object] = {"Error": _ENVELOPE, "Refusal": _REFUSED}
    paths = {f"{CALLS}{tool.name}": {"post": _operation(tool, schemas)} for tool in app.catalogue.listed}
    server = app.config.server
    info = {"title": server.get("title") or server["name"], "version": __version__}
    components: dict[str, Any] = {"schemas": in_order(schemas), "responses": _responses()}
    if with_token:
        components["securitySchemes"] = {"bearer": {"type": "http", "scheme": "bearer"}}
    return {
        "openapi": "3.1.0",
        "info": {**info, **({"description": app.instructions} if app.instructions else {})},
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}] if with_token else [],
        "paths": paths,
        "components": components,
    }


def operation_id(tool: ServedTool) -> str:
    """A name that every model's provider takes for a function."""
    return tool.name.replace(".", "_")


def _operation(tool: ServedTool, schemas: dict[str, object]) -> dict[str, Any]:
    name = operation_id(tool)
    out = tool.contract.output
    answer = _CONTENT if out is None else placed(f"{name}.output", in_order(out), schemas)
    body = {"schema": placed(f"{name}.input", in_order(tool.input), schemas)}
    needed = bool(tool.input.get("required"))
    return {
        "operationId": name,
        "summary": tool.title,
        "description": tool.description,
        "tags": [tool.contract.name.rpartition(".")[0] or "tools"],
        **({"deprecated": True} if tool.contract.status == "deprecated" else {}),
        # Some readers insist on arguments wherever there is a body.
        **(
            {"requestBody": {"required": needed, "content": {"application/json": body}}}
            if properties(tool.input)
            else {}
        ),
        "responses": _outcomes(tool, answer),
        "x-wekadocs-contract": {"name": tool.contract.name, "version": tool.contract.version},
    }


def _outcomes(tool: ServedTool, answer: Mapping[str, object]) -> dict[str, Any]:
    text = {"schema": {"type": "string"}}
    good = {
        "description": "The answer; with `Accept: text/plain` as a model reads it.",
        "content": {"application/json": {"schema": answer}, "text/plain": text},
    }
    failed = {str(status): {"$ref": "#/components/responses/Error"} for status in statuses.possible(tool.contract)}
    return {"200": good, **failed, "default": {"$ref": "#/components/responses/Refusal"}}


def _responses() -> dict[str, Any]:
    return {
        name: {
            "description": told,
            "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}},
        }
        for name, told in (
            ("Error", "The tool says no: what a model can act on."),
            ("Refusal", "Turned away before any tool was asked: token, Host, Origin, size."),
        )
    }
