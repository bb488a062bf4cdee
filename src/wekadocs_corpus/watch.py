"""Roots that are taken in again when something under them changes."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

from .scan import IGNORE_FILES, Root


def changes(roots: list[Root], suffixes: frozenset[str], stop: Event | None = None) -> Iterator[list[Root]]:
    """The roots that changed, each time some did. Many writes at once come as one."""
    from watchfiles import Change, watch

    def wanted(change: Change, path: str) -> bool:
        name = path.replace("\\", "/").rpartition("/")[2]
        suffix = "." + name.rpartition(".")[2].lower() if "." in name else ""
        # A deleted folder comes as one event without the files that were in it.
        return suffix in suffixes or name in IGNORE_FILES or (change == Change.deleted and not suffix)

    paths = {str(root.folder): root for root in roots}
    for batch in watch(*paths, watch_filter=wanted, stop_event=stop, debounce=400, raise_interrupt=True):
        yield _touched(roots, [path for _, path in batch])


def _touched(roots: list[Root], paths: list[str]) -> list[Root]:
    def under(root: Root) -> bool:
        prefix = root.name if root.is_file else f"{root.name}/"
        return any(path == root.name or path.startswith(prefix) for path in paths)

    return [root for root in roots if under(root)]
