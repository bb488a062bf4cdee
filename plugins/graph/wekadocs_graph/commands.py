"""`graph show`: a look at one node."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

import wekadocs_text
from wekadocs_text import one_line, printed

if TYPE_CHECKING:
    from wekadocs_mcp import Config

_EXAMPLES = """\b
Examples:
  wekadocs-mcp graph show filesystems/mount.md
  wekadocs-mcp graph show 'strata mount' --depth 1
  wekadocs-mcp graph show 'Mount a filesystem' --json | jq .parts"""


@click.group()
def graph() -> None:
    """Look at what the documents are connected by."""


@graph.command(epilog=_EXAMPLES)
@click.argument("node", metavar="NODE")
@click.option("--depth", type=click.IntRange(0, 6), default=2, show_default=True, help="Levels of parts to show.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.pass_obj
def show(config: Config, node: str, depth: int, as_json: bool) -> None:
    """Print a node as a tree: what it is part of, its parts, links, and what it names or is named in.

    NODE is an id, the path of a document (with #anchor: one of its sections), a title, or the name of an entity.
    Exit 0: shown; 1: there is no such node; 2: the graph cannot be asked.
    """
    from wekadocs_corpus import CorpusError

    try:
        code = asyncio.run(_show(config, node, depth, as_json))
    except CorpusError as error:
        click.echo(f"wekadocs-mcp: {error}", err=True)
        code = 2
    sys.exit(code)


async def _show(config: Config, name: str, depth: int, as_json: bool) -> int:
    from wekadocs_corpus import Area, Corpus
    from wekadocs_corpus import graph_finding as finding

    from .tree import drawn, tree

    said = config.scope
    scope = Area(said["project_id"], said["environment"], tuple(said["doc_tags"]), tuple(said["repositories"]))
    corpus = await Corpus.open(Path(config.data_dir), config.plugins["corpus"], scope)
    try:
        found = await finding.find(corpus, scope, name)
        if not found:
            _unknown(name, await finding.near(corpus, scope, name), await corpus.is_empty(scope))
            return 1
        row = await tree(corpus, scope, found[0], depth)
        click.echo(wekadocs_text.as_json(row) if as_json else printed("\n".join(map(one_line, drawn(row)))))
        for other in found[1:]:
            click.echo(one_line(f"also called so: {other.label} {other.title} {other.path} [{other.id}]"), err=True)
        return 0
    finally:
        await corpus.close()


def _unknown(name: str, near: list[str], empty: bool) -> None:
    way = "; ".join(near) if near else "wekadocs-mcp status tells what is indexed"
    if empty:
        way = "nothing is indexed yet: wekadocs-mcp ingest DIR"
    click.echo(one_line(f"wekadocs-mcp: no node is called {name!r}. {'Near: ' if near else ''}{way}"), err=True)


COMMANDS = (graph,)
