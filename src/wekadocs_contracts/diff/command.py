"""`wekadocs-mcp contracts diff`: read two operands, compare, conclude, print."""

from __future__ import annotations

import gc
import inspect
import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wekadocs_contracts.problems import Refused
from wekadocs_text import one_line, printed

from .problems import Unreadable

if TYPE_CHECKING:
    from wekadocs_contracts.diff.operands.sides import Ask, Operand, Reading
    from wekadocs_contracts.diff.rules.table import Strictness

    from .outcome import Outcome

_SECONDS = 120  # of work, for a comparison
_EXAMPLES = """\b
Examples:
  wekadocs-mcp contracts diff                              # the working tree against the last release
  wekadocs-mcp contracts diff git:origin/main --format markdown
  wekadocs-mcp contracts diff ./old ./new --format json
  wekadocs-mcp contracts diff contracts http://127.0.0.1:8765/_mcp
  wekadocs-mcp contracts diff "stdio:npx some-server@1" "stdio:npx some-server@2"

\b
Exit codes: 0 fine, 1 breaking or bump too small, 2 unreadable, 3 could not prove, 4 live server unreachable."""


_PARAMETERS: list[click.Parameter] = [
    click.Argument(["base"], required=False, metavar="[BASE]"),
    click.Argument(["head"], required=False, metavar="[HEAD]"),
    click.Option(["--format", "form"], default="text", show_default=True,
                 type=click.Choice(["text", "json", "markdown", "github", "sarif", "junit"])),
    click.Option(["--strictness"], type=click.Choice(["strict", "standard", "lenient"]), default="standard",
                 show_default=True, help="strict: new error codes and raised budgets break too; lenient: changed "
                 "defaults, fields in closed answers, formats and switches only warn."),
    click.Option(["--allow-unproven"], is_flag=True, help="Accept what could not be proven safe."),
    click.Option(["--ignore", "ignore_file"], metavar="FILE", type=click.Path(dir_okay=False),
                 help="Accepted changes (default: diff-ignore.yaml in the folder HEAD)."),
    click.Option(["--max-tokens-increase"], metavar="N", type=int,
                 help="Fail if tools/list grows by more tokens than this."),
    click.Option(["--token"], metavar="BEARER", envvar="MCP_AUTH_TOKEN",
                 help="Bearer for live servers (or MCP_AUTH_TOKEN)."),
    click.Option(["--fix"], is_flag=True, help="Write the version that is needed, or the next major version's file."),
    click.Option(["--output"], metavar="FILE", type=click.Path(dir_okay=False),
                 help="Write there instead of to stdout."),
    click.Option(["--color"], type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True),
]  # fmt: skip


def diff_command(ask: Ask | None = None) -> click.Command:
    """`contracts diff`; `ask` lists the tools of live servers, and without it such an operand is refused."""
    return click.Command(
        "diff", callback=partial(_diff, ask), params=_PARAMETERS, help=inspect.getdoc(_diff), epilog=_EXAMPLES
    )


def _diff(
    ask: Ask | None, base: str | None, head: str | None, form: str, strictness: Strictness, allow_unproven: bool,
    ignore_file: str | None, max_tokens_increase: int | None, token: str | None, fix: bool, output: str | None,
    color: str,
) -> None:  # fmt: skip
    """Prove what a change of contracts breaks, and show a call that fails.

    BASE and HEAD are each a folder of contracts, git:REF[:FOLDER], a lock file, a JSON file of tools, null, http://…
    or stdio:COMMAND. Without HEAD: the working tree. Without BASE: the last release tag, else the merge base with the
    default branch.
    """
    asked = Asked(base, head, strictness, allow_unproven, ignore_file, max_tokens_increase, token, fix, ask)
    try:
        with ExitStack() as stack:
            gc.disable()  # one short run: to look through what the imports made takes a tenth of it
            stack.callback(gc.enable)
            done = _run(asked, form, stack)
    except Unreadable as error:
        click.echo(f"{printed(str(error))}\n", err=True)
        sys.exit(error.code)
    except Refused as error:
        click.echo(f"{printed(str(error))}\n", err=True)
        sys.exit(2)
    for line in done.fixed:
        click.echo(f"fixed     {one_line(line)}", err=True)
    if output:
        Path(output).write_text(click.unstyle(done.text) + "\n", encoding="utf-8")
    else:
        click.echo(done.text, color=None if color == "auto" else color == "always")
    sys.exit(done.exit_code)


@dataclass(frozen=True)
class Asked:
    base: str | None
    head: str | None
    strictness: Strictness
    allow_unproven: bool
    ignore_file: str | None
    max_tokens_increase: int | None
    token: str | None
    fix: bool
    ask: Ask | None = None


@dataclass(frozen=True)
class Done:
    text: str
    exit_code: int
    fixed: tuple[str, ...] = ()


def _run(asked: Asked, form: str, stack: ExitStack) -> Done:
    from wekadocs_contracts import sandbox
    from wekadocs_contracts.diff.operands import choose, sides

    named = asked.head or str(choose.working_tree())
    folder = named if Path(named).is_dir() else "contracts"
    reading = sides.Reading(stack, asked.token, asked.ask, folder)
    # The head is begun first: while a child process reads it, git is asked for the base.
    head = choose.read(named, reading)
    base = choose.read(asked.base or _default_base(), replace(reading, other=head))
    _import_the_rest()
    known = (base.tools, head.tools)  # a live server is asked here, not in the child and under its ceilings
    assert known is not None
    what = f"{base.label} → {head.label}"
    return sandbox.run(lambda: _compared(asked, form, base, head, reading), what, _SECONDS)


def _compared(asked: Asked, form: str, base: Operand, head: Operand, reading: Reading) -> Done:
    from wekadocs_contracts.diff.operands import choose

    from .report import render

    outcome = _conclude(asked, base, head, reading.folder)
    fixed: tuple[str, ...] = ()
    if asked.fix:
        from wekadocs_contracts.diff.operands import twins

        from . import fix, places

        fixed = tuple(fix.apply(outcome.comparison, outcome.checks))
        places.forget()
        twins.forget()
        outcome = _conclude(asked, base, choose.read(asked.head or reading.folder, reading), reading.folder)
    return Done(render(outcome, form), outcome.exit_code, fixed)


def _import_the_rest() -> None:
    """While child processes read both sides."""
    import jsonschema  # noqa: F401 - the second validator

    from . import report  # noqa: F401


def _default_base() -> str:
    from wekadocs_contracts.diff.operands.git import default_base

    return f"git:{default_base()}"


def _conclude(asked: Asked, base: Operand, head: Operand, folder: str) -> Outcome:
    from . import ignore
    from .compare import compare
    from .outcome import conclude

    accepted = Path(asked.ignore_file) if asked.ignore_file else Path(folder) / ignore.FILE
    beside = head.kind == "directory" and accepted.is_file()
    entries = ignore.load(accepted) if asked.ignore_file or beside else []
    return conclude(
        compare(base, head, asked.strictness),
        entries,
        allow_unproven=asked.allow_unproven,
        max_tokens_increase=asked.max_tokens_increase,
    )
