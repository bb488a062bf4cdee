"""`ingest`; the other commands have files of their own."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wekadocs_text import one_line, printed

from .ask import ask, search
from .copies import backup, reset, restore
from .evaluate import evaluate
from .init.command import init
from .moving import migrate
from .named import named_places, named_roots, named_sites
from .progress import Progress, emit
from .sizing.command import size
from .status.command import status
from .stopping import stoppable

if TYPE_CHECKING:
    from wekadocs_corpus import Done, Plan, Root, Run, Stamp
    from wekadocs_mcp import Config

_EXAMPLES = """\b
Examples:
  wekadocs-mcp ingest ./docs                       # a folder; run it again after edits
  wekadocs-mcp ingest README.md 'guides/**/*.md'   # files and globs
  wekadocs-mcp ingest git+https://example.com/handbook@main#docs   # a repository, its branch or tag, a folder of it
  wekadocs-mcp ingest https://docs.example.com/    # a site: its sitemap, its llms.txt, else its links
  wekadocs-mcp ingest manual.zip                   # an archive
  wekadocs-mcp ingest ./docs --watch               # keep following it
  wekadocs-mcp ingest ./docs --dry-run             # what would be done"""


@click.command(epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, metavar="PATH…")
@click.option("--json", "as_json", is_flag=True, help="One JSON event per line on stdout.")
@click.option("--project", help="Project to stamp on the documents (default: scope.project_id in tools.yaml).")
@click.option("--environment", help="Environment to stamp (default: scope.environment in tools.yaml).")
@click.option(
    "--repository", help="Repository to stamp (default: the one in tools.yaml, else the Git checkout's name)."
)
@click.option("--version", "version", metavar="VERSION", help="Version of the product, kept beside its other versions.")
@click.option("--docstrings", is_flag=True, help="Read Python files too, for their docstrings; later runs go on so.")
@click.option("--watch", is_flag=True, help="Stay, and ingest again whenever something changes.")
@click.option("--dry-run", is_flag=True, help="Say what would be done and change nothing.")
@click.option("--reembed", is_flag=True, help="Make all vectors anew with the configured model; files are not read.")
@click.option("--remove", is_flag=True, help="Forget the documents of these paths.")
@click.pass_obj
def ingest(
    config: Config,
    paths: tuple[str, ...],
    as_json: bool,
    project: str | None,
    environment: str | None,
    repository: str | None,
    version: str | None,
    docstrings: bool,
    watch: bool,
    dry_run: bool,
    reembed: bool,
    remove: bool,
) -> None:
    """Take documents in: files, folders, globs, archives, Git addresses, sites. Only what is new or changed is read.

    With a database that machines share, the same command on several of them shares the work.

    Exit 0: all taken in; 1: some files could not be read, the rest is in, or none was a document; 2: nothing could be
    done; 130: stopped by Ctrl-C, SIGTERM or SIGHUP, what was done is kept.
    """
    from wekadocs_corpus import CorpusError, Stamp, is_version

    scope = config.scope
    only = scope["repositories"][0] if len(scope["repositories"]) == 1 else None
    if version is not None and not is_version(version):
        raise click.UsageError("--version: letters, digits and . _ + -, such as 4.2 or 2026-03; not newest")
    where = (project or scope["project_id"], environment or scope["environment"])
    stamp = Stamp(*where, repository or only, version or "")
    if not paths and not reembed:
        raise click.UsageError("Name what to ingest, for example: wekadocs-mcp ingest ./docs")
    if remove and (watch or reembed):
        raise click.UsageError("--remove goes with neither --watch nor --reembed: run them one after the other")
    if reembed and dry_run:
        raise click.UsageError("--dry-run tells what would be read or removed; --reembed does neither")
    if watch and any(path.startswith("git+") for path in paths):
        raise click.UsageError(
            "--watch follows what is on this machine; run a Git address again to bring it up to date"
        )
    try:
        with stoppable(), Progress(as_json=as_json) as progress:
            settings = _settings(config, docstrings=docstrings)
            code = _ingest(config, settings, paths, stamp, progress, as_json, watch, dry_run, reembed, remove)
    except CorpusError as error:
        _fail(str(error), as_json)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(code)


