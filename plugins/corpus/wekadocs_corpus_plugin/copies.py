"""`backup`, `restore` and `reset`: the whole corpus as one file, back from it, or gone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

import wekadocs_text
from wekadocs_text import one_line, printed

from .stopping import stoppable

if TYPE_CHECKING:
    from wekadocs_corpus import Copied
    from wekadocs_mcp import Config

_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")


@click.command(epilog="\b\nExamples:\n  wekadocs-mcp backup docs-backup.db\n  wekadocs-mcp restore docs-backup.db")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@_JSON
@click.pass_obj
def backup(config: Config, file: Path, as_json: bool) -> None:
    """Write all that was taken in to one FILE, while servers go on answering. Nothing is overwritten."""
    from wekadocs_corpus import back_up

    with _told():
        _refuse_server(config)
        _show(back_up(Path(config.data_dir), file), as_json, "written")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--replace", is_flag=True, help="Copy the corpus that is there aside, and put this one in its place.")
@_JSON
@click.pass_obj
def restore(config: Config, file: Path, replace: bool, as_json: bool) -> None:
    """Put a backup into the data directory. Servers that answer from it go on with the restored documents; those of
    notes, chunks and web pages are to be started again."""
    from wekadocs_corpus import restore as put_back

    with _told():
        _refuse_server(config)
        done, aside = put_back(file, Path(config.data_dir), replace=replace)
        _show(done, as_json, "restored", aside)


@click.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@_JSON
@click.pass_obj
def reset(config: Config, yes: bool, as_json: bool) -> None:
    """Forget all that was taken in. Your documents and settings stay as they are."""
    from wekadocs_corpus import reset as forget

    with _told():
        _refuse_server(config)
        if not yes:
            click.echo(f"This forgets all that is kept in {printed(str(config.data_dir))}.", err=True)
            click.echo("`wekadocs-mcp backup FILE` keeps a copy.", err=True)
            click.confirm("Forget it?", abort=True, err=True)
        gone = forget(Path(config.data_dir))
    if as_json:
        click.echo(wekadocs_text.as_json({"removed": gone}))
        return
    click.echo(f"{gone:,} documents forgotten." if gone else "Nothing was there.")


def _show(done: Copied, as_json: bool, word: str, aside: Path | None = None) -> None:
    found = {"file": str(done.path), "documents": done.documents, "chunks": done.chunks, "bytes": done.bytes}
    if as_json:
        click.echo(wekadocs_text.as_json(found | ({"former": str(aside)} if aside else {})))
        return
    click.echo(f"{done.documents:,} documents, {done.chunks:,} chunks {word}: {printed(str(done.path))}")
    if aside:
        click.echo(f"what was there before: {printed(str(aside))}", err=True)


def _refuse_server(config: Config) -> None:
    """These are for the file in the data directory, not for one that is left there beside a database."""
    from wekadocs_corpus import CorpusError

    if (config.plugins.get("corpus", {}).get("truth") or {}).get("url"):
        raise CorpusError(
            "the corpus is in PostgreSQL (plugins.corpus.truth.url): use pg_dump, pg_restore, DROP SCHEMA, or migrate"
        )


@contextmanager
def _told() -> Iterator[None]:
    """What cannot be done is one sentence and exit 2; Ctrl-C leaves nothing half-written."""
    from wekadocs_corpus import CorpusError

    try:
        with stoppable():
            yield
    except CorpusError as problem:
        click.echo(one_line(f"wekadocs-mcp: {problem}"), err=True)
        raise SystemExit(2) from None
    except (KeyboardInterrupt, click.Abort):
        click.echo("stopped; nothing was changed", err=True)
        raise SystemExit(130) from None
