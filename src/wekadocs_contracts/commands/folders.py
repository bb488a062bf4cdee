"""Which contracts a command is about, how their reading is bounded, and how what is made of them is written."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import click

from wekadocs_contracts.problems import StartError
from wekadocs_text import one_line, printed

Result = TypeVar("Result")
_CONTRACT = re.compile(r"[^._].*\.v\d+\.ya?ml")


def _here() -> list[Path]:
    """./contracts, or else the contracts of a drop-in folder one stands in, by their names: not everybody's YAML."""
    if Path("contracts").is_dir():
        return [Path("contracts")]
    if found := sorted(path for path in Path().iterdir() if _CONTRACT.fullmatch(path.name)):
        return found
    raise name_a_folder()


def name_a_folder() -> StartError:
    command = click.get_current_context().command_path
    return StartError([f"there is no ./contracts here: name a folder\n  fix: {command} DIR"])


def chosen(paths: Sequence[str]) -> list[Path]:
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


def bounded(work: Callable[[], Result], folders: Sequence[Path]) -> Result:
    from wekadocs_contracts import sandbox

    return sandbox.run(work, ", ".join(map(str, folders)), sandbox.SECONDS)


def write_or_check(files: dict[Path, str], check: bool, command: str) -> None:
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
