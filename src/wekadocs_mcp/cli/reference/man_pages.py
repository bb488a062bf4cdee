"""A man page for each command, from the same texts as its --help."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

_MADE = '.\\" <!-- Made by `wekadocs-mcp contracts docs`. -->'
PROGRAM = "wekadocs-mcp"


def man_pages(commands: Iterable[tuple[str, click.Command]]) -> dict[str, str]:
    """File name → text: one of the program, which names them all, and one of each command."""
    each = sorted(commands)
    pages = {f"man/{_file(name)}": _page(name, command) for name, command in each}
    return {f"man/{PROGRAM}.1": _program(each), **pages}


def _file(name: str) -> str:
    return f"{PROGRAM}-{name.replace(' ', '-')}.1"


def _program(commands: Iterable[tuple[str, click.Command]]) -> str:
    lines = [*_head(PROGRAM, "MCP tools for documentation, declared in contracts and implemented by plugins")]
    lines += [
        ".SH SYNOPSIS",
        f".B {PROGRAM}",
        r"[\-\-config FILE] [\-\-data DIR] COMMAND [ARGUMENT]\&...",
        ".SH COMMANDS",
    ]
    for name, command in commands:
        lines += [".TP", f"\\fB{_escaped(name)}\\fR", _escaped(_first_sentence(command))]
    lines += [".SH ENVIRONMENT", *_entry("WEKADOCS_CONFIG", "tools.yaml, laid over the shipped one.")]
    lines += _entry("WEKADOCS_DATA", "The data directory.")
    lines += _entry("MCP_AUTH_TOKEN", "The token that clients over HTTP must bring.")
    return "\n".join([*lines, ".SH SEE ALSO", "https://github.com/wekadocs/wekadocs-mcp/tree/main/docs"]) + "\n"


def _page(name: str, command: click.Command) -> str:
    import click

    with click.Context(command, info_name=f"{PROGRAM} {name}") as context:
        usage = " ".join(command.collect_usage_pieces(context))
        shown = [(each, each.get_help_record(context)) for each in command.get_params(context)]
        options = [row for each, row in shown if row and (row[1] or isinstance(each, click.Option))]
    lines = [*_head(f"{PROGRAM}-{name.replace(' ', '-')}", _first_sentence(command))]
    lines += [".SH SYNOPSIS", f".B {PROGRAM} {_escaped(name)}", _escaped(usage), ".SH DESCRIPTION"]
    lines += _paragraphs(command.help or "")
    lines += [".SH OPTIONS", *(line for row in options for line in _entry(*row))] if options else []
    lines += _examples(command.epilog or "")
    return "\n".join([*lines, ".SH SEE ALSO", f".BR {PROGRAM} (1)"]) + "\n"


def _head(name: str, told: str) -> list[str]:
    return [_MADE, f'.TH "{name.upper()}" "1" "" "{PROGRAM}" ""', ".SH NAME", f"{_escaped(name)} \\- {_escaped(told)}"]


def _entry(name: str, told: str) -> list[str]:
    return [".TP", f"\\fB{_escaped(name)}\\fR", _escaped(told)]


def _first_sentence(command: click.Command) -> str:
    return inspect.cleandoc(command.help or "").partition("\n\n")[0].replace("\n", " ").partition(". ")[0].rstrip(".")


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        yield ".PP"
        literal = paragraph.startswith("\b")
        yield from [".nf"] * literal
        yield from (_escaped(line) for line in paragraph.removeprefix("\b\n").splitlines())
        yield from [".fi"] * literal


def _examples(epilog: str) -> list[str]:
    lines = [line for line in epilog.splitlines() if line.strip("\b ")]
    shown = [_escaped(line.strip()) for line in lines if line.startswith("  ")]
    return [".SH EXAMPLES", ".nf", *shown, ".fi"] if shown else []


def _escaped(text: str) -> str:
    """No character of it is roff's own."""
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain[:1] in (".", "'") else plain
