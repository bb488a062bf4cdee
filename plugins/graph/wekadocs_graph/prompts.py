"""The prompt a person can pick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wekadocs_mcp import Prompt, PromptArgument

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .answers import GraphState


async def explore_the_graph(call: Call[GraphState], topic: str) -> str:
    search, read = call.served_name("kb.search"), call.served_name("kb.read_excerpt")
    begin = f"Find out how {topic} hangs together in the documentation.\n\nCall {search} with the topic"
    if not call.state.corpus.settings.get("graph", True):
        return f"{begin}, then again with the names you find. Read what matters with {read} and its passage_id."
    entities, others = call.served_name("graph.entities_for_sections"), call.served_name("graph.sections_for_entities")
    expand, paths = call.served_name("graph.expand"), call.served_name("graph.paths")
    return (
        f"{begin} and keep the section_ids of the best one to three candidates: they are nodes of the graph.\n"
        f"1. {entities} tells what those sections define and name; {others} where else these things are spoken of.\n"
        f"2. {expand} shows links and neighbours, {paths} how two candidates are connected.\n"
        f"3. When at most three passages are left that matter, find them with {search} and read them with {read}.\n"
        f"Then say what the topic consists of, what it depends on and what refers to it, each with its title. If an "
        f"answer says neo4j_disabled, go on with {search} alone."
    )


PROMPTS = (
    Prompt(
        "explore_the_graph",
        "Explore how a topic is connected",
        explore_the_graph,
        [PromptArgument("topic", "Where to begin", required=True)],
        tools=["kb.search", "kb.read_excerpt"],
    ),
)
