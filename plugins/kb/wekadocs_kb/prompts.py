"""Two prompts a person can pick."""

from __future__ import annotations

from typing import Any

from wekadocs_mcp import Prompt, PromptArgument


async def answer_from_evidence(call: Any, question: str) -> str:
    retrieve, expand = call.served_name("kb.retrieve_evidence"), call.served_name("kb.expand_excerpt")
    return (
        f"Answer this from the documentation only: {question}\n\n"
        f"Call {retrieve} with the question. Use nothing but its quotes, cite each with its title and path, and say "
        f"plainly when answerable is false. If a quote is cut short, widen it with {expand} and its passage_id."
    )


async def explore_the_graph(call: Any, topic: str) -> str:
    search, read = call.served_name("kb.search"), call.served_name("kb.read_excerpt")
    expand, entities = call.served_name("graph.expand"), call.served_name("graph.entities_for_sections")
    return (
        f"Find out how {topic} hangs together in the documentation.\n\n"
        f"Call {search} and take the section_ids of the best one to three candidates. If {expand} and {entities} are "
        f"among your tools, look around those sections with them; if not, search again with the names you found. Read "
        f"text only of the passages that matter, with {read} and their passage_ids."
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
