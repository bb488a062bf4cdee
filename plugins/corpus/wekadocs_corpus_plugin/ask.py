"""`ask` and `search`: the tools of the same use, called as `call` calls them and shown to a person."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import wekadocs_text
from wekadocs_text import one_line, printed

from .progress import Progress
from .stopping import stoppable

if TYPE_CHECKING:
    from wekadocs_mcp import Config

_ASK = """\b
Examples:
  wekadocs-mcp ask "How do I mount a filesystem?"
  wekadocs-mcp ask --docs ./docs "How do I mount a filesystem?"   # takes the folder in first
  wekadocs-mcp ask --sample "How do I mount a filesystem?"        # the sample documentation
  wekadocs-mcp ask --json "How do I mount a filesystem?" | jq .quotes"""
_SEARCH = """\b
Examples:
  wekadocs-mcp search mount read-only
  wekadocs-mcp search --json quota | jq '.results[].path'"""
_NOTHING_INDEXED = "nothing_indexed"


def _asking(command: Callable[..., None]) -> Callable[..., None]:
    """The options both have."""
    for decorate in (
        click.option("--sample", is_flag=True, help="Ask the sample documentation, which is kept apart from yours."),
        click.option("--docs", metavar="DIR", help="Take this folder in first; only what changed is read."),
        click.option("--json", "as_json", is_flag=True, help="The structured answer, as `call` prints it."),
        click.pass_obj,
    ):
        command = decorate(command)
    return command


@click.command(epilog=_ASK)
@click.argument("question", nargs=-1, required=True)
@click.option("-n", "--max-quotes", type=int, metavar="N", help="At most so many quotes.")
@_asking
def ask(config: Config, question: tuple[str, ...], max_quotes: int | None, **how: Any) -> None:
    """Answer a question from your documents: quotes with their pages, and how likely they hold the answer.

    Exit 0: answered; 1: the documents do not seem to answer it, there are none yet, or asking failed; 2: it could not
    be asked. Colours only on a terminal, and not with NO_COLOR.
    """
    from .showing import answer

    bounds = {} if max_quotes is None else {"max_quotes": max_quotes}
    given = {"question": " ".join(question), **bounds}
    found = _answered(config, "kb.retrieve_evidence", given, **how)
    _show(found, answer, found.get("answerable", False), how["as_json"])


@click.command(epilog=_SEARCH)
@click.argument("words", nargs=-1, required=True)
@click.option("-n", "--top-k", type=int, metavar="N", help="At most so many pages.")
@_asking
def search(config: Config, words: tuple[str, ...], top_k: int | None, **how: Any) -> None:
    """List the pages on a topic, each with its best sentences.

    Exit 0: found; 1: nothing found, there are no documents yet, or searching failed; 2: it could not be searched.
    """
    from .showing import results

    bounds = {} if top_k is None else {"top_k": top_k, "page_size": top_k}
    found = _answered(config, "kb.search", {"query": " ".join(words), **bounds}, **how)
    _show(found, results, bool(found.get("results")), how["as_json"])


def _answered(
    config: Config, tool: str, arguments: dict[str, Any], docs: str | None, sample: bool, as_json: bool
) -> dict[str, Any]:
    """The structured answer; without documents a person is asked once which to take in."""
    if docs and sample:
        raise click.UsageError("--docs and --sample are two different things to ask: name one")
    try:
        _prepare(config, docs, sample)
        found = called(config, tool, arguments)
        if _reason(found) == _NOTHING_INDEXED and not (docs or sample or as_json) and _offer(config):
            found = called(config, tool, arguments)
    except (KeyboardInterrupt, click.Abort):  # the second while it is asked which documents
        sys.exit(130)
    return found


def _prepare(config: Config, docs: str | None, sample: bool) -> None:
    if sample:
        _turn_to_sample(config)
    elif docs:
        _take_in(config, docs)


def called(config: Config, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The structured answer, or the error."""
    import asyncio

    from wekadocs_mcp import calling

    async def once() -> dict[str, Any]:
        async with calling(config) as call:
            outcome = await call(tool, arguments)
            return outcome.error or outcome.data or {}

    return asyncio.run(once())


def _reason(found: dict[str, Any]) -> str | None:
    reason: str | None = found.get("error", {}).get("details", {}).get("reason")
    return reason


def _offer(config: Config) -> bool:
    """Where a person sits at a terminal: whether documents were taken in on the word of that person."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    text = "Nothing is indexed yet. A folder of documents to take in, or `sample` (Enter: neither)"
    said = click.prompt(text, default="", show_default=False, err=True).strip()
    if said:
        _prepare(config, said, said == "sample")
    return bool(said)


def _turn_to_sample(config: Config) -> None:
    """The sample has a folder of its own and no server, so that it never stands among somebody's documents."""
    from .sample import SERVERS, sample_folder

    config.data_dir = config.data_dir / "sample"
    settings = config.plugins.get("corpus", {})
    config.plugins["corpus"] = {name: value for name, value in settings.items() if name not in SERVERS}
    config.scope.update(doc_tags=[], repositories=[])
    _take_in(config, str(sample_folder()))


def _take_in(config: Config, folder: str) -> None:
    from wekadocs_corpus import CorpusError, Run, Stamp, roots

    scope = config.scope
    only = scope["repositories"][0] if len(scope["repositories"]) == 1 else None
    stamp = Stamp(scope["project_id"], scope["environment"], only)
    try:
        where = roots([str(Path(folder).expanduser())])
        with stoppable(), Progress(as_json=False) as progress:
            run = Run(config.data_dir, config.plugins.get("corpus", {}), stamp, progress)
            try:
                done = run.ingest(where)
            finally:
                run.truth.close()
    except CorpusError as error:
        click.echo(printed(f"wekadocs-mcp: {error}"), err=True)
        sys.exit(2)
    for failure in done.report.failures:
        click.echo(printed(one_line(f"{failure.path}: {failure.reason}")), err=True)
    if done.worth_telling:
        click.echo(done.sentence(), err=True)
    if done.report.interrupted:
        sys.exit(130)


def _show(found: dict[str, Any], shown: Callable[[dict[str, Any]], str], good: bool, as_json: bool) -> None:
    from .showing import coloured

    if as_json:
        click.echo(wekadocs_text.as_json(found, separators=(",", ":")))
    elif "error" in found:
        click.echo(printed(f"wekadocs-mcp: {_refusal(found)}"), err=True)
    else:
        click.echo(shown(found), color=coloured())
    sys.exit(0 if good else 1)


def _refusal(found: dict[str, Any]) -> str:
    if _reason(found) != _NOTHING_INDEXED:
        return str(found["error"]["message"])
    command = click.get_current_context().info_name
    said = str(found["error"]["message"]).partition(":")[0]
    if "only for" in said:  # `init` made a project of its own
        return f"{said}.\n  those documents:  wekadocs-mcp --config THEIR/tools.yaml {command} …"
    return (
        "nothing is indexed yet.\n"
        f"  your documents:  wekadocs-mcp {command} --docs DIR …\n"
        f"  the sample:      wekadocs-mcp {command} --sample …"
    )
