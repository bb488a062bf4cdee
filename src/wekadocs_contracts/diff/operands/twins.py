"""Contracts that stand unchanged on both sides are read once: most of them do, in most pull requests."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

_PARENTS = 3  # as far up as a contract looks for _shared


def unchanged(files: Sequence[Path], folder: Path, twin: Path) -> dict[Path, Path]:
    """Each file with its equal in the other folder, where whatever it may refer to is equal too."""
    pairs = {path: twin / path.relative_to(folder) for path in files}
    return {mine: theirs for mine, theirs in pairs.items() if _are_equal(mine, theirs)}


def _are_equal(mine: Path, theirs: Path) -> bool:
    if theirs.is_symlink() or not theirs.is_file():
        return False
    text = mine.read_bytes()
    return text == theirs.read_bytes() and (b"wekadocs:shared" not in text or _shared(mine) == _shared(theirs))


def _shared(path: Path) -> list[dict[str, bytes]]:
    return [_fragments(parent / "_shared") for parent in path.resolve().parents[:_PARENTS]]


@cache
def _fragments(folder: Path) -> dict[str, bytes]:
    found = folder.rglob("*.yaml") if folder.is_dir() else ()
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(found) if path.is_file()}


def forget() -> None:
    _fragments.cache_clear()
