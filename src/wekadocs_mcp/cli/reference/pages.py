"""The Markdown reference, rendered from contracts, schemas, hooks and commands: nothing in it is written twice."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from wekadocs_contracts.diff.report.rule_pages import rule_pages
from wekadocs_contracts.docs.schema_rows import MADE, cell
from wekadocs_contracts.docs.tool_pages import schema_page, tidy, tool_pages
from wekadocs_mcp import shipped
from wekadocs_mcp.config import deployment

from .python_page import python_page
from .settings_page import settings_page

if TYPE_CHECKING:
    import click


def pages(folders: Sequence[Path], commands: Mapping[str, click.Command]) -> dict[str, str]:
    """File name → text, below docs/reference. The host's own pages stand beside its own contracts only."""
    rendered = tool_pages(folders)
    if [Path(folder).resolve() for folder in folders] == [Path(shipped.CONTRACTS).resolve()]:
        rendered.update(_host_pages(commands))
    return rendered


def _host_pages(commands: Mapping[str, click.Command]) -> dict[str, str]:
    return {
        "contract.md": schema_page("The contract format", "contract.schema.json"),
        "tools-yaml.md": schema_page("tools.yaml", "tools.schema.json"),
        "plugin-settings.md": settings_page(),
        "hooks.md": _hooks_page(),
        "python.md": python_page(),
        "command-line.md": _commands_page(commands),
        **rule_pages(),
    }


def _hooks_page() -> str:
    from wekadocs_mcp.plugins import hookspecs
    from wekadocs_mcp.plugins.importing import HOOKS

    lines = ["# Hooks", "", MADE, "", inspect.cleandoc(hookspecs.__doc__ or ""), "", "| hook | meaning |", "|---|---|"]
    for name in HOOKS:
        function = getattr(hookspecs, name)
        parameters = ", ".join(inspect.signature(function).parameters)
        lines.append(f"| `{name}({parameters})` | {cell(inspect.cleandoc(function.__doc__ or ''))} |")
    return "\n".join(lines) + "\n"


def _commands_page(commands: Mapping[str, click.Command]) -> str:
    import click

    from wekadocs_mcp.cli.commands import plugin_commands, when_asked

    added = plugin_commands(deployment.load(shipped.TOOLS_YAML))
    lines = ["# Command line", "", MADE, ""]
    for name, command in sorted(_flat({**commands, **when_asked(), **added})):
        lines += [f"## `wekadocs-mcp {name}`", "", inspect.cleandoc(command.help or ""), "", "```text"]
        with click.Context(
            command, info_name=f"wekadocs-mcp {name}", max_content_width=100, terminal_width=100
        ) as context:
            lines += [*command.get_help(context).splitlines(), "```", ""]
    return tidy("\n".join(lines))


def _flat(commands: Mapping[str, click.Command], prefix: str = "") -> Iterator[tuple[str, click.Command]]:
    import click

    for name, command in commands.items():
        if isinstance(command, click.Group):
            yield from _flat(command.commands, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", command
