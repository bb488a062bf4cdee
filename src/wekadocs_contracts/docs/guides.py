"""Pages about how tools work together: templates in a contract folder's `_guides/`, rendered over its contracts.

`tools` has every tool as the reference shows it, by name; `group('kb')` those of one namespace; `flags` the switches.
A name that no contract has, or an argument or field that its tool lacks, is an error: a guide cannot drift.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wekadocs_contracts import shipped
from wekadocs_contracts.format import contracts, templates
from wekadocs_contracts.format.source import read_text
from wekadocs_contracts.problems import Problem, StartError

from .tool_pages import shown_tool, tidy

FOLDER = "_guides"


def guides(folders: Sequence[Path]) -> dict[str, str]:
    """File name → text, below the folder for guides."""
    rendered: dict[str, str] = {}
    for folder in folders:
        for source in sorted((folder / FOLDER).rglob("*.md.j2")) if folder.is_dir() else ():
            name = source.relative_to(folder / FOLDER).as_posix().removesuffix(".j2")
            rendered[name] = _rendered(source, folder)
    return rendered


def _rendered(source: Path, folder: Path) -> str:
    from jinja2 import TemplateError

    tools = {each.name: shown_tool(each) for each in contracts.load(contracts.contract_files(folder))}
    context = {"tools": tools, "group": lambda name: _group(tools, name), "tool": _named(tools), "flags": _flags()}
    made = f"<!-- Made by `wekadocs-mcp contracts docs` from {folder.name}/{source.relative_to(folder).as_posix()}. -->"
    try:
        text = templates.render_page(read_text(source), {**context, "made": made})
    except (TemplateError, LookupError, RecursionError) as error:
        line = getattr(error, "lineno", 0) or 0
        raise StartError([Problem(str(source), str(error), "correct the template", line, 1)]) from error
    return tidy(text)


def _group(tools: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [tool for each, tool in sorted(tools.items()) if each.startswith(f"{name}.")]


def _named(tools: dict[str, Any]) -> Any:
    """`tool('kb.search', 'query', 'results')`: the name in code, once those arguments and fields are found."""

    def name(tool: str, *parts: str) -> str:
        if tool not in tools:
            raise LookupError(f"no contract is called {tool}")
        known = {row["name"].split(".")[-1] for side in ("arguments", "fields") for row in tools[tool][side]}
        missing = [part for part in parts if part not in known]
        if missing:
            raise LookupError(f"{tool} has neither an argument nor a field {', '.join(missing)}")
        return f"`{tool}`"

    return name


def _flags() -> dict[str, bool]:
    schema = json.loads((Path(shipped.CONTRACTS) / "_schema" / "tools.schema.json").read_text("utf-8"))
    return {name: each["default"] for name, each in schema["properties"]["flags"]["properties"].items()}
