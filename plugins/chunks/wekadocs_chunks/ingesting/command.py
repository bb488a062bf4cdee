"""`wekadocs-mcp chunks ingest PROJECT`: the same as the tool, for people and schedules."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, cast

import click

import wekadocs_text
from wekadocs_mcp import ToolError
from wekadocs_text import one_line, printed

from .report import FAILED, IngestReport

if TYPE_CHECKING:
    from wekadocs_kit import Scratch
    from wekadocs_mcp import Config

    from ..projects import Project
    from ..state import ChunksState

_EXAMPLES = """\b
Examples:
  wekadocs-mcp --config papers.yaml chunks ingest citeloom/clean-arch
  wekadocs-mcp --config papers.yaml chunks ingest citeloom/clean-arch --watch"""


@click.group("chunks")
def chunks() -> None:
    """Papers and books in projects (plugin chunks)."""


@chunks.command("ingest", epilog=_EXAMPLES)
@click.argument("project")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout for each run.")
@click.option("--watch", is_flag=True, help="Stay, and ingest again whenever something changes.")
@click.pass_obj
def ingest(config: Config, project: str, as_json: bool, watch: bool) -> None:
    """Take the documents in a project's folders in. Only what is new or changed is read.

    Exit 0: all taken in; 1: some files could not be read, the rest is in; 2: nothing could be done; 130: Ctrl-C.
    """
    from wekadocs_corpus import CorpusError

    try:
        sys.exit(asyncio.run(_ingest(config, project, as_json, watch)))
    except (ToolError, CorpusError) as error:
        click.echo(one_line(f"wekadocs-mcp: {error}"), err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


async def _ingest(config: Config, name: str, as_json: bool, watch: bool) -> int:
    from wekadocs_corpus import Area, Corpus

    from ..projects import configured
    from ..state import ChunksState
    from .watching import follow

    scope = config.scope
    home = Area(scope["project_id"], scope["environment"])
    corpus = await Corpus.open(config.data_dir, config.plugins["corpus"], home)
    try:
        none = cast("Scratch", None)  # for cursors, of which a command has none
        state = ChunksState(corpus, none, configured(config.plugins["chunks"]))
        project = state.project(name)
        if not project.folders:
            raise ToolError("INVALID_ARGUMENT", f"{name} has no folders: plugins.chunks.projects.{name}.folders")
        if watch:
            await follow(state, project, threading.Event(), lambda _, report: _tell(report, as_json))
        return _tell(await _once(state, project), as_json)
    finally:
        await corpus.close()


async def _once(state: ChunksState, project: Project) -> IngestReport:
    from wekadocs_corpus import stopping

    from .run import Ingest, target_of

    work = Ingest(state, project, await target_of(state, project), time.monotonic() + 365 * 86_400)
    report = await stopping.in_thread(work.run, (), _progress if sys.stderr.isatty() else _silent)
    await state.collections.publish(project.id, 60.0)
    return report


def _silent(done: int, total: int, path: str) -> None:
    """Nobody looks."""


def _progress(done: int, total: int, path: str) -> None:
    click.echo(f"\r{done:,} of {total:,}  {printed(one_line(path))[:60]:<60}", nl=done == total, err=True)


def _tell(report: IngestReport, as_json: bool) -> int:
    if as_json:
        found: dict[str, Any] = {
            **report.counts(),
            "chunks_written": report.chunks_written,
            "chunks_removed": report.chunks_removed,
            "files": [each.row() for each in report.files],
            "complete": not report.interrupted,
            "warnings": report.warnings,
        }
        click.echo(wekadocs_text.as_json(found, separators=(",", ":")))
    else:
        for each in report.files:
            if each.reason or each.unread:
                click.echo(printed(one_line(each.sentence())), err=True)
        for note in report.warnings:
            click.echo(printed(one_line(f"note: {note}")), err=True)
        click.echo(report.sentence(), err=True)
    return 1 if any(each.status == FAILED for each in report.files) else 0
