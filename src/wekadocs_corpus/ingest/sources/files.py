"""A file on disk."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from wekadocs_corpus.documents import Unreadable

from .ignoring import ignored_by, rules_of
from .origin import Version, beside, too_large, within

# Folders in which generators keep what pages include.
_FOR_PAGES = frozenset({".gitbook", ".snippets", ".vitepress"})


@dataclass(frozen=True)
class FileOrigin:
    """As it was when its folder was looked through."""

    file: Path
    base: Path  # its root, symlinks resolved
    path: str
    locator: str  # relative to its checkout, or absolute
    size: int
    mtime_ns: int
    checkout: Path | None = None  # the Git checkout that its root lies in, symlinks resolved

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

    @property
    def above(self) -> int:
        """Pages may include what stands in their checkout, as the site's generator may."""
        return len(self.base.relative_to(self.checkout).parts) if self.checkout else 0

    def neighbour(self, path: str, most: int) -> bytes | None:
        file = self._neighbour(path)
        if file is None or self._is_kept_back(file):
            return None
        try:
            with file.open("rb") as opened:
                return within(opened.read(most + 1), most)
        except (OSError, Unreadable):
            return None

    def neighbour_version(self, path: str) -> Version | None:
        file = self._neighbour(path)
        try:
            state = file.stat() if file else None
        except OSError:
            return None
        return Version(state.st_size, state.st_mtime_ns) if state else None

    def _neighbour(self, path: str) -> Path | None:
        """A file in the root, or in the checkout around it. A leading slash is the root."""
        from_root = beside(self.path, path)
        wanted = (self.base, from_root) if from_root else (self.checkout, self._from_checkout(path))
        top, below = wanted
        if top is None or below is None or any(map(_is_hidden, PurePosixPath(below).parts)):
            return None
        try:
            file = (top / below).resolve()
            shown = not any(map(_is_hidden, file.relative_to(top).parts))  # where a link leads counts, too
            return file if shown and stat.S_ISREG(file.stat().st_mode) else None
        except (OSError, RuntimeError, ValueError):  # links in a circle are a RuntimeError
            return None

    def _from_checkout(self, path: str) -> str | None:
        if self.checkout is None or path.startswith("/"):
            return None
        return beside((self.base / self.path).relative_to(self.checkout).as_posix(), path)

    def _is_kept_back(self, file: Path) -> bool:
        """What stands outside of the root and Git ignores belongs to this machine, and may be a secret."""
        if self.checkout is None or self.base in file.parents:
            return False
        above = [each for each in reversed(file.parents) if each == self.checkout or self.checkout in each.parents]
        rules = [found for each in above if (found := rules_of(each)) is not None]
        return any(
            ignored_by(each, [rule for rule in rules if rule.folder in each.parents], folder=each != file)
            for each in (*above[1:], file)
        )

    @property
    def here_only(self) -> bool:
        return False


def _is_hidden(name: str) -> bool:
    """What a tool keeps under such a name is no documentation, and may be a key."""
    return name.startswith(".") and name not in _FOR_PAGES
