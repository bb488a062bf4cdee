"""The prompt a person can pick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wekadocs_mcp import Prompt, PromptArgument

if TYPE_CHECKING:
    from wekadocs_mcp import Call


async def answer_from_evidence(call: Call[object], question: str) -> str:
    retrieve, expand = call.served_name("kb.retrieve_evidence"), call.served_name("kb.expand_excerpt")
    return (
        f"Answer this from the documentation only: {question}\n\n"
        f"Call {retrieve} with the question. Use nothing but its quotes, cite each with its title and path, and say "
        f"plainly when answerable is false. If a quote is cut short, widen it with {expand} and its passage_id."
    )


PROMPTS = (
    Prompt(
        "answer_from_evidence",
        "Answer a question with quotes from the documentation",
        answer_from_evidence,
        [PromptArgument("question", "What to answer", required=True)],
        tools=["kb.retrieve_evidence", "kb.expand_excerpt"],
    ),
)
