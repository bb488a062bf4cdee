"""A file on disk."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from wekadocs_corpus.documents import Unreadable

from .origin import Version, beside, too_large


@dataclass(frozen=True)
class FileOrigin:
    """As it was when its folder was looked through."""

    file: Path
    base: Path  # its root, symlinks resolved
    path: str
    locator: str  # relative to its checkout, or absolute
    size: int
    mtime_ns: int

    @property
    def uri(self) -> str:
        return self.file.as_uri()

    @property
    def version(self) -> Version:
        return Version(self.size, self.mtime_ns)

    @property
    def changed(self) -> float:
        return self.mtime_ns / 1e9

    @property
    def shown(self) -> str:
        """Its path as text; bytes that are not UTF-8 are spelt out."""
        return os.fsencode(self.file.as_posix()).decode("utf-8", "backslashreplace")

    def read(self, most: int) -> bytes:
        if self.size > most:
            raise too_large(self.size, most)
        with self.file.open("rb") as file:
            # Not all that is allowed at once: so much memory would be made ready for every small file.
            data = file.read(self.size + 1)
            if len(data) > self.size:
                data += file.read(most + 1 - len(data))
        if len(data) > most:
            raise Unreadable(f"it grew beyond the limit of {most:,} bytes while it was read")
        return data

    def neighbour(self, path: str, most: int) -> bytes | None:
        found = self._neighbour(path)
        try:
            return found.read(most) if found else None
        except (OSError, Unreadable):
            return None

    def neighbour_version(self, path: str) -> Version | None:
        found = self._neighbour(path)
        return found.version if found else None

    def _neighbour(self, path: str) -> FileOrigin | None:
        wanted = beside(self.path, path)
        # What a tool keeps under such a name is no documentation, and may be a key.
        if wanted is None or any(part.startswith(".") for part in PurePosixPath(wanted).parts):
            return None
        try:
            file = (self.base / wanted).resolve()
            state = file.stat()
            if self.base not in file.parents or not stat.S_ISREG(state.st_mode):
                return None
            return FileOrigin(file, self.base, wanted, wanted, state.st_size, state.st_mtime_ns)
        except (OSError, RuntimeError, ValueError):  # links in a circle are a RuntimeError
            return None

    @property
    def here_only(self) -> bool:
        return False
