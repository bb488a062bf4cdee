"""`wekadocs-contracts`: the light command line, where no host is installed."""

from __future__ import annotations

import sys

import click

from wekadocs_contracts.problems import StartError
from wekadocs_text import printed

from .making import Host, commands


def main() -> None:
    """The console script."""
    group = click.Group(
        "wekadocs-contracts",
        commands={command.name or "": command for command in commands(Host())},
        help="Contracts of MCP tools: check them, publish them, and prove what a change of them breaks.",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    try:
        group(prog_name="wekadocs-contracts")
    except StartError as error:
        click.echo(printed(f"{error}\n"), err=True)
        sys.exit(1)
