"""The prompt a person can pick: research in a vault, with every claim leading to its note."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wekadocs_mcp import Prompt, PromptArgument

from ..vault.model import name_key

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from ..state import NotesState


async def research_in_vault(call: Call[object], question: str, vault: str | None = None) -> str:
    def name(tool: str) -> str:
        return call.served_name(f"notes.{tool}")

    named = f" Pass vault: {vault} to every tool." if vault else ""
    return (
        f"Answer this from the notes of the vault: {question}\n\n"
        f"Begin with {name('vault_guide')}: it says how the vault is meant to be read.{named} Search with "
        f"{name('search')}, in several wordings; read what is near with {name('get_node')} and follow its links with "
        f"{name('get_neighbors')} or {name('local_graph')}. "
        f"Where two notes seem to belong together, {name('find_path')} tells how. "
        "Answer only from what you read. Name the note's id after every claim, as [[id]]. Where notes contradict each "
        "other, say so and name both; what the notes do not tell, say that they do not."
    )


async def complete(call: Call[NotesState], argument: str, value: str) -> list[str]:
    return [each for each in call.state.vaults if argument == "vault" and name_key(each).startswith(name_key(value))]


PROMPTS = (
    Prompt(
        "research_in_vault",
        "Answer a question from the notes of a vault, every claim with its note",
        research_in_vault,
        [
            PromptArgument("question", "What you want to know", required=True),
            PromptArgument("vault", "Which vault, where several are configured"),
        ],
        complete=complete,
        tools=[
            f"notes.{each}"
            for each in ("vault_guide", "search", "get_node", "get_neighbors", "local_graph", "find_path")
        ],
    ),
)
