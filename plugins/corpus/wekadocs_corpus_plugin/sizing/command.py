"""`size`: what a corpus of so many documents needs, before it is there."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from .needs import SECTIONS_A_DOCUMENT, Needs, Store, needs

_UNITS = ("B", "KB", "MB", "GB", "TB", "PB")
_HEAD = ("", "memory", "disk", "shards", "copies", "machines")


@click.command(
    epilog="\b\nExamples:\n  wekadocs-mcp size --documents 100000\n  wekadocs-mcp size --sections 1000000000 --json"
)
@click.option("--documents", type=click.IntRange(1), help=f"Pages; each counts as {SECTIONS_A_DOCUMENT} sections.")
@click.option("--sections", type=click.IntRange(1), help="Sections, as `status` counts chunks, instead of documents.")
@click.option(
    "--dimension", type=click.IntRange(8, 8192), default=256, show_default=True, help="Of the model's vectors."
)
@click.option(
    "--replicas", type=click.IntRange(1, 10), default=2, show_default=True, help="Copies of each Qdrant shard."
)
@click.option("--on-disk", is_flag=True, help="Qdrant keeps vectors on disk, as qdrant.on_disk has it.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
def size(
    documents: int | None, sections: int | None, dimension: int, replicas: int, on_disk: bool, as_json: bool
) -> None:
    """Memory, disk, shards and machines that a corpus of this size needs; from figures measured on ours."""
    if (documents is None) == (sections is None):
        raise click.UsageError("say how many: --documents N, or --sections N")
    count = sections if sections is not None else (documents or 0) * SECTIONS_A_DOCUMENT
    found = needs(count, dimension, replicas, on_disk)
    click.echo(json.dumps(asdict(found)) if as_json else "\n".join(_lines(found)))


def _lines(found: Needs) -> list[str]:
    lines = [f"{found.sections:,} sections, vectors of {found.dimension} numbers"]
    if found.embedded is not None:
        alone = found.embedded
        lines += [
            "",
            f"One machine, nothing else: {shown(alone.memory)} of memory, {shown(alone.disk)} of disk.",
        ]
    rows = [_HEAD, *map(_row, found.stores)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    lines += ["", "Several machines:" if found.embedded else "More than was tried on one machine. Several:"]
    lines += [
        "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    servers = f"  servers: {found.servers}, {shown(found.server_memory)} each"
    return [*lines, f"{servers}; Valkey: {shown(found.valkey_memory)}", "", "docs/explanation/scaling.md tells how."]


def _row(store: Store) -> tuple[str, ...]:
    counts = (store.shards, store.copies, store.machines)
    return (store.name, shown(store.memory), shown(store.disk), *map(str, counts))


def shown(count: int) -> str:
    """Two figures that count."""
    value, unit = float(count), 0
    while value >= 999.5:
        value, unit = value / 1000, unit + 1
    return f"{value:.2g} {_UNITS[unit]}" if value < 10 else f"{value:.0f} {_UNITS[unit]}"
