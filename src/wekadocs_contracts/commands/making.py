"""The commands themselves; a host adds what only it knows: further tools, further pages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wekadocs_contracts.diff.command import LIVE_OPTIONS, calling, diff_command
from wekadocs_text import as_json as to_json
from wekadocs_text import printed

from .folders import bounded, chosen, name_a_folder, write_or_check

if TYPE_CHECKING:
    from wekadocs_contracts.typed.command import Language

Pages = Callable[[Sequence[Path], click.Context], dict[str, str]]


@dataclass(frozen=True)
class Host:
    """Who runs the commands: how they are called there, which other tools there are, which pages stand beside."""

    program: str = "wekadocs-contracts"
    known_tools: Callable[[], set[str]] | None = None
    pages: Pages | None = None

    def examples(self, *lines: str) -> str:
        return "\b\nExamples:\n" + "\n".join(f"  {self.program} {line}" for line in lines)


def commands(host: Host) -> list[click.Command]:
    return [
        _lint(host),
        _new(host),
        _types(host),
        _docs(host),
        _lock(host),
        _snapshot(host),
        diff_command(host.program),
    ]


def _lint(host: Host) -> click.Command:
    @click.command(epilog=host.examples("lint", "lint ./my-tools --json"))
    @click.argument("paths", nargs=-1, metavar="[DIR|FILE]...")
    @click.option("--json", "as_json", is_flag=True, help="Findings as a JSON list.")
    @click.option(
        "--client", "clients", multiple=True, type=click.Choice(["gemini", "openai", "vscode", "claude"]),
        help="Check portability to this client only; repeatable.",
    )  # fmt: skip
    @click.option(
        "--rules", "list_rules", is_flag=True, help="List every rule with its reason and its fix, and check nothing."
    )
    def lint(paths: tuple[str, ...], as_json: bool, clients: tuple[str, ...], list_rules: bool) -> None:
        """Check contracts without importing any plugin. Exit 1 on errors; warnings alone are exit 0."""
        from wekadocs_contracts.lint import linting as rules
        from wekadocs_contracts.lint import rules as lint_rules

        if list_rules:
            for rule in lint_rules.RULES:
                clients_of = ", ".join(rule.clients) or "everybody"
                click.echo(f"{rule.id:<24} {rule.severity:<8} {clients_of}: {rule.reason}; fix: {rule.fix}")
            return
        folders = chosen(paths)
        findings = bounded(lambda: rules.lint(folders, clients, host.known_tools or set), folders)
        errors = sum(finding.severity == "error" for finding in findings)
        if as_json:
            click.echo(to_json([finding.as_dict() for finding in findings]))
        else:
            for finding in findings:
                click.echo(printed(f"{finding.severity} [{finding.rule}] {finding.problem}\n"), err=True)
            click.echo(f"{rules.count(folders)} contracts, {errors} errors, {len(findings) - errors} warnings")
        sys.exit(1 if errors else 0)

    return lint


def _new(host: Host) -> click.Command:
    @click.command(epilog=host.examples("new demo.hello --into ./my-tools", "new --repository acme-tools"))
    @click.argument("name", required=False)
    @click.option(
        "--into", default=".", metavar="DIR", show_default=True, help="The drop-in folder; made when missing."
    )
    @click.option(
        "--repository",
        metavar="NAME",
        help="Write a plugin as a repository of this name below DIR, with tests, CI and docs.",
    )
    def new(name: str | None, into: str, repository: str | None) -> None:
        """Write a drop-in tool: contract, plugin and a test that passes at once. NAME is the tool's."""
        from . import repository as repositories
        from . import scaffold

        if repository is None and name is None:
            raise click.UsageError("Name the tool, such as demo.hello.")
        if repository is not None:
            written, try_it = repositories.write(repository, name, Path(into)), _OF_REPOSITORY
        else:
            written, try_it = scaffold.write(name or "", Path(into)), _OF_TOOL
        for path in written:
            click.echo(f"wrote {path}")
        click.echo(try_it.format(name=name, into=into, repository=Path(into) / (repository or "")))

    return new


_OF_TOOL = """
Try it:
  wekadocs-mcp call {name} '{{"name": "Ada"}}' --plugins {into}
  wekadocs-mcp contracts test --plugins {into}"""
_OF_REPOSITORY = """
Try it:
  cd {repository}
  pip install -e '.[dev]'
  make check"""


