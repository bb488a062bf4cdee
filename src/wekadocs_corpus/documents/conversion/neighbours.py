"""What a page takes in of other files: by relative path, no further than its origin says, so deep, so many, so much."""

from __future__ import annotations

import posixpath
from pathlib import PurePosixPath
from typing import Protocol

from wekadocs_corpus.documents.decoding import Unreadable, decode

DEEPEST = 8  # files that include files
_MOST_FILES = 5_000
_MOST_BYTES = 16_000_000  # of all that one page includes
_LONGEST = 500  # characters of a path


class Origin(Protocol):
    """Where a file was found. Whoever makes one keeps readers inside: nothing leads further up than `above` says."""

    @property
    def above(self) -> int:
        """How many folders above the root, to which its path is relative, may be read from."""
        ...

    def neighbour(self, path: str) -> bytes | None:
        """The bytes of another file, its path (posix) relative to the page's own folder; None where there is none."""
        ...


class Neighbours:
    """The files around one page, read at most once each."""

    def __init__(self, name: str, origin: Origin | None) -> None:
        self.path = name
        self._origin = origin
        self._above = max(0, len(PurePosixPath(name).parts) - 1) + (origin.above if origin else 0)
        self._read: dict[str, str | None] = {}
        self._bytes = 0

    def find(self, target: str, folder: str = "") -> tuple[str, str] | None:
        """A file that a file in this folder names: its path, relative to the page, and its text.

        A path from the root of the site is looked for in every folder above, the nearest first.
        """
        if self._origin is None or not target or len(target) > _LONGEST or "\0" in target or "\\" in target:
            return None
        for path in self._places(target, folder):
            text = self._text(path)
            if text is not None:
                return path, text
        return None

    def above(self, target: str) -> tuple[str, str] | None:
        """The nearest file of this name in the page's folder or one above it."""
        return self.find("/" + target)

    def _places(self, target: str, folder: str) -> list[str]:
        if not target.startswith("/"):
            return [posixpath.normpath(posixpath.join(folder, target))]
        inside = posixpath.normpath(target).lstrip("/")
        if inside.startswith("../"):
            return []
        return ["../" * up + inside for up in range(self._above + 1)]

    def _text(self, path: str) -> str | None:
        if path not in self._read:
            self._read[path] = self._load(path)
        return self._read[path]

    def _load(self, path: str) -> str | None:
        over = len(self._read) > _MOST_FILES or self._bytes > _MOST_BYTES
        if self._origin is None or over or path.split("/").count("..") > self._above:
            return None
        data = self._origin.neighbour(path)
        if data is None:
            return None
        self._bytes += len(data)
        try:
            return decode(data) if self._bytes <= _MOST_BYTES else None
        except Unreadable:
            return None
