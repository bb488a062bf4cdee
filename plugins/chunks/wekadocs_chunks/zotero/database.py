"""zotero.sqlite, which Zotero keeps locked while it runs: read where it lies if nobody writes, else from a copy."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from wekadocs_corpus import stopping

from ..references.records import Unreadable
from . import reading
from .gathering import Loaded

Result = TypeVar("Result")
Stamp = tuple[tuple[int, int] | None, ...]
_BESIDE = ("", "-wal", "-journal")  # what of it may lie in a file of its own
_MOST_BYTES = 4 << 30
_TRIES = 4


class Database:
    """One setting's."""

    def __init__(self, setting: str) -> None:
        self.name = setting
        self._path = found_at(setting)
        self._beside = self._path.with_name("better-bibtex.sqlite")

    def stamp(self) -> Stamp:
        return (*stamp(self._path), *stamp(self._beside))

    def load(self) -> Loaded:
        items, collections = read(self._path, reading.load)
        keys = reading.better_bibtex(self._beside) if self._beside.is_file() else {}
        for item in items:
            item.citekey = item.citekey or keys.get(item.key, "")
        return items, collections


def found_at(setting: str) -> Path:
    """The setting names the file, or Zotero's folder."""
    path = Path(setting)
    return path / "zotero.sqlite" if path.is_dir() else path


def stamp(path: Path) -> Stamp:
    """Changes whenever something was written."""
    return tuple(_stamp(path.with_name(path.name + each)) for each in _BESIDE)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        state = path.stat()
    except OSError:
        return None
    return (state.st_mtime_ns, state.st_size) if state.st_size else None


def read(path: Path, work: Callable[[sqlite3.Connection], Result]) -> Result:
    """`work` on one consistent state of the database; raises `Unreadable` with the reason in words for a caller."""
    for _ in range(_TRIES):
        stopping.check()
        before = stamp(path)
        _refuse(path, before)
        try:
            found = _tried(path, work, copied=any(before[1:]))
        except sqlite3.DatabaseError as error:
            if stamp(path) == before:
                raise Unreadable(f"zotero: {path.name} could not be read: {error}") from None
            continue  # it was written meanwhile
        except OSError as error:
            raise Unreadable(f"zotero: {path.name} could not be read: {error.strerror}") from None
        if stamp(path) == before:
            return found
    raise Unreadable(f"zotero: {path.name} is being written all the time; try again")


def _refuse(path: Path, state: Stamp) -> None:
    if state[0] is None:
        raise Unreadable(f"zotero: there is no library {path.name} where the settings say")
    if state[0][1] > _MOST_BYTES:
        raise Unreadable(f"zotero: {path.name} is larger than {_MOST_BYTES} bytes and was not read")


def _tried(path: Path, work: Callable[[sqlite3.Connection], Result], *, copied: bool) -> Result:
    if not copied:
        with _connected(f"{path.absolute().as_uri()}?mode=ro&immutable=1") as connection:
            return work(connection)
    with tempfile.TemporaryDirectory(prefix="wekadocs-zotero-") as folder:
        copy = Path(folder) / path.name
        for each in _BESIDE:
            beside = path.with_name(path.name + each)
            if beside.exists():
                shutil.copyfile(beside, copy.with_name(copy.name + each))
        with _connected(copy.as_uri()) as connection:
            return work(connection)


@contextmanager
def _connected(uri: str) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(uri, uri=True)
    try:
        connection.set_progress_handler(lambda: bool((stop := stopping.current()) and stop.told()), 20_000)
        yield connection
    finally:
        connection.close()
