"""Which notes lie in a folder: looked at, never read. What is hidden, or leads out of the vault, is no part of it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .characters import is_text

NOTES, CANVASES = (".md", ".markdown"), (".canvas",)
_READ = NOTES + CANVASES
_SKIPPED = frozenset({"node_modules"})  # beside everything that begins with a dot: .obsidian, .git, .trash


class Seen(NamedTuple):
    """A file as a look at its folder tells it."""

    size: int
    mtime_ns: int


class Walk(NamedTuple):
    notes: dict[str, Seen]  # by id
    others: frozenset[str]  # ids of attachments
    blocked: tuple[str, ...]  # folders that could not be looked into
    unnamed: tuple[str, ...]  # what has a name that is no text, and thus no id


def walk(root: Path) -> Walk:
    """Written for speed: it is done for ten thousand files every second where no event tells of changes."""
    notes: dict[str, Seen] = {}
    others: set[str] = set()
    blocked: list[str] = []
    unnamed: list[str] = []
    waiting, base = [""], f"{str(root).rstrip(os.sep)}{os.sep}"  # the root of a drive has its own
    while waiting:
        folder = waiting.pop()
        try:
            entries = list(os.scandir(base + folder))
        except OSError:
            blocked.append(folder)
            continue
        for entry in entries:
            name = entry.name
            if is_hidden(name):
                continue
            if not is_text(name):
                unnamed.append(os.fsencode(f"{folder}{name}").decode("utf-8", "backslashreplace"))
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(f"{folder}{name}/")
            elif not name.lower().endswith(_READ):
                others.add(folder + name)
            elif (seen := _seen(root, entry)) is not None:
                notes[folder + name] = seen
    return Walk(notes, frozenset(others), tuple(blocked), tuple(unnamed))


def _seen(root: Path, entry: os.DirEntry[str]) -> Seen | None:
    try:
        if entry.is_symlink() and not is_inside(root, Path(entry.path)):
            return None
        state = entry.stat()
    except OSError:
        return None
    return Seen(state.st_size, state.st_mtime_ns) if stat.S_ISREG(state.st_mode) else None


def look_at(root: Path, id: str) -> Seen | None:
    """One note; None where there is none, or none that may be read."""
    if not is_note(id) or not is_text(id) or any(is_hidden(part) for part in id.split("/")):
        return None
    path = root / id
    try:
        if not _is_of_no_link(path.parent) or (path.is_symlink() and not is_inside(root, path)):
            return None
        state = path.stat()
    except (OSError, ValueError):
        return None
    return Seen(state.st_size, state.st_mtime_ns) if stat.S_ISREG(state.st_mode) else None


def _is_of_no_link(folder: Path) -> bool:
    """A walk goes through no links: what lies behind one within the vault has its id where it is."""
    return os.path.normcase(os.path.realpath(folder)) == os.path.normcase(folder)


def is_note(name: str) -> bool:
    return name.lower().endswith(_READ)


def is_hidden(name: str) -> bool:
    return name.startswith(".") or name in _SKIPPED


def is_inside(root: Path, path: Path) -> bool:
    """Wherever links lead."""
    real = os.path.realpath(path)
    return real.startswith(f"{str(root).rstrip(os.sep)}{os.sep}")  # the root of a drive has its own


def identity(folder: Path) -> tuple[int, int] | None:
    """Another one: it is another folder, though it is called the same. None where there is none."""
    try:
        state = folder.stat()
    except OSError:
        return None
    return (state.st_dev, state.st_ino) if stat.S_ISDIR(state.st_mode) else None


def parents(id: str) -> Iterator[str]:
    """Folders of a note, the innermost first, without the vault itself."""
    folder = id.rpartition("/")[0]
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
