"""`status`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import wekadocs_text
from wekadocs_text import one_line, printed

from .ingests import ingests

if TYPE_CHECKING:
    from wekadocs_mcp import Config

_ROWS = 12


@click.command(epilog="\b\nExamples:\n  wekadocs-mcp status\n  wekadocs-mcp status --json | jq .documents")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.pass_obj
def status(config: Config, as_json: bool) -> None:
    """Show what is indexed: documents, chunks, tokens, sizes, model, last ingest, per doc_tag; with a database that
    machines share, also how far ingests are, on whichever machine."""
    from wekadocs_corpus import CorpusError, read_status
    from wekadocs_mcp import deprecated_calls

    try:
        found = read_status(Path(config.data_dir), config.plugins.get("corpus", {}))
    except CorpusError as error:
        click.echo(one_line(f"wekadocs-mcp: {error}"), err=True)
        sys.exit(2)
    found["project"] = config.scope["project_id"]
    found["deprecated_calls"] = deprecated_calls(Path(config.data_dir))
    click.echo(wekadocs_text.as_json(found) if as_json else printed(_pretty(found)))


def _pretty(found: dict[str, Any]) -> str:
    lines = [
        f"{name.replace('_', ' '):<14} {_value(value)}"
        for name, value in found.items()
        if not isinstance(value, (dict, list))
    ]
    lines += ingests(found.get("ingests") or [])
    for title in ("projects", "doc_tags"):
        lines += _table(title.replace("_", " "), found.get(title) or {})
    lines += _going(found["deprecated_calls"])
    if not found["documents"]:
        lines.append("\nNothing is indexed yet: wekadocs-mcp ingest DIR")
    elif found["project"] not in found["projects"]:
        lines.append(f"\nNothing is indexed for project {found['project']}, which is served: see scope in tools.yaml")
    return "\n".join(lines)


def _table(title: str, rows: dict[str, dict[str, int]]) -> list[str]:
    """The largest first; --json has them all."""
    largest = sorted(rows.items(), key=lambda row: (-row[1]["chunks"], row[0]))[:_ROWS]
    width = min(60, max((len(name) for name, _ in largest), default=0))
    lines = [
        f"  {one_line(name)[:60]:<{width}}  {row['documents']:>7,} documents  {row['chunks']:>8,} chunks"
        for name, row in largest
    ]
    if len(rows) > _ROWS:
        lines.append(f"  … and {len(rows) - _ROWS:,} more (--json lists them all)")
    return [f"\n{title}:", *lines] if lines else []


def _going(calls: dict[str, dict[str, dict[str, object]]]) -> list[str]:
    """Who still uses names that will go."""
    rows = [(tool, client, row) for tool, clients in sorted(calls.items()) for client, row in sorted(clients.items())]
    lines = [f"  {tool:<26}  {client:<30} {row['calls']:>8,} calls  last {row['last']}" for tool, client, row in rows]
    return ["\ncalls of deprecated tools:", *lines] if lines else []


def _value(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value if value is not None else "-")
