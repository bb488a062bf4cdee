"""What a tool may ask its client: one request for both eras, sent at once or returned as input required."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wekadocs_mcp import Call, InputRequired, ProtocolError

Request = Mapping[str, Any]
Fields = Mapping[str, Mapping[str, Any]]

MISSING_CLIENT_CAPABILITY = -32021
CAPABILITIES = {
    "elicitation/create": "elicitation",
    "sampling/createMessage": "sampling",
    "roots/list": "roots",
}
ROOTS: Request = {"method": "roots/list", "params": {}}


def elicitation(message: str, fields: Fields, required: bool = True) -> Request:
    schema: dict[str, Any] = {"type": "object", "properties": fields}
    if required:
        schema["required"] = list(fields)
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}}


def sampling(prompt: str, max_tokens: int = 100) -> Request:
    message = {"role": "user", "content": {"type": "text", "text": prompt}}
    return {"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": max_tokens}}


def can_answer(call: Call, request: Request) -> bool:
    return CAPABILITIES[request["method"]] in call.client.capabilities


def input_required(call: Call, requests: Mapping[str, Request], state: str | None = None) -> InputRequired:
    """Ask for input; a client must not be asked for what it did not declare."""
    missing = [CAPABILITIES[each["method"]] for each in requests.values() if not can_answer(call, each)]
    if missing:
        data: dict[str, Any] = {"requiredCapabilities": {capability: {} for capability in missing}}
        raise ProtocolError(MISSING_CLIENT_CAPABILITY, f"The client must declare {', '.join(missing)}.", data)
    return InputRequired(requests, state)


def response_to(call: Call, key: str) -> Mapping[str, Any] | None:
    """What the client answered to one request; None where it sent nothing, or no object."""
    response = call.client.input_responses.get(key)
    return response if isinstance(response, Mapping) else None


def entered(response: Mapping[str, object], field: str) -> str:
    """One field of a form, or what the user did instead of filling it in."""
    content = response.get("content")
    return str(content.get(field)) if isinstance(content, Mapping) else f"({response.get('action')})"


def said(response: Mapping[str, object]) -> str:
    """The text of a model's answer."""
    content = response.get("content")
    return str(content.get("text")) if isinstance(content, Mapping) else "(no text)"
