"""The prompt a person can pick: a paragraph from a project's sources, with quotations that were checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wekadocs_mcp import Prompt, PromptArgument

if TYPE_CHECKING:
    from wekadocs_mcp import Call


async def write_with_checked_quotes(call: Call[object], project: str, topic: str) -> str:
    search, verify = call.served_name("chunks.query_hybrid"), call.served_name("chunks.verify_quotes")
    return (
        f"Write a paragraph on this from the sources in project {project}: {topic}\n\n"
        f"Call {search} with project and a query, several times if need be. Use nothing but the passages it returns. "
        "Put what you take word for word in quotation marks, each followed by its citation as [@citekey, p. PAGE]. "
        f"Then call {verify} with your paragraph as text, and correct every quotation that is not verified: quote what "
        "`stands` has, cite where it stands, or leave it out. Show the paragraph only when all of them are verified."
    )


PROMPTS = (
    Prompt(
        "write_with_checked_quotes",
        "Write a paragraph from a project's sources, with every quotation checked",
        write_with_checked_quotes,
        [
            PromptArgument("project", "Such as citeloom/clean-arch", required=True),
            PromptArgument("topic", "What to write about", required=True),
        ],
        tools=["chunks.query_hybrid", "chunks.verify_quotes"],
    ),
)
