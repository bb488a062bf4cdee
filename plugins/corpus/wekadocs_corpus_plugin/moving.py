"""`migrate`: the corpus to another truth, a database that machines share or a data directory, while servers answer."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wekadocs_text import one_line

from .progress import Progress, emit
from .stopping import stoppable

if TYPE_CHECKING:
    from wekadocs_corpus import Moved
    from wekadocs_mcp import Config

_STOPPED = "stopped; the same command goes on where it was"


@click.command(
    epilog="\b\nExamples:\n  wekadocs-mcp migrate --to postgresql://db.example.com/wekadocs\n"
    "  DATABASE_URL=postgresql://db.example.com/wekadocs wekadocs-mcp migrate --to ./data"
)
@click.option("--to", required=True, metavar="PLACE", help="postgresql://… or a data directory.")
@click.option("--dry-run", is_flag=True, help="Only say how much there is to copy.")
@click.option("--json", "as_json", is_flag=True, help="Progress and result as JSON lines on stdout.")
@click.pass_obj
def migrate(config: Config, to: str, dry_run: bool, as_json: bool) -> None:
    """Copy all that was taken in to another truth and compare both, byte by byte. Servers go on answering; run it again
    for what changed meanwhile, or after it was stopped."""
    from wekadocs_corpus import CorpusError, move

    try:
        with stoppable(), Progress(as_json=as_json) as progress:
            done = move(Path(config.data_dir), config.plugins.get("corpus", {}), to, progress, dry=dry_run)
    except CorpusError as problem:
        click.echo(one_line(f"wekadocs-mcp: {problem}"), err=True)
        raise SystemExit(2) from None
    except (KeyboardInterrupt, click.Abort):
        click.echo(_STOPPED, err=True)
        raise SystemExit(130) from None
    _show(done, to, as_json=as_json, dry=dry_run)


def _show(done: Moved, to: str, *, as_json: bool, dry: bool) -> None:
    if as_json:
        emit({"event": "dry_run" if dry else "done", **asdict(done)})
        return
    collected = f", {done.collections:,} chunks of collections" if done.collections else ""
    there = f"{done.documents:,} documents, {done.chunks:,} chunks{collected}"
    if dry:
        click.echo(f"{there} would be copied.")
        return
    click.echo(f"{there}: the same on both sides; {done.copied:,} changes were copied now.")
    where = "DATABASE_URL" if "://" in to else "--data or WEKADOCS_DATA"
    click.echo(f"Servers answer from there once {where} names it and they are started again.", err=True)
