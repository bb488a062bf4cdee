"""`eval`: the figures of a golden set, and whether they are good enough."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import wekadocs_text
from wekadocs_text import one_line, printed

if TYPE_CHECKING:
    from wekadocs_mcp import Config

    from .golden.asking import Asked
    from .golden.questions import Question

_EXAMPLES = """\b
Examples:
  wekadocs-mcp eval golden.yaml                                    # a table
  wekadocs-mcp eval golden.yaml --json | jq .figures
  wekadocs-mcp eval golden.yaml --write-baseline baseline.json     # keep the figures
  wekadocs-mcp eval golden.yaml --baseline baseline.json --fail-under 0.02
  wekadocs-mcp eval golden.yaml --fail-under hit@5=0.95 --fail-under text_tokens=600"""


@click.command("eval", epilog=_EXAMPLES)
@click.argument("file", metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout, with a row per question.")
@click.option("--baseline", metavar="FILE", help="Show the difference from these figures.")
@click.option(
    "--fail-under",
    multiple=True,
    metavar="NAME=NUMBER|NUMBER",
    help="Exit 1 below this figure (above it, for a cost); a bare NUMBER: how far a share may be below --baseline.",
)
@click.option("--write-baseline", metavar="FILE", help="Write the figures, without latencies, to this file.")
@click.pass_obj
def evaluate(
    config: Config,
    file: str,
    as_json: bool,
    baseline: str | None,
    fail_under: tuple[str, ...],
    write_baseline: str | None,
) -> None:
    """Ask a golden set of questions through the real tools; tell how good and how costly the answers are.

    Exit 0: measured, and good enough; 1: worse than --fail-under allows; 2: nothing could be measured.
    """
    from wekadocs_corpus_plugin.golden import baseline as kept
    from wekadocs_corpus_plugin.golden.questions import read_questions

    questions = read_questions(file)
    least, tolerance = kept.limits(fail_under, baseline is not None)
    before, asked_before = kept.read(Path(baseline)) if baseline else ({}, len(questions))
    if write_baseline:
        kept.refuse_unwritable(Path(write_baseline))
    if asked_before != len(questions):
        click.echo(f"note: {baseline} is of {asked_before} questions, {file} has {len(questions)}", err=True)
    found = _measure(config, questions)
    failed = kept.failures(found["figures"], least, before, tolerance)
    if write_baseline:
        kept.write(Path(write_baseline), len(questions), found["figures"])
    click.echo(wekadocs_text.as_json({**found, "failed": failed}) if as_json else printed(_table(found, before)))
    for line in failed:
        click.echo(one_line(f"worse: {line}"), err=True)
    sys.exit(1 if failed else 0)


def _measure(config: Config, questions: Sequence[Question]) -> dict[str, Any]:
    import asyncio

    from wekadocs_corpus_plugin.golden import figures
    from wekadocs_corpus_plugin.golden.asking import ask
    from wekadocs_mcp import calling

    from .progress import Progress

    async def run() -> list[Asked]:
        asked = []
        async with calling(config) as call:
            for each in questions:
                asked.append(await ask(call, each))
                progress("questions", len(asked), len(questions))
        return asked

    with Progress(as_json=False) as progress:
        asked = asyncio.run(run())
    return {
        "questions": len(asked),
        "figures": figures.measured(asked),
        "kinds": figures.by_kind(asked),
        "latency_ms": figures.latencies(asked),
        "rows": figures.rows(asked),
    }


def _table(found: Mapping[str, Any], before: Mapping[str, float]) -> str:
    from wekadocs_corpus_plugin.golden.figures import FIGURES

    lines = [f"{found['questions']} questions"]
    for name, value in found["figures"].items():
        change = f"{value - before[name]:+10.3f}" if name in before else " " * 10 if before else ""
        lines.append(f"  {name:<22}{value:>10.3f}{change}  {FIGURES[name].meaning}")
    for tool, at in found["latency_ms"].items():
        lines.append(f"  {tool:<22}" + "  ".join(f"{name} {value:g} ms" for name, value in at.items()))
    unmet = [(row["id"], wish) for row in found["rows"] for wish in row["unmet"]]
    lines += ["", *(one_line(f"unmet: {name}: {wish}") for name, wish in unmet)] if unmet else []
    return "\n".join(lines)
