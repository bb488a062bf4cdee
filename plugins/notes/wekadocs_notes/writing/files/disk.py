"""Files of a vault, each written whole or not at all, and on the disk before anybody is told.

What is not yet in its place lies in `.wekadocs` of the vault, which notes and editors do not look into. One server at a
time writes there.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ...errors import provider_error
from ...vault import note_hash
from ...vault.walking import is_inside
from .places import Place, place

OWN = ".wekadocs"
_STAGED, _LOCK, _JOURNAL = f"{OWN}/staged", f"{OWN}/lock", f"{OWN}/journal.json"
_POLL = 0.01
_MANY = 16
_IGNORED = b"# What wekadocs-mcp needs while it writes here; nothing to keep.\n*\n"


class Taken(Exception):
    """Something lies where a file was to go."""


class Disk:
    """One vault, as whoever holds its lock may change it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.journal = root / _JOURNAL

    @contextlib.contextmanager
    def locked(self, seconds: float) -> Iterator[None]:
        """Alone among all servers on this vault; the system gives the lock back when a process dies."""
        self._prepare()
        with place(self.root, _LOCK) as lock:
            descriptor = lock.open_lock()
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
        with place(self.root, f"{_STAGED}/x", make=True), place(self.root, f"{OWN}/.gitignore") as ignored:
            if ignored.state() is None:
                with contextlib.suppress(FileExistsError):
                    ignored.write_new(_IGNORED)

    def clear(self) -> None:
        """What an earlier write left unfinished, and nobody will finish."""
        with place(self.root, f"{_STAGED}/x") as staged:
            for name in staged.names():
                staged.beside(name).unlink()

    def stage(self, data: bytes) -> str:
        name = secrets.token_hex(8)
        with self._staged(name) as staged:
            staged.write_new(data)
        return name

    def stage_all(self, some: Sequence[bytes]) -> list[str]:
        """Many at once: a disk that is asked for many things together does them together."""
        if len(some) < _MANY:
            return [self.stage(data) for data in some]
        with ThreadPoolExecutor(_MANY) as pool:
            return list(pool.map(self.stage, some))

    def set_journal(self, text: str) -> None:
        """From now on all that it says will be done."""
        name = self.stage(text.encode())
        with self._staged(name) as staged, place(self.root, _JOURNAL) as journal:
            staged.rename(journal)
            journal.sync()

    def forget_journal(self, but_keep: str = "") -> None:
        with place(self.root, _JOURNAL) as journal:
            if but_keep:
                journal.rename(journal.beside(but_keep))
            journal.unlink()
            journal.sync()

    def path(self, id: str) -> Path:
        """Where its bytes lie; a link within the vault is followed."""
        return self.root / self._own(id)

    def read(self, id: str) -> bytes | None:
        try:
            with place(self.root, self._own(id)) as there:
                return there.read()
        except FileNotFoundError:
            return None

    def replace(self, name: str, id: str, before: str) -> bool:
        """The staged bytes in the place of those of this hash, with their permissions; `sync` makes it last. False
        where something else lies there meanwhile, which stays; what is staged is good for nothing then."""
        with place(self.root, self._own(id)) as there, self._staged(name) as staged:
            try:
                staged.take_rights_of(there)
                return _replaced(staged, there, before)
            except FileNotFoundError:
                if there.state() is not None:
                    raise
                return False

    def sync(self, ids: Iterable[str]) -> None:
        folders = {own.rpartition("/")[0]: own for own in map(self._own, ids)}
        for own in folders.values():
            with contextlib.suppress(FileNotFoundError), place(self.root, own) as there:
                there.sync()

    def create(self, name: str, id: str) -> None:
        """The staged bytes as a new file; never in the place of another."""
        with place(self.root, id, make=True) as there, self._staged(name) as staged:
            _without_overwriting(staged, there)
            there.sync()

    def move(self, old: str, new: str) -> None:
        with contextlib.ExitStack() as stack:
            try:
                before = stack.enter_context(place(self.root, old))
            except FileNotFoundError:
                return  # done before the power went
            after = stack.enter_context(place(self.root, new, make=True))
            _moved(before, after)
            after.sync()
            before.sync()

    def remove(self, id: str) -> None:
        with contextlib.suppress(FileNotFoundError), place(self.root, id) as there:
            there.unlink()
            there.sync()

    def _staged(self, name: str) -> contextlib.AbstractContextManager[Place]:
        return place(self.root, f"{_STAGED}/{name}")

    def _own(self, id: str) -> str:
        """The path of its bytes in the vault."""
        path = self.root / id
        if not is_inside(self.root, path):
            raise provider_error(f"{id} leads out of the vault.")
        return Path(os.path.relpath(os.path.realpath(path), self.root)).as_posix()


def _replaced(staged: Place, there: Place, before: str) -> bool:
    """What lay there is looked at once it lies where nobody saves: an editor's newer bytes go back, the newest last."""
    if note_hash(there.read()) != before:
        return False
    new = mine = note_hash(staged.read())
    expected = before
    while staged.exchange(there):
        found = note_hash(staged.read())
        if found == expected:
            staged.unlink()
            return mine == new
        expected, mine = mine, found
    _renamed(staged, there)
    return True


def _renamed(source: Place, target: Place) -> None:
    """Also where a folder of the vault is another drive: there a copy beside the target comes first."""
    try:
        source.rename(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        beside = target.beside(f".{secrets.token_hex(8)}{OWN}")
        try:
            beside.write_new(source.read())
            beside.take_rights_of(source)
            beside.rename(target)
        finally:
            beside.unlink()
        source.unlink()


def _without_overwriting(source: Place, target: Place) -> None:
    """A second name that only comes into being where there is none, then the first one goes."""
    found = source.state()
    try:
        if found is None or stat.S_ISLNK(found.st_mode):
            raise OSError
        source.link(target)
    except FileExistsError:
        raise Taken(target.name) from None
    except OSError:  # a drive without hard links
        if target.state() is not None:
            raise Taken(target.name) from None
        _renamed(source, target)
        return
    source.unlink()


def _moved(before: Place, after: Place) -> None:
    one, other = before.state(), after.state()
    if one is None:
        return  # done before the power went
    if other is None or not os.path.samestat(one, other):
        _without_overwriting(before, after)
    elif _is_one_name(before, after):
        before.rename(after)
    else:
        before.unlink()  # half done: the same file under both names


def _is_one_name(one: Place, other: Place) -> bool:
    """Of one file: two spellings, on a drive that does not mind case."""
    names = set(one.names())
    is_here = set(other.names()) == names
    return is_here and not {Path(one.name).name, Path(other.name).name} <= names


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
