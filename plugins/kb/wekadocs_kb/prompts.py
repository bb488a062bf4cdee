"""Two prompts a person can pick."""

from __future__ import annotations

from typing import Any

from wekadocs_mcp import Prompt, PromptArgument


async def answer_from_evidence(call: Any, question: str) -> str:
    return (
        f"Answer this from the documentation only: {question}\n\n"
        "Call kb.retrieve_evidence with the question. Use nothing but its quotes, cite each with its title and passage_id, "
        "and say plainly when answerable is false. If a quote is cut short, widen it with kb.expand_excerpt."
    )


async def explore_the_graph(call: Any, topic: str) -> str:
    return (
        f"Find out how {topic} hangs together in the documentation.\n\n"
        "Call kb.search, take the section_ids of the best one to three candidates, and look around them with graph.expand "
        "and graph.entities_for_sections. Read text only of the passages that matter, with kb.read_excerpt."
    )


PROMPTS = (
    Prompt(
        "answer_from_evidence",
        "Answer a question with quotes from the documentation",
        answer_from_evidence,
        [PromptArgument("question", "What to answer", required=True)],
    ),
    Prompt(
        "explore_the_graph",
        "Explore how a topic is connected",
        explore_the_graph,
        [PromptArgument("topic", "Where to begin", required=True)],
    ),
)
