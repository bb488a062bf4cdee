"""`wekadocs-mcp init [DIR]`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wekadocs_corpus_plugin.progress import emit
from wekadocs_corpus_plugin.showing import coloured
from wekadocs_corpus_plugin.stopping import stoppable
from wekadocs_text import printed

from .journal import Journal
from .repository import look
from .steps import Setup, Step

if TYPE_CHECKING:
    from wekadocs_mcp import ClientFile, Config

_EXAMPLES = """\b
Examples:
  wekadocs-mcp init                    # this folder; every step is shown, and done when you say so
  wekadocs-mcp init ./my-docs --yes    # all of them
  wekadocs-mcp init --dry-run          # only show them
  wekadocs-mcp init --undo             # take back what was written"""


@click.command(epilog=_EXAMPLES)
@click.argument("folder", default=".", metavar="[DIR]")
@click.option("--yes", is_flag=True, help="Do every step without asking.")
@click.option("--dry-run", is_flag=True, help="Show the steps and change nothing.")
@click.option("--undo", is_flag=True, help="Take back exactly what was written for this folder.")
@click.option("--site-url", metavar="URL", help="Where the pages are published; else as the generator's file says.")
@click.option("--no-install", is_flag=True, help="Leave clients alone.")
@click.option("--json", "as_json", is_flag=True, help="One JSON event per line on stdout; needs --yes or --dry-run.")
@click.pass_obj
def init(
    config: Config,
    folder: str,
    yes: bool,
    dry_run: bool,
    undo: bool,
    site_url: str | None,
    no_install: bool,
    as_json: bool,
) -> None:
    """Set up a documentation repository: find its generator, write tools.yaml, ingest, ask, install into clients.

    Exit 0: done, or shown; 1: the pages answered no question; 2: nothing could be done; 130: stopped, and everything
    that this run did is taken back.
    """
    from wekadocs_corpus import CorpusError
    from wekadocs_mcp import StartError

    where = Path(folder).expanduser().resolve()
    if not where.is_dir():
        raise click.UsageError(f"{folder}: there is no such folder")
    journal = Journal(config.data_dir, where)
    if undo:
        _undo(config, journal, as_json)
        return
    if not (yes or dry_run) and (as_json or not sys.stdin.isatty()):
        raise click.UsageError("nobody is here to be asked: --yes does every step, --dry-run shows them")
    if site_url and not site_url.startswith(("https://", "http://")):
        raise click.UsageError(f"--site-url {site_url}: a whole address is meant, such as https://docs.example.com/")
    setup = Setup(look(where, site_url), config, _named_data(), journal, as_json)
    try:
        with stoppable():
            good = _go(setup, [] if no_install else _clients(), yes=yes, dry_run=dry_run)
    except (CorpusError, StartError) as error:
        click.echo(printed(f"wekadocs-mcp: {error}"), err=True)
        sys.exit(2)
    sys.exit(0 if good else 1)


def _named_data() -> str | None:
    named: str | None = click.get_current_context().find_root().params.get("data")
    return named or os.environ.get("WEKADOCS_DATA")


def _clients() -> list[ClientFile]:
    from wekadocs_mcp import ClientFile

    return ClientFile.found()


def _go(setup: Setup, clients: list[ClientFile], *, yes: bool, dry_run: bool) -> bool:
    before, good = len(setup.journal.notes), True
    _say(setup, "found", setup.found.found(), generator=setup.found.generator, pages=str(setup.found.pages))
    try:
        for number, step in enumerate(setup.steps(clients), 1):
            _say(setup, "step", f"\n{number}. {step.says[0].upper()}{step.says[1:]}", step=step.name, says=step.says)
            if step.detail and not setup.as_json:
                click.echo("".join(f"   {line}\n" for line in printed(step.detail).splitlines()), nl=False)
            if not dry_run and (yes or click.confirm("   Do it?", default=True)):
                good = _done(setup, step) and good
    except (KeyboardInterrupt, click.Abort):
        did = len(setup.journal.notes) > before
        click.echo(f"\nStopped; {'what this run did is taken back:' if did else 'nothing was done.'}", err=True)
        _take_back(setup.written(), setup.journal, before)
        sys.exit(130)
    if not dry_run:
        _say(setup, "done", "\nDone. `wekadocs-mcp init --undo` takes all of it back.")
    return good


def _done(setup: Setup, step: Step) -> bool:
    done = step.do()
    told = done.pop("told")
    if setup.as_json:
        emit({**done, "event": "did", "step": step.name})
    else:
        click.echo("".join(f"   {line}".rstrip() + "\n" for line in told.split("\n")), nl=False, color=coloured())
    return step.name != "ask" or bool(done.get("answerable"))


def _say(setup: Setup, event: str, words: str, **more: str) -> None:
    if setup.as_json:
        emit({"event": event, **more})
    else:
        click.echo(printed(words))


def _undo(config: Config, journal: Journal, as_json: bool) -> None:
    if not journal.notes:
        click.echo("Nothing to take back: nothing was set up for this folder.", err=True)
    _take_back(config, journal, 0)
    if as_json:
        emit({"event": "undone"})


def _take_back(config: Config, journal: Journal, since: int) -> None:
    from .undoing import take_back

    journal.undo(since, lambda note: take_back(config, note))
