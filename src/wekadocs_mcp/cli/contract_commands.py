"""`wekadocs-mcp contracts …`: lint, test, new, docs, lock. None of them but `test` imports a plugin."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from wekadocs_contracts.diff.command import diff_command
from wekadocs_contracts.problems import StartError
from wekadocs_text import as_json as to_json
from wekadocs_text import one_line, printed

from .commands import configure, deployment, examples
from .live_server import live_tools

Result = TypeVar("Result")
_CONTRACT = re.compile(r"[^._].*\.v\d+\.ya?ml")


@click.group(
    epilog=examples(
        "wekadocs-mcp contracts new demo.hello --into ./my-tools",
        "wekadocs-mcp contracts lint ./my-tools",
        "wekadocs-mcp contracts test --plugins ./my-tools",
    )
)
def contracts() -> None:
    """Make, check and publish contracts."""


def _here() -> list[Path]:
    """./contracts, or else the contracts of a drop-in folder one stands in, by their names: not everybody's YAML."""
    if Path("contracts").is_dir():
        return [Path("contracts")]
    if found := sorted(path for path in Path().iterdir() if _CONTRACT.fullmatch(path.name)):
        return found
    raise _name_a_folder()


def _name_a_folder() -> StartError:
    command = click.get_current_context().command_path
    return StartError([f"there is no ./contracts here: name a folder\n  fix: {command} DIR"])


def _folder(paths: tuple[str, ...]) -> list[Path]:
    """The folders named, or those that are here."""
    from wekadocs_contracts import sandbox
    from wekadocs_contracts.format.contracts import contract_files

    folders = [Path(path) for path in paths] or _here()
    missing = [folder for folder in folders if not folder.exists()]
    if missing:
        raise StartError([f"{missing[0]}: there is no such file or folder"])
    for folder in folders:
        sandbox.check_folder(folder)
        sandbox.check_count(contract_files(folder), folder)
    return folders


def _bounded(work: Callable[[], Result], folders: Sequence[Path]) -> Result:
    from wekadocs_contracts import sandbox

    return sandbox.run(work, ", ".join(map(str, folders)), sandbox.SECONDS)


@contracts.command(
    epilog=examples(
        "wekadocs-mcp contracts lint",
        "wekadocs-mcp contracts lint ./my-tools --json",
    )
)
@click.argument("paths", nargs=-1, metavar="[DIR|FILE]...")
@click.option("--json", "as_json", is_flag=True, help="Findings as a JSON list.")
@click.option(
    "--client",
    "clients",
    multiple=True,
    type=click.Choice(["gemini", "openai", "vscode", "claude"]),
    help="Check portability to this client only; repeatable.",
)
@click.option(
    "--rules", "list_rules", is_flag=True, help="List every rule with its reason and its fix, and check nothing."
)
def lint(paths: tuple[str, ...], as_json: bool, clients: tuple[str, ...], list_rules: bool) -> None:
    """Check contracts without importing any plugin. Exit 1 on errors; warnings alone are exit 0."""
    from wekadocs_contracts.lint import linting as rules
    from wekadocs_contracts.lint import rules as lint_rules
    from wekadocs_mcp.plugins.discovery import known_tools

    if list_rules:
        for rule in lint_rules.RULES:
            clients_of = ", ".join(rule.clients) or "everybody"
            click.echo(f"{rule.id:<24} {rule.severity:<8} {clients_of}: {rule.reason}; fix: {rule.fix}")
        return
    folders = _folder(paths)
    findings = _bounded(lambda: rules.lint(folders, clients, lambda: known_tools(None)), folders)
    errors = sum(finding.severity == "error" for finding in findings)
    if as_json:
        click.echo(to_json([finding.as_dict() for finding in findings]))
    else:
        for finding in findings:
            click.echo(printed(f"{finding.severity} [{finding.rule}] {finding.problem}\n"), err=True)
        click.echo(f"{rules.count(folders)} contracts, {errors} errors, {len(findings) - errors} warnings")
    sys.exit(1 if errors else 0)


