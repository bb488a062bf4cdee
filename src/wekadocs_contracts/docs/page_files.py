"""Where generated pages may be written: over pages that were generated too, or where there was nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from wekadocs_contracts.problems import Problem, StartError

_COMMAND = "wekadocs-mcp contracts docs"
_MADE = re.compile(rf"<!-- Made [^>]*`{_COMMAND}`".encode())
_HINT = "name an empty folder with --into DIR (guides: --guides DIR), or move away what is there"


def marked(text: str) -> str:
    """A page that says what made it, so that it may be made again."""
    return text if _MADE.search(text.encode()) else f"{text}\n<!-- Made by `{_COMMAND}`. -->\n"


def refuse_foreign(files: Mapping[Path, str], into: Path) -> None:
    """Nobody's own pages are written over, nor does a reference move in among them."""
    problems = [Problem(str(path), "this page was not made from contracts", _HINT) for path in files if _foreign(path)]
    if not problems and _is_somebodys(into):
        problems = [Problem(str(into), "there is something in it, and none of it was made from contracts", _HINT)]
    if problems:
        raise StartError(problems)


def _foreign(path: Path) -> bool:
    return path.is_symlink() or (path.exists() and not _is_made(path))


def _is_made(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and _MADE.search(path.read_bytes()) is not None


def _is_somebodys(folder: Path) -> bool:
    if not folder.exists():
        return False
    if not folder.is_dir():
        return True
    entries = list(folder.iterdir())
    return bool(entries) and not any(_is_made(path) for path in folder.rglob("*.md"))
