"""`wekadocs-mcp contracts diff`: read two operands, compare, conclude, print."""

from __future__ import annotations

import gc
import inspect
import re
import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from wekadocs_contracts.live.calling import Calling
from wekadocs_contracts.problems import Refused
from wekadocs_text import one_line, printed

from .problems import Unreadable

if TYPE_CHECKING:
    from wekadocs_contracts.diff.operands.sides import Operand, Reading
    from wekadocs_contracts.diff.rules.table import Strictness

    from .compare import Formats
    from .outcome import Outcome
    from .survival import Watch

# One file of `report` each; the package itself is imported only when there is something to tell.
FORMATS = ("text", "json", "markdown", "html", "changelog", "github", "sarif", "junit")
_SECONDS = 120  # of work, for a comparison
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")  # RFC 9110
_EXAMPLES = """\b
Examples:
  PROGRAM diff                              # the working tree against the last release
  PROGRAM diff git:origin/main --format markdown
  PROGRAM diff ./old ./new --format json
  PROGRAM diff contracts http://127.0.0.1:8765/_mcp
  PROGRAM diff npm:some-server@1 npm:some-server@2

\b
Exit codes: 0 fine, 1 breaking or bump too small, 2 unreadable, 3 could not prove, 4 live server unreachable."""


LIVE_OPTIONS: list[click.Parameter] = [
    click.Option(["--token"], metavar="BEARER", envvar="MCP_AUTH_TOKEN",
                 help="Bearer for live servers over HTTP (or MCP_AUTH_TOKEN)."),
    click.Option(["--header", "headers"], metavar="NAME:VALUE", multiple=True,
                 help="Sent to live servers over HTTP; repeatable."),
    click.Option(["--timeout"], metavar="SECONDS", type=click.FloatRange(min=0.1), default=30.0, show_default=True,
                 help="How long a live server may take."),
]  # fmt: skip


def calling(token: str | None, headers: tuple[str, ...], timeout: float) -> Calling:
    """How live servers are asked, by the command line's options."""
    pairs = [each.partition(":") for each in headers]
    for (name, colon, value), given in zip(pairs, headers, strict=True):
        if not colon or not _TOKEN.fullmatch(name.strip()) or not value.isprintable():
            raise click.BadParameter(f"{one_line(given)!r} is no NAME:VALUE", param_hint="--header")
    return Calling(token, tuple((name.strip(), value.strip()) for name, _, value in pairs), timeout)


