"""The content blocks that tools and prompts return, as they stand on the wire."""

from __future__ import annotations

from typing import Any

from wekadocs_mcp import Answer

Block = dict[str, Any]

RED_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC"
SILENCE = "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA=="


def text(words: str) -> Block:
    return {"type": "text", "text": words}


def image() -> Block:
    return {"type": "image", "data": RED_PIXEL, "mimeType": "image/png"}


def audio() -> Block:
    return {"type": "audio", "data": SILENCE, "mimeType": "audio/wav"}


def resource(uri: str, mime_type: str, words: str) -> Block:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": words}}


def says(words: str) -> Answer:
    return Answer(content=[text(words)])