def _settings(config: Config, *, docstrings: bool) -> Mapping[str, object]:
    settings = config.plugins.get("corpus", {})
    return {**settings, "ingest": {**settings.get("ingest", {}), "docstrings": True}} if docstrings else settings


def _ingest(
    config: Config,
    settings: Mapping[str, object],
    paths: tuple[str, ...],
    stamp: Stamp,
    progress: Progress,
    as_json: bool,
    watch: bool,
    dry_run: bool,
    reembed: bool,
    remove: bool,
) -> int:
    from wekadocs_corpus import Run

    paths = tuple(named_places(paths, config.data_dir)) if remove else paths
    if dry_run:
        with _looked_at(config.data_dir, settings) as folder:
            where = [] if remove else named_roots(paths, folder)
            sites = [] if remove else named_sites(paths, folder, settings, progress)
            run = Run(folder, settings, stamp, progress)
            return _show_plan(run.preview_removal(paths) if remove else run.preview([*where, *sites]), as_json)
    where = [] if remove else named_roots(paths, config.data_dir)
    sites = [] if remove else named_sites(paths, config.data_dir, settings, progress)
    run = Run(config.data_dir, settings, stamp, progress)
    if remove:
        return _tell(run.remove(paths), as_json)
    code = 0
    if reembed:
        code = _tell(run.reembed(), as_json)
    if where or sites:
        done = run.ingest([*where, *sites])
        code = max(code, _tell(done, as_json), done.report.found_nothing)
    if watch and where and code != 130:
        _follow(run, where, as_json)
    return code


@contextmanager
def _looked_at(data_dir: Path, settings: Mapping[str, object]) -> Iterator[Path]:
    """The data directory; where there is none yet, an empty one that leaves nothing behind."""
    from wekadocs_corpus import has_truth

    if has_truth(data_dir, settings):
        yield data_dir
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def _follow(run: Run, where: list[Root], as_json: bool) -> None:
    from wekadocs_corpus import WATCHED_SUFFIXES, CorpusError, changes

    if not as_json:
        click.echo("Watching for changes; Ctrl-C ends it.", err=True)
    for touched in changes(where, WATCHED_SUFFIXES):
        try:
            done = run.ingest(touched)
        except CorpusError as error:
            _complain(f"{error}; tried again at the next change", as_json)
            continue
        if done.worth_telling:
            _tell(done, as_json)


def _tell(done: Done, as_json: bool) -> int:
    if as_json:
        emit(done.event())
    else:
        for failure in done.report.failures:
            click.echo(printed(one_line(f"{failure.path}: {failure.reason}")), err=True)
        for each in done.report.unread:
            click.echo(printed(one_line(f"{each.path}: {each.sentence()}")), err=True)
        for note in done.notes:
            click.echo(one_line(f"note: {note}"), err=True)
        click.echo(done.sentence(), err=True)
    if done.report.interrupted:
        return 130
    return 1 if done.report.failures else 0


def _show_plan(plan: Plan, as_json: bool) -> int:
    if as_json:
        emit(
            {
                "event": "plan",
                "read": [task.origin.shown for task in plan.tasks],
                "remove": len(plan.gone),
                "unchanged": plan.seen - len(plan.tasks),
            }
        )
        return 0
    for task in plan.tasks:
        click.echo(one_line(f"{'new' if task.new else 'changed':<8} {task.origin.shown}"))
    unchanged = plan.seen - len(plan.tasks)
    click.echo(f"{len(plan.tasks):,} to read, {len(plan.gone):,} to remove, {unchanged:,} unchanged.", err=True)
    return 0


def _complain(message: str, as_json: bool) -> None:
    if as_json:
        emit({"event": "failed", "message": message})
    click.echo(one_line(f"wekadocs-mcp: {message}"), err=True)


def _fail(message: str, as_json: bool) -> None:
    _complain(message, as_json)
    sys.exit(2)


COMMANDS = (ingest, status, evaluate, ask, search, init, backup, restore, reset, migrate, size)