@contracts.command(
    epilog=examples(
        "wekadocs-mcp contracts test --plugins ./my-tools",
        "wekadocs-mcp contracts test demo.hello --plugins ./my-tools",
    )
)
@click.argument("names", nargs=-1, metavar="[TOOL]...")
@click.option("--json", "as_json", is_flag=True, help="Results as a JSON list.")
@deployment
def test(names: tuple[str, ...], as_json: bool, config: str | None, data: str | None, **options: Any) -> None:
    """Run every example through the real pipeline, in a throw-away data directory. Exit 1 if one fails."""
    import asyncio
    import tempfile

    from .examples import run
    from .printing import to_stderr

    with tempfile.TemporaryDirectory(prefix="wekadocs-test-") as folder, to_stderr():
        results = asyncio.run(run(configure(config, data or folder, **options), names, throw_away=not data))
    if as_json:
        click.echo(to_json([result.__dict__ for result in results]))
    else:
        for result in results:
            line = one_line(f"{result.tool} {result.title}")
            click.echo(printed(f"ok     {line}" if result.ok else f"FAILED {line}: {result.why}"))
        failed = sum(not result.ok for result in results)
        click.echo(f"{len(results)} examples, {failed} failed")
    sys.exit(0 if all(result.ok for result in results) else 1)


@contracts.command(
    epilog=examples(
        "wekadocs-mcp contracts new demo.hello --into ./my-tools",
    )
)
@click.argument("name")
@click.option("--into", default=".", metavar="DIR", show_default=True, help="The drop-in folder; made when missing.")
def new(name: str, into: str) -> None:
    """Write a drop-in tool: contract, plugin and a test that passes at once."""
    from .scaffold import write

    for path in write(name, Path(into)):
        click.echo(f"wrote {path}")
    click.echo(f'\nTry it:\n  wekadocs-mcp call {name} \'{{"name": "Ada"}}\' --plugins {into}')
    click.echo(f"  wekadocs-mcp contracts test --plugins {into}")


@contracts.command(
    epilog=examples(
        "wekadocs-mcp contracts docs",
        "wekadocs-mcp contracts docs --check",
        "wekadocs-mcp contracts docs ./my-tools --into ./my-docs",
    )
)
@click.argument("paths", nargs=-1, metavar="[DIR]...")
@click.option("--into", default="docs/reference", metavar="DIR", show_default=True)
@click.option(
    "--guides", "beside", default="docs", metavar="DIR", show_default=True, help="Where pages of _guides/ go."
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the pages are stale.")
def docs(paths: tuple[str, ...], into: str, beside: str, check: bool) -> None:
    """Render the Markdown reference of every tool, and the guides beside the contracts.

    Pages are written over only when they were made like this; otherwise the place must be empty.
    """
    from wekadocs_contracts.docs.guides import guides
    from wekadocs_contracts.docs.page_files import marked, refuse_foreign
    from wekadocs_mcp.cli.reference.pages import pages

    folders = _folder(paths)
    root = click.get_current_context().find_root().command
    commands = root.commands if isinstance(root, click.Group) else {}
    tools, guided = _bounded(lambda: (pages(folders, commands), guides(folders)), folders)
    files = {Path(into) / name: text for name, text in tools.items()}
    files |= {Path(beside) / name: marked(text) for name, text in guided.items()}
    if not check:
        refuse_foreign(files, Path(into))
    _write_or_check(files, check, "wekadocs-mcp contracts docs")


@contracts.command(
    epilog=examples(
        "wekadocs-mcp contracts lock",
        "wekadocs-mcp contracts lock --check",
    )
)
@click.argument("path", required=False, metavar="[DIR]")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the lock file is stale.")
def lock(path: str | None, check: bool) -> None:
    """Write contracts.lock.json: the wire form of every tool, with hashes."""
    from wekadocs_contracts.docs.lock import lock_text

    if path is None and not Path("contracts").is_dir():
        raise _name_a_folder()
    (folder,) = _folder((path or "contracts",))
    files = {folder / "contracts.lock.json": _bounded(lambda: lock_text(folder), [folder])}
    _write_or_check(files, check, f"wekadocs-mcp contracts lock {folder}")


def _write_or_check(files: dict[Path, str], check: bool, command: str) -> None:
    stale = [path for path, text in files.items() if not _same(path, text)]
    if check:
        for path in stale:
            click.echo(printed(one_line(f"{path} is stale: run `{command}`")), err=True)
        click.echo(f"{len(files)} files, {len(stale)} stale")
        sys.exit(1 if stale else 0)
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[path], encoding="utf-8", newline="\n")
        click.echo(printed(one_line(f"wrote {path}")))
    if not stale:
        click.echo("everything is up to date")


def _same(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode()


contracts.add_command(diff_command(live_tools))
