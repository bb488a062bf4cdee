"""`wekadocs-mcp contracts …`: the commands of contracts, with what only a host knows; `test`, which runs plugins."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from wekadocs_contracts.commands.making import Host, commands
from wekadocs_text import as_json as to_json
from wekadocs_text import one_line, printed

from .commands import configure, deployment, examples


@click.group(
    epilog=examples(
        "wekadocs-mcp contracts new demo.hello --into ./my-tools",
        "wekadocs-mcp contracts lint ./my-tools",
        "wekadocs-mcp contracts test --plugins ./my-tools",
    )
)
def contracts() -> None:
    """Make, check and publish contracts."""


@contracts.command(
    epilog=examples(
        "wekadocs-mcp contracts test --plugins ./my-tools",
        "wekadocs-mcp contracts test demo.hello --plugins ./my-tools",
    )
)
@click.argument("names", nargs=-1, metavar="[TOOL]...")
@click.option("--json", "as_json", is_flag=True, help="Results as a JSON list.")
@deployment
def test(names: tuple[str, ...], as_json: bool, config: str | None, data: str | None, **options: Any) -> None:
    """Run every example through the real pipeline, in a throw-away data directory. Exit 1 if one fails."""
    import asyncio
    import tempfile

    from .examples import run
    from .printing import to_stderr

    with tempfile.TemporaryDirectory(prefix="wekadocs-test-") as folder, to_stderr():
        results = asyncio.run(run(configure(config, data or folder, **options), names, throw_away=not data))
    if as_json:
        click.echo(to_json([result.__dict__ for result in results]))
    else:
        for result in results:
            line = one_line(f"{result.tool} {result.title}")
            click.echo(printed(f"ok     {line}" if result.ok else f"FAILED {line}: {result.why}"))
        failed = sum(not result.ok for result in results)
        click.echo(f"{len(results)} examples, {failed} failed")
    sys.exit(0 if all(result.ok for result in results) else 1)


def _known_tools() -> set[str]:
    from wekadocs_mcp.plugins.discovery import known_tools

    return known_tools(None)


def _pages(folders: Sequence[Path], context: click.Context) -> dict[str, str]:
    from wekadocs_mcp.cli.reference.pages import pages

    root = context.find_root().command
    return pages(folders, root.commands if isinstance(root, click.Group) else {})


for _command in commands(Host("wekadocs-mcp contracts", _known_tools, _pages)):
    contracts.add_command(_command)
