"""Resources: a text, a picture, one that can be watched, and a template."""

from __future__ import annotations

import base64
import json

from wekadocs_mcp import Call, Resource

from .blocks import RED_PIXEL


async def _text(_: Call) -> str:
    return "This is the content of the static text resource."


async def _binary(_: Call) -> bytes:
    return base64.b64decode(RED_PIXEL)


async def _watched(_: Call) -> str:
    return "Clients can subscribe to this resource."


async def _template(_: Call, id: str) -> str:
    return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


RESOURCES = (
    Resource("test://static-text", "text", _text, "Text", "A text that never changes."),
    Resource("test://static-binary", "binary", _binary, "Picture", "A red pixel.", "image/png"),
    Resource("test://watched-resource", "watched", _watched, "Watched", "A text to subscribe to."),
    Resource("test://template/{id}/data", "data", _template, "Data", "Data of any id.", "application/json"),
)
