"""Roots that are taken in again when something under them changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePath
from threading import Event

from .ignoring import IGNORE_FILES
from .scan import SKIPPED_FOLDERS, Root

_LOOK_EVERY = 1.0  # seconds between two looks whether the folders are still those that are watched
_DELETED = 3  # watchfiles.Change.deleted, which is imported late
_Folders = dict[str, tuple[int, int]]  # path → device and inode


def changes(roots: list[Root], suffixes: frozenset[str], stop: Event | None = None) -> Iterator[list[Root]]:
    """All roots once they are watched, since they may have changed before; then those that changed, each time some did.

    A root that goes is told, and watched again as soon as a folder of its name is there.
    """
    stop = stop or Event()
    watched: _Folders = {}
    while not stop.is_set():
        watched, before = _folders(roots), watched
        if gone := [root for root in roots if str(root.folder) in before.keys() - watched.keys()]:
            yield gone
        new = [root for root in roots if watched.get(str(root.folder)) not in (None, before.get(str(root.folder)))]
        yield from _while_there(roots, suffixes, watched, new, stop)


def _while_there(
    roots: list[Root], suffixes: frozenset[str], watched: _Folders, new: list[Root], stop: Event
) -> Iterator[list[Root]]:
    from watchfiles import watch

    if not watched:
        stop.wait(_LOOK_EVERY)
        return

    def wanted(change: int, path: str) -> bool:
        return _wanted(change, path, suffixes, watched)

    for batch in watch(
        *watched,
        watch_filter=wanted,
        stop_event=stop,
        debounce=400,
        raise_interrupt=True,
        rust_timeout=int(_LOOK_EVERY * 1000),
        yield_on_timeout=True,
    ):
        if _folders(roots) != watched:
            return
        touched = _touched(roots, [path for _, path in batch])
        if touched or new:
            yield [root for root in roots if root in touched or root in new]
            new = []


def _folders(roots: list[Root]) -> _Folders:
    found: _Folders = {}
    for root in roots:
        try:
            state = root.folder.stat()
        except OSError:
            continue
        found[str(root.folder)] = (state.st_dev, state.st_ino)
    return found


def _wanted(change: int, path: str, suffixes: frozenset[str], watched: _Folders) -> bool:
    """A folder that comes or goes is one event, without the files in it; of what is gone nobody knows what it was."""
    below = next((path[len(folder) :] for folder in watched if path.startswith(folder)), path)
    *above, name = PurePath(below.lstrip("/\\") or path).parts
    if not SKIPPED_FOLDERS.isdisjoint(above):
        return False
    if name in IGNORE_FILES or PurePath(name).suffix.lower() in suffixes:
        return True
    return change == _DELETED or Path(path).is_dir()


def _touched(roots: list[Root], paths: list[str]) -> list[Root]:
    def under(root: Root) -> bool:
        prefix = root.name if root.is_file else f"{root.name}/"
        return any(path == root.name or path.startswith(prefix) for path in paths)

    return [root for root in roots if under(root)]
