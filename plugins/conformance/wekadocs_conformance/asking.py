"""Questions to the client in the middle of a call, as the older protocol has them."""

from __future__ import annotations

import json
from typing import Any

from wekadocs_mcp import Answer, Call, ToolError, tool

from .blocks import says
from .questions import CAPABILITIES, Fields, Request, can_answer, elicitation, said, sampling

PERSON: Fields = {
    "username": {"type": "string", "description": "User's response"},
    "email": {"type": "string", "description": "User's email address"},
}
DEFAULTS: Fields = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}
OPTIONS = ["option1", "option2", "option3"]
TITLED = [
    {"const": "value1", "title": "First Option"},
    {"const": "value2", "title": "Second Option"},
    {"const": "value3", "title": "Third Option"},
]
CHOICES: Fields = {
    "untitledSingle": {"type": "string", "enum": OPTIONS},
    "titledSingle": {"type": "string", "oneOf": TITLED},
    "legacyEnum": {
        "type": "string",
        "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"],
    },
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": OPTIONS}},
    "titledMulti": {"type": "array", "items": {"anyOf": TITLED}},
}


async def _ask(call: Call, request: Request) -> dict[str, Any]:
    if not can_answer(call, request):
        message = f"Call this from a client that declares the capability {CAPABILITIES[request['method']]}."
        raise ToolError("CAPABILITY_MISSING", message)
    return await call.client.request(request["method"], request["params"])


async def _elicited(call: Call, request: Request, words: str) -> Answer:
    result = await _ask(call, request)
    return says(f"{words}: action={result['action']}, content={json.dumps(result.get('content'))}")


@tool("test_sampling")
async def sample(call: Call, prompt: str) -> Answer:
    return says(f"LLM response: {said(await _ask(call, sampling(prompt)))}")


@tool("test_elicitation")
async def elicit(call: Call, message: str) -> Answer:
    return await _elicited(call, elicitation(message, PERSON), "User response")


@tool("test_elicitation_sep1034_defaults")
async def elicit_defaults(call: Call) -> Answer:
    request = elicitation("Please review these values", DEFAULTS, required=False)
    return await _elicited(call, request, "Elicitation completed")


@tool("test_elicitation_sep1330_enums")
async def elicit_choices(call: Call) -> Answer:
    request = elicitation("Please choose", CHOICES, required=False)
    return await _elicited(call, request, "Elicitation completed")


TOOLS = (sample, elicit, elicit_defaults, elicit_choices)
