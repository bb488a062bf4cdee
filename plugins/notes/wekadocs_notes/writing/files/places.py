"""Names in the folders of a vault, for the system's calls. On the way to one no link is followed, not even one that
was put there a moment ago: every folder is opened from the one above it."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ...errors import provider_error
from ...vault.walking import is_inside
from .exchanging import exchanged

_BY_DESCRIPTOR = os.open in os.supports_dir_fd  # Windows has paths only
_FOLLOWS = os.link not in os.supports_follow_symlinks  # where it cannot be chosen; a link was refused before
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)
_BINARY = getattr(os, "O_BINARY", 0)


class Place(NamedTuple):
    """`name` as a call takes it that is given `folder` as its dir_fd; the whole path where there is none."""

    name: str
    folder: int | None

    def beside(self, name: str) -> Place:
        return self._replace(name=str(Path(self.name).parent / name))

    def state(self) -> os.stat_result | None:
        """Of the thing itself, be it a link; None where there is nothing."""
        try:
            return os.stat(self.name, dir_fd=self.folder, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def read(self) -> bytes:
        return _all_of(self._opened(os.O_RDONLY | _NO_LINK | _BINARY))

    def write_new(self, data: bytes) -> None:
        """And on the disk when this returns."""
        descriptor = self._opened(os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def open_lock(self) -> int:
        return self._opened(os.O_RDWR | os.O_CREAT | _NO_LINK)

    def rename(self, target: Place) -> None:
        os.replace(self.name, target.name, src_dir_fd=self.folder, dst_dir_fd=target.folder)

    def exchange(self, other: Place) -> bool:
        """Each under the other's name, in one step; False where that cannot be."""
        if self.folder is None or other.folder is None:
            return False
        return exchanged(self.folder, self.name, other.folder, other.name)

    def link(self, target: Place) -> None:
        """Never in the place of another: FileExistsError."""
        os.link(self.name, target.name, src_dir_fd=self.folder, dst_dir_fd=target.folder, follow_symlinks=_FOLLOWS)

    def unlink(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.name, dir_fd=self.folder)

    def take_rights_of(self, other: Place) -> None:
        found = other.state()
        if found is not None and stat.S_ISREG(found.st_mode):
            os.chmod(self.name, stat.S_IMODE(found.st_mode), dir_fd=self.folder)

    def names(self) -> list[str]:
        """All that lie where this does."""
        return os.listdir(Path(self.name).parent if self.folder is None else self.folder)  # noqa: PTH208 (by descriptor)

    def sync(self) -> None:
        """Names are on the disk once their folder is; not every system or network drive can say so."""
        if self.folder is not None:
            with contextlib.suppress(OSError):
                os.fsync(self.folder)

    def _opened(self, flags: int) -> int:
        return os.open(self.name, flags, 0o666, dir_fd=self.folder)


@contextlib.contextmanager
def place(root: Path, id: str, make: bool = False) -> Iterator[Place]:
    """`make`: its folders, where they are missing. FileNotFoundError where one is and is not to be made."""
    *folders, name = id.split("/")
    if not _BY_DESCRIPTOR:
        yield Place(str(_by_path(root, folders, make) / name), None)
        return
    with contextlib.ExitStack() as stack:
        above = os.open(root, _FOLDER)
        stack.callback(os.close, above)
        for folder in folders:
            above = _stepped(above, folder, make)
            stack.callback(os.close, above)
        yield Place(name, above)


def _stepped(above: int, folder: str, make: bool) -> int:
    try:
        return os.open(folder, _FOLDER | _NO_LINK, dir_fd=above)
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.ELOOP):
            message = f"{folder} in the vault is no folder but a file or a link. Nothing is written there."
            raise provider_error(message) from error
        if not (make and error.errno == errno.ENOENT):
            raise
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, dir_fd=above)
        Place(folder, above).sync()
    return _stepped(above, folder, make=False)


def _by_path(root: Path, folders: list[str], make: bool) -> Path:
    way = root.joinpath(*folders)
    if make:
        way.mkdir(parents=True, exist_ok=True)
    if folders and (way.is_symlink() or not is_inside(root, way)):
        raise provider_error("A folder of the vault is a link that leads out of it.")
    return way


def _all_of(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb") as file:
        return file.read()
