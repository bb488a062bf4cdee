"""The page that shows an answer's quotes in clients that know MCP Apps; its contract names it as `view`."""

from __future__ import annotations

from wekadocs_kit import APP_TYPE, answer_page
from wekadocs_mcp import Call, Resource

from .state import KbState


async def read(_: Call[KbState]) -> str:
    return answer_page()


VIEW = Resource(
    "ui://wekadocs/answer",
    "answer",
    read,
    title="How an answer is shown",
    description="For clients that show MCP Apps: the quotes of an answer with their sources.",
    mime_type=APP_TYPE,
    annotations={"audience": ["user"], "priority": 0.1},
)
