"""The reference page of error codes: which tools may answer with each, from their contracts, and what to do then."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wekadocs_contracts.docs.schema_rows import MADE
from wekadocs_contracts.format import contracts

_ABOUT = """\
A tool that fails answers `isError: true` with `{"error": {"code", "message", "details", "retryable"}}`; the message
says what to do next, and `retryable` whether the same call may succeed later. A contract names the codes of its tool.
Requests that are no call of a tool fail with a JSON-RPC error: `-32602` for an unknown tool, resource or prompt,
`-32600` and `-32700` for what is no request."""

# What happened, and what whoever called does next.
MEANINGS = {
    "INVALID_ARGUMENT": (
        "An argument is missing, unknown, wrong or over a limit; or an id is not known any more.",
        "Change the call as the message says; it names the argument and the nearest name.",
    ),
    "INVALID_PARAMS": ("The same, as the notes tools call it.", "Change the call as the message says."),
    "SCOPE_VIOLATION": (
        "The call asks for what this server may not show: another project, environment or tag.",
        "Leave `scope` out, or narrow it.",
    ),
    "BACKEND_UNAVAILABLE": (
        "A store, graph, model or page cannot be reached, or is switched off.",
        "Try again; `wekadocs-mcp doctor` tells the operator what is down.",
    ),
    "TIMEOUT": ("It took longer than its contract or `MCP_TOOL_TIMEOUT` allows.", "Try again, or ask for less."),
    "BUDGET_EXCEEDED": ("The answer cannot be cut to its limit of bytes.", "Ask for fewer rows or shorter texts."),
    "INTERNAL_ERROR": (
        "The server made a mistake; nothing of it is told but an id.",
        "The operator finds the id in the log.",
    ),
    "EMBEDDING_MISMATCH": (
        "The vectors of the project come from another model than the one that asks.",
        "Name the model of the project, or store it anew.",
    ),
    "HYBRID_NOT_SUPPORTED": (
        "The project has no vectors, or no words, to search by both.",
        "Search by the one it has.",
    ),
    "INDEX_UNAVAILABLE": (
        "What a project's chunks are kept or found in is missing or does not answer.",
        "Try again where it is `retryable`; else the message names the cause.",
    ),
    "INVALID_PROJECT": ("No project of this name is configured.", "Choose one that the message lists."),
    "LINK_INTEGRITY": ("Other notes link to the one that would go.", "Say with `on_incoming` what happens to them."),
    "NODE_EXISTS": ("There is a note of this name already.", "Choose another name, or update that note."),
    "NODE_NOT_FOUND": ("No note has this id.", "Search for it."),
    "PROVIDER_ERROR": (
        "The folder of notes cannot be read or written.",
        "Look at the reason in the message, then try again.",
    ),
    "STALE": ("The note changed since it was read.", "Read it again and write with its new hash."),
}


def errors_page(folder: Path) -> str:
    lines = ["# Errors", "", MADE, "", *_ABOUT.splitlines()]
    used = by_code(folder)
    for code in [*(code for code in MEANINGS if code in used), *sorted(used.keys() - MEANINGS.keys())]:
        meaning, way_out = MEANINGS.get(code, ("", ""))
        lines += ["", f"## `{code}`", "", meaning, f"What to do: {way_out}", f"Tools: {_shown(used[code])}."]
    return "\n".join(lines) + "\n"


def by_code(folder: Path) -> dict[str, list[str]]:
    """Code → the tools that may answer with it; those that only test clients are left out."""
    found: dict[str, list[str]] = {}
    for contract in contracts.load(contracts.contract_files(folder)):
        if Path(contract.file).parent.name != "conformance":
            for code in contract.codes or ():
                found.setdefault(code, []).append(contract.name)
    return found


def _shown(tools: Sequence[str]) -> str:
    """By the page that describes them."""
    groups = dict.fromkeys(name.partition(".")[0] if "." in name else "others" for name in sorted(tools))
    return ", ".join(
        f"[{group}](tools/{group}.md)" if group != "others" else "[old names](tools/legacy.md)" for group in groups
    )
