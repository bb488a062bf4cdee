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

from .errors_page import errors_page
from .man_pages import man_pages
from .metrics_page import metrics_page
from .python_page import python_page
from .settings_page import settings_page

if TYPE_CHECKING:
    import click

_MAN = """\
The same as man pages, installed with the package: `man wekadocs-mcp`, `man wekadocs-mcp-ingest`. In an environment of
its own they lie in its `share/man`."""


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
        "errors.md": errors_page(Path(shipped.CONTRACTS)),
        "metrics.md": metrics_page(),
        **man_pages(_every(commands)),
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
    signatures = [f"def {name}{inspect.signature(getattr(hookspecs, name))}".replace("'", "") for name in HOOKS]
    lines += ["", "Their signatures; what the names mean is on [the page of Python names](python.md):", ""]
    lines += ["```python", *signatures, "```"]
    return "\n".join(lines) + "\n"


def _commands_page(commands: Mapping[str, click.Command]) -> str:
    import click

    lines = ["# Command line", "", MADE, "", *_MAN.splitlines(), ""]
    for name, command in sorted(_every(commands)):
        lines += [f"## `wekadocs-mcp {name}`", "", inspect.cleandoc(command.help or ""), "", "```text"]
        with click.Context(
            command, info_name=f"wekadocs-mcp {name}", max_content_width=100, terminal_width=100
        ) as context:
            lines += [*command.get_help(context).splitlines(), "```", ""]
    return tidy("\n".join(lines))


def _every(commands: Mapping[str, click.Command]) -> Iterator[tuple[str, click.Command]]:
    """With those of the plugins that are shipped."""
    from wekadocs_mcp.cli.commands import plugin_commands, when_asked

    return _flat({**commands, **when_asked(), **plugin_commands(deployment.load(shipped.TOOLS_YAML))})


def _flat(commands: Mapping[str, click.Command], prefix: str = "") -> Iterator[tuple[str, click.Command]]:
    import click

    for name, command in commands.items():
        if isinstance(command, click.Group):
            yield from _flat(command.commands, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", command
