"""Files of a vault, each written whole or not at all, and on the disk before anybody is told.

What is not yet in its place lies in `.wekadocs` of the vault, which notes and editors do not look into. One server at a
time writes there.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ...errors import provider_error
from ...vault.walking import is_inside

OWN = ".wekadocs"
_STAGED, _LOCK = "staged", "lock"
_POLL = 0.01
_MANY = 16
_IGNORED = "# What wekadocs-mcp needs while it writes here; nothing to keep.\n*\n"


class Taken(Exception):
    """Something lies where a file was to go."""


class Disk:
    """One vault, as whoever holds its lock may change it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.own = root / OWN

    @contextlib.contextmanager
    def locked(self, seconds: float) -> Iterator[None]:
        """Alone among all servers on this vault; the system gives the lock back when a process dies."""
        self._prepare()
        descriptor = os.open(self.own / _LOCK, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            end = time.monotonic() + seconds
            while not _try_lock(descriptor):
                if time.monotonic() > end:
                    raise provider_error(
                        "Another server is writing to this vault. Try again in a moment.", passing=True
                    )
                time.sleep(_POLL)
            yield
        finally:
            os.close(descriptor)

    def _prepare(self) -> None:
        if self.own.is_symlink():
            raise provider_error(f"{OWN} in the vault is a link. Remove it: a folder is made there.")
        self.own.mkdir(exist_ok=True)
        (self.own / _STAGED).mkdir(exist_ok=True)
        ignored = self.own / ".gitignore"
        if not ignored.exists():
            ignored.write_text(_IGNORED, "utf-8")

    def clear(self) -> None:
        """What an earlier process left unfinished, and nobody will finish."""
        for left in (self.own / _STAGED).iterdir():
            left.unlink(missing_ok=True)

    def staged(self, name: str) -> Path:
        return self.own / _STAGED / name

    def stage(self, data: bytes) -> str:
        name = secrets.token_hex(8)
        _write(self.staged(name), data)
        return name

    def stage_all(self, some: Sequence[bytes]) -> list[str]:
        """Many at once: a disk that is asked for many things together does them together."""
        if len(some) < _MANY:
            return [self.stage(data) for data in some]
        with ThreadPoolExecutor(_MANY) as pool:
            return list(pool.map(self.stage, some))

    def path(self, id: str) -> Path:
        """Where its bytes lie; a link within the vault is followed."""
        path = self.root / id
        real = Path(os.path.realpath(path))
        if not is_inside(self.root, path):
            raise provider_error(f"{id} leads out of the vault.")
        return real

    def read(self, id: str) -> bytes | None:
        try:
            return self.path(id).read_bytes()
        except FileNotFoundError:
            return None

    def replace(self, name: str, id: str) -> None:
        """The staged bytes in the place of a file that is there, with its permissions; `sync` makes it last."""
        path, staged = self.path(id), self.staged(name)
        shutil.copymode(path, staged)
        _renamed(staged, path)

    def sync(self, ids: Iterable[str]) -> None:
        for folder in sorted({self.path(id).parent for id in ids}):
            if folder.is_dir():
                sync_folder(folder)

    def create(self, name: str, id: str) -> None:
        """The staged bytes as a new file; never in the place of another."""
        path = self.root / id
        self.make_folder(path.parent)
        _without_overwriting(self.staged(name), path)
        sync_folder(path.parent)

    def move(self, old: str, new: str) -> None:
        before, after = self.root / old, self.root / new
        self.make_folder(after.parent)
        if not os.path.lexists(before):
            return  # done before the power went
        if os.path.lexists(after) and _is_one_file(before, after):
            before.rename(after)
        elif os.path.lexists(after) and before.samefile(after):
            before.unlink()  # half done: the same file under both names
        else:
            _without_overwriting(before, after)
        sync_folder(after.parent)
        sync_folder(before.parent)

    def make_folder(self, folder: Path) -> None:
        if folder.is_dir():
            if folder != self.root and not is_inside(self.root, folder):
                raise provider_error("A folder of the vault is a link that leads out of it.")
            return
        self.make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)

    def remove(self, id: str) -> None:
        path = self.root / id
        path.unlink(missing_ok=True)
        sync_folder(path.parent)


def _write(path: Path, data: bytes) -> None:
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _renamed(source: Path, target: Path) -> None:
    """Also where a folder of the vault is another drive: there a copy beside the target comes first."""
    try:
        source.replace(target)
    except OSError as error:
        if error.errno != _CROSS_DEVICE:
            raise
        beside = target.with_name(f".{secrets.token_hex(8)}{OWN}")
        try:
            _write(beside, source.read_bytes())
            shutil.copymode(source, beside)
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
        source.unlink(missing_ok=True)


_CROSS_DEVICE = 18  # EXDEV


def _without_overwriting(source: Path, target: Path) -> None:
    """A second name that only comes into being where there is none, then the first one goes."""
    try:
        if source.is_symlink():
            raise OSError
        os.link(source, target)
    except FileExistsError:
        raise Taken(str(target)) from None
    except OSError:  # a drive without hard links
        if os.path.lexists(target):
            raise Taken(str(target)) from None
        _renamed(source, target)
        return
    source.unlink()


def _is_one_file(one: Path, other: Path) -> bool:
    """Two spellings of one name, on a drive that does not mind case."""
    if one.parent != other.parent or not one.samefile(other):
        return False
    names = {each.name for each in one.parent.iterdir()}
    return not {one.name, other.name} <= names


def sync_folder(folder: Path) -> None:
    """Names are on the disk once their folder is; not every system can say so."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError:
        pass  # a network drive that has no such thing
    finally:
        os.close(descriptor)


def _locker() -> Callable[[int], bool]:
    if sys.platform == "win32":
        import msvcrt

        def try_lock(descriptor: int) -> bool:
            try:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            except OSError:
                return False
            return True

        return try_lock
    import fcntl

    def try_flock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    return try_flock


_try_lock = _locker()