def _rules(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if not asked or context.resilient_parsing:
        return
    from wekadocs_contracts.diff.rules.table import RULES

    for rule in RULES.values():
        click.echo(f"{rule.id:<28} {rule.category:<9} {rule.reason}; fix: {rule.fix}; {rule.url}")
    context.exit()


_PARAMETERS: list[click.Parameter] = [
    click.Argument(["base"], required=False, metavar="[BASE]"),
    click.Argument(["head"], required=False, metavar="[HEAD]"),
    click.Option(["--format", "form"], default="text", show_default=True,
                 type=click.Choice(list(FORMATS))),
    click.Option(["--strictness"], type=click.Choice(["strict", "standard", "lenient"]), default="standard",
                 show_default=True, help="strict: new error codes and raised budgets break too; lenient: changed "
                 "defaults, fields in closed answers, formats and switches only warn."),
    click.Option(["--formats"], type=click.Choice(["assert", "annotate"]), default="assert", show_default=True,
                 help="Whether `format` is a check, as most validators have it, or only a note."),
    click.Option(["--allow-unproven"], is_flag=True, help="Accept what could not be proven safe."),
    click.Option(["--ignore", "ignore_file"], metavar="FILE", type=click.Path(dir_okay=False),
                 help="Accepted changes (default: diff-ignore.yaml in the folder HEAD)."),
    click.Option(["--severity", "severity_file"], metavar="FILE", type=click.Path(dir_okay=False),
                 help="What each rule weighs (default: diff-severity.yaml in the folder HEAD)."),
    click.Option(["--max-tokens-increase"], metavar="N", type=int,
                 help="Fail if tools/list grows by more tokens than this."),
    *LIVE_OPTIONS,
    click.Option(["--against"], type=click.Choice(["release", "target"]), default="release", show_default=True,
                 help="What the base is where none is named: the last release tag (else the merge base), or the merge "
                 "base with the branch that a pull request goes to."),
    click.Option(["--fix"], is_flag=True, help="Write the version that is needed, or the next major version's file."),
    click.Option(["--output"], metavar="FILE", type=click.Path(dir_okay=False),
                 help="Write there instead of to stdout."),
    click.Option(["--rules"], is_flag=True, is_eager=True, expose_value=False, callback=_rules,
                 help="List every rule with its reason, its fix and its page, and compare nothing."),
    click.Option(["--color"], type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True),
]  # fmt: skip


def diff_command(program: str = "wekadocs-contracts") -> click.Command:
    """`diff`, as it is called there."""
    epilog = _EXAMPLES.replace("PROGRAM", program)
    return click.Command("diff", callback=_diff, params=_PARAMETERS, help=inspect.getdoc(_diff), epilog=epilog)


def _diff(form: str, output: str | None, color: str, **given: Any) -> None:
    """Prove what a change of contracts breaks, and show a call that fails.

    BASE and HEAD are each a folder of contracts, git:REF[:FOLDER], a lock file, a JSON file of tools or a snapshot of a
    server, null, http://…, stdio:COMMAND, npm:PACKAGE@VERSION or pypi:PACKAGE@VERSION. Without HEAD: the working tree.
    Without BASE: the last release tag, else the merge base with the default branch.
    """
    asked = Asked(**given)
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
        click.echo(one_line(line), err=True)
    if output:
        Path(output).write_text(click.unstyle(done.text) + "\n", encoding="utf-8")
    else:
        click.echo(done.text, color=None if color == "auto" else color == "always")
    sys.exit(done.exit_code)


@dataclass(frozen=True)
class Asked:
    """What the command line says, option by option."""

    base: str | None
    head: str | None
    strictness: Strictness
    formats: Formats
    allow_unproven: bool
    ignore_file: str | None
    severity_file: str | None
    max_tokens_increase: int | None
    token: str | None
    headers: tuple[str, ...]
    timeout: float
    against: Literal["release", "target"]
    fix: bool


@dataclass(frozen=True)
class Done:
    text: str
    exit_code: int
    fixed: tuple[str, ...] = ()


def _run(asked: Asked, form: str, stack: ExitStack) -> Done:
    from wekadocs_contracts.diff.operands import choose, sides

    from . import survival

    named = asked.head or str(choose.working_tree())
    folder = named if Path(named).is_dir() else "contracts"
    reading = sides.Reading(stack, calling(asked.token, asked.headers, asked.timeout), folder)
    # The head is begun first: while a child process reads it, git is asked for the base.
    head = choose.read(named, reading)
    base = choose.read(asked.base or _default_base(asked.against), replace(reading, other=head))
    _import_the_rest()
    known = (base.tools, head.tools)  # a live server is asked here, not in the child and under its ceilings
    assert known is not None
    what = f"{base.label} → {head.label}"
    return survival.run(lambda watch: _compared(asked, form, base, head, reading, watch), what, _SECONDS)


def _compared(asked: Asked, form: str, base: Operand, head: Operand, reading: Reading, watch: Watch) -> Done:
    from wekadocs_contracts.diff.operands import choose

    from .report import render

    outcome = _conclude(asked, base, head, reading.folder, watch)
    fixed: tuple[str, ...] = ()
    if asked.fix:
        from wekadocs_contracts.diff.operands import twins

        from . import fix, places

        fixed = tuple(fix.apply(outcome.comparison, outcome.checks))
        places.forget()
        twins.forget()
        outcome = _conclude(asked, base, choose.read(asked.head or reading.folder, reading), reading.folder, watch)
    return Done(render(outcome, form), outcome.exit_code, fixed)


def _import_the_rest() -> None:
    """While child processes read both sides."""
    import jsonschema  # noqa: F401 - the second validator

    from . import report  # noqa: F401


def _default_base(against: str) -> str:
    from wekadocs_contracts.diff.operands.git import default_base

    return f"git:{default_base(by_release=against == 'release')}"


def _conclude(asked: Asked, base: Operand, head: Operand, folder: str, watch: Watch) -> Outcome:
    from wekadocs_contracts.diff.rules import severity

    from . import ignore
    from .compare import compare
    from .outcome import conclude

    accepted = _beside(asked.ignore_file, ignore.FILE, head, folder)
    weights = _beside(asked.severity_file, severity.FILE, head, folder)
    levels = severity.load(weights) if weights else None
    return conclude(
        compare(base, head, asked.strictness, asked.formats, levels, watch),
        ignore.load(accepted) if accepted else [],
        allow_unproven=asked.allow_unproven,
        max_tokens_increase=asked.max_tokens_increase,
    )


def _beside(named: str | None, usual: str, head: Operand, folder: str) -> Path | None:
    """The file that was named, or the one that lies beside the contracts of the working tree."""
    if named:
        return Path(named)
    found = Path(folder) / usual
    return found if head.kind == "directory" and found.is_file() else None
