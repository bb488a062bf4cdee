"""The reference pages of tools and of the files they are written in, rendered from contracts and schemas."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wekadocs_contracts import shipped
from wekadocs_contracts.format import contracts, templates
from wekadocs_contracts.format.contracts import Contract
from wekadocs_contracts.format.schemas import limits
from wekadocs_text import as_json, one_line, visible

from . import lock
from .schema_rows import MADE, cell, in_code, rows, table


def tool_pages(folders: Sequence[Path]) -> dict[str, str]:
    """File name → text, below docs/reference."""
    rendered: dict[str, str] = {}
    groups: dict[str, list[Contract]] = {}
    for folder in folders:
        for contract in contracts.load(contracts.contract_files(folder)):
            parents = Path(contract.file).relative_to(folder).parts[:-1] if folder.is_dir() else ()
            groups.setdefault(parents[0] if parents else contract.name.split(".")[0], []).append(contract)
    for group, members in sorted(groups.items()):
        rendered[f"tools/{group}.md"] = _tools_page(group, members)
    rendered["tools/README.md"] = _index(groups)
    return rendered


def _tools_page(group: str, members: Sequence[Contract]) -> str:
    source = Path(__file__).parent / "_templates" / "tools.md.j2"
    template = templates.environment().from_string(source.read_text("utf-8"))
    text: str = template.render(title=f"Tools: {one_line(group)}", tools=[shown_tool(contract) for contract in members])
    return tidy(text)


def tidy(text: str) -> str:
    """One blank line at most, one newline at the end."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.strip() or (lines and lines[-1]):
            lines.append(line if line.strip() else "")
    return "\n".join(lines).strip() + "\n"


def shown_tool(contract: Contract) -> dict[str, Any]:
    wire = lock.wire(contract)
    arguments = contract.bounded_input
    return {
        "name": contract.name,
        "major": contract.major,
        "title": one_line(contract.title),
        "version": contract.version,
        "status": contract.status,
        "replaced_by": contract.replaced_by,
        "flag": contract.flag,
        "list_flag": contract.list_flag,
        "description": visible(wire["description"]),
        "annotations": contract.annotations,
        "arguments": list(rows(arguments, arguments)),
        "aliases": {in_code(alias): in_code(name) for alias, name in contract.argument_aliases.items()},
        "fields": list(rows(contract.output, contract.output)) if contract.output else [],
        "budgets": {**templates.budget_defaults(), **contract.budgets},
        "limits": contract.limits,
        "environment": contract.environment,
        "task": contract.task,
        "defaults": limits(arguments)["default"],
        "errors": ["any"] if contract.codes is None else sorted(contract.codes),
        "renamed": contract.error_codes,
        "text_field": contract.text_field,
        "error_text": contract.error_text,
        "examples": [_example(example, index) for index, example in enumerate(contract.examples)],
    }


def _example(example: Mapping[str, Any], index: int) -> dict[str, Any]:
    return {
        "title": f"**{one_line(example.get('title') or f'Example {index + 1}')}**",
        "arguments": as_json(example["arguments"]),
        "expect": as_json(example["expect"]) if example.get("expect") else None,
        "expect_error": example.get("expect_error"),
    }


def _index(groups: Mapping[str, Sequence[Contract]]) -> str:
    lines = ["# Tools", "", MADE, "", "| tool | version | what it does |", "|---|---|---|"]
    for group, members in sorted(groups.items()):
        for contract in members:
            anchor = contract.name.replace(".", "").lower()
            lines.append(f"| [`{contract.name}`]({group}.md#{anchor}) | {contract.version} | {cell(contract.title)} |")
    return "\n".join(lines) + "\n"


def schema_page(title: str, file: str) -> str:
    schema = json.loads((Path(shipped.CONTRACTS) / "_schema" / file).read_text("utf-8"))
    lines = [
        f"# {title}",
        "",
        MADE,
        "",
        schema["description"],
        "",
        f"JSON Schema for editors: `contracts/_schema/{file}`.",
        "",
    ]
    return "\n".join([*lines, *table(schema)]) + "\n"
