"""The prompts a person can pick: a paragraph from a project's sources, with quotations that were checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wekadocs_mcp import Prompt, PromptArgument

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .state import ChunksState


_VERIFY = "chunks.verify_quotes"


async def write_with_checked_quotes(call: Call[object], project: str, topic: str) -> str:
    search, verify = call.served_name("chunks.query_hybrid"), call.served_name(_VERIFY)
    return (
        f"Write a paragraph on this from the sources in project {project}: {topic}\n\n"
        f"Call {search} with project and a query, several times if need be. Use nothing but the passages it returns. "
        "Put what you take word for word in quotation marks, each followed by its citation as [@citekey, p. PAGE]. "
        f"Then call {verify} with your paragraph as text, and correct every quotation that is not verified: quote what "
        "`stands` has, cite where it stands, or leave it out. Show the paragraph only when all of them are verified."
    )


async def from_papers_to_paragraph(call: Call[object], project: str, topic: str, style: str = "") -> str:
    served = call.served_name
    ingest, search, verify = served("chunks.ingest_documents"), served("chunks.query_hybrid"), served(_VERIFY)
    notes, cite = served("chunks.zotero_annotations"), served("chunks.format_citation")
    in_style = f" and style {style}" if style else ""
    return (
        f"From the papers of project {project} to a paragraph on this: {topic}\n\n"
        f"1. Call {ingest} with the project, again while `complete` is false. Tell which files and pages could not be "
        "read.\n"
        f"2. Call {search} with the project and a query, several times in different words. Where the project has a "
        f"Zotero library, {notes} tells what its reader marked. Use nothing but what they return.\n"
        "3. Write the paragraph. Put what you take word for word in quotation marks, each followed by its citation "
        "as [@citekey, p. PAGE].\n"
        f"4. Call {verify} with the paragraph as text. Correct every quotation that is not verified: quote what "
        "`stands` has, cite where it stands, or leave it out. Repeat until `verified` equals `count`.\n"
        f"5. Call {cite} with the citekeys{in_style}, and put its entries below.\n"
        "Show the paragraph only when all of its quotations are verified; say what the papers do not tell."
    )


async def known_projects(call: Call[ChunksState], argument: str, value: str) -> list[str]:
    return [each for each in call.state.configured.projects if argument == "project" and value.lower() in each.lower()]


_PROJECT = PromptArgument("project", "Such as citeloom/clean-arch", required=True)
_TOPIC = PromptArgument("topic", "What to write about", required=True)
PROMPTS = (
    Prompt(
        "write_with_checked_quotes",
        "Write a paragraph from a project's sources, with every quotation checked",
        write_with_checked_quotes,
        [_PROJECT, _TOPIC],
        complete=known_projects,
        tools=["chunks.query_hybrid", _VERIFY],
    ),
    Prompt(
        "from_papers_to_paragraph",
        "Read a project's folder of papers and write a paragraph from them, with every quotation checked",
        from_papers_to_paragraph,
        [_PROJECT, _TOPIC, PromptArgument("style", "A CSL style for the references, such as apa")],
        complete=known_projects,
        tools=["chunks.ingest_documents", "chunks.query_hybrid", _VERIFY, "chunks.format_citation"],
    ),
)
