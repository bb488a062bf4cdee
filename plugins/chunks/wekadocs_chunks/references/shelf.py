"""Bibliographies as they are now: a file is read again when it has changed."""

from __future__ import annotations

from pathlib import Path

from .matching import References
from .reading import load
from .records import Unreadable

_Stamp = tuple[int, int]


class Shelf:
    """Used from threads; two that read the same file at once come to the same."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[_Stamp, References]] = {}

    def references(self, path: str) -> References:
        """Raises `Unreadable`."""
        stamp = _stamp(Path(path))
        kept = self._kept.get(path)
        if kept is not None and kept[0] == stamp:
            return kept[1]
        found = References(load(Path(path)))
        if stamp is not None:
            self._kept[path] = (stamp, found)
        return found


def _stamp(path: Path) -> _Stamp | None:
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size


__all__ = ["Shelf", "Unreadable"]