def _types(host: Host) -> click.Command:
    @click.command(
        epilog=host.examples(
            "types ./my-tools --into ./my-tools/contract_types.py",
            "types ./my-tools --language typescript --into client/tools.ts --check",
        )
    )
    @click.argument("paths", nargs=-1, metavar="[DIR|FILE]...")
    @click.option(
        "--language", type=click.Choice(["python", "typescript"]), default="python", show_default=True,
        help="python: for handlers. typescript: for clients.",
    )  # fmt: skip
    @click.option("--into", metavar="FILE", help="Write there instead of to stdout.")
    @click.option("--check", is_flag=True, help="Write nothing; exit 1 if the file is stale.")
    def types(paths: tuple[str, ...], language: Language, into: str | None, check: bool) -> None:
        """Types from contracts: TypedDicts and typed decorators for handlers, so that mypy finds where handler and
        contract disagree; or interfaces for clients in TypeScript."""
        from wekadocs_contracts.typed.command import types_of

        if check and into is None:
            raise click.UsageError("--check needs --into FILE: which file to look at.")
        folders = chosen(paths)
        text = bounded(lambda: types_of(folders, language), folders)
        if into is None:
            click.echo(text, nl=False)
        else:
            write_or_check({Path(into): text}, check, f"{host.program} types … --into {into}")

    return types


def _docs(host: Host) -> click.Command:
    @click.command(epilog=host.examples("docs", "docs --check", "docs ./my-tools --into ./my-docs"))
    @click.argument("paths", nargs=-1, metavar="[DIR]...")
    @click.option("--into", default="docs/reference", metavar="DIR", show_default=True)
    @click.option(
        "--guides", "beside", default="docs", metavar="DIR", show_default=True, help="Where pages of _guides/ go."
    )
    @click.option("--check", is_flag=True, help="Write nothing; exit 1 if the pages are stale.")
    @click.pass_context
    def docs(context: click.Context, paths: tuple[str, ...], into: str, beside: str, check: bool) -> None:
        """Render the Markdown reference of every tool, and the guides beside the contracts.

        Pages are written over only when they were made like this; otherwise the place must be empty.
        """
        from wekadocs_contracts.docs.guides import guides
        from wekadocs_contracts.docs.page_files import marked, refuse_foreign
        from wekadocs_contracts.docs.tool_pages import tool_pages

        folders = chosen(paths)
        pages = host.pages
        tools, guided = bounded(
            lambda: (pages(folders, context) if pages else tool_pages(folders), guides(folders)), folders
        )
        files = {Path(into) / name: text for name, text in tools.items()}
        files |= {Path(beside) / name: marked(text) for name, text in guided.items()}
        if not check:
            refuse_foreign(files, Path(into))
        write_or_check(files, check, f"{host.program} docs")

    return docs


def _lock(host: Host) -> click.Command:
    @click.command(epilog=host.examples("lock", "lock --check"))
    @click.argument("path", required=False, metavar="[DIR]")
    @click.option("--check", is_flag=True, help="Write nothing; exit 1 if the lock file is stale.")
    def lock(path: str | None, check: bool) -> None:
        """Write contracts.lock.json: the wire form of every tool, with hashes."""
        from wekadocs_contracts.docs.lock import lock_text

        if path is None and not Path("contracts").is_dir():
            raise name_a_folder()
        (folder,) = chosen((path or "contracts",))
        files = {folder / "contracts.lock.json": bounded(lambda: lock_text(folder), [folder])}
        write_or_check(files, check, f"{host.program} lock {folder}")

    return lock


def _snapshot(host: Host) -> click.Command:
    def snapshot(server: str, output: str | None, **live: Any) -> None:
        """Record what a live server offers as JSON: a base to compare later versions with.

        SERVER is http://…, stdio:COMMAND, npm:PACKAGE@VERSION or pypi:PACKAGE@VERSION. Tools, prompts, resources,
        templates, instructions and capabilities are recorded, as the server gives them.
        """
        from wekadocs_contracts.diff.operands.live import offered
        from wekadocs_contracts.diff.problems import Unreadable

        try:
            offer = offered(server, calling(**live))
        except Unreadable as error:
            click.echo(f"{printed(str(error))}\n", err=True)
            sys.exit(error.code)
        for note in offer.notes:
            click.echo(printed(f"note      {note}"), err=True)
        text = to_json({"snapshot": 1, **offer.as_dict()}, indent=1, ensure_ascii=True)
        if output:
            Path(output).write_text(text + "\n", encoding="utf-8", newline="\n")
        else:
            click.echo(text)

    parameters: list[click.Parameter] = [
        click.Argument(["server"]),
        click.Option(["--output"], metavar="FILE", help="Write there instead of to stdout."),
        *LIVE_OPTIONS,
    ]
    epilog = host.examples('snapshot "stdio:npx some-server" > baseline.json', "snapshot pypi:some-server@1.2")
    return click.Command("snapshot", callback=snapshot, params=parameters, help=snapshot.__doc__, epilog=epilog)
