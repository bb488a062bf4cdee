"""An archive unpacked into a folder of our own: plain files only, within caps, nothing outside of it."""

from __future__ import annotations

import os
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from wekadocs_corpus.errors import CorpusError
from wekadocs_corpus.ingest.sources.scan import Root
from wekadocs_corpus.model import digest

_TARS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_MOST_FILES, _MOST_BYTES, _PIECE = 50_000, 2 << 30, 1 << 20
_MOST_TIMES = 200  # larger than the archive itself, beyond the first megabytes
_FREE = 64 << 20


class BadArchive(CorpusError):
    """The message goes to whoever named it."""


class _Member(NamedTuple):
    name: str
    is_file: bool  # no folder, link, device or pipe
    changed: float
    opened: Callable[[], IO[bytes] | None]


def is_archive(path: str) -> bool:
    return path.lower().endswith((".zip", *_TARS)) and Path(path).expanduser().is_file()


def unpacked(path: str, data_dir: Path, *, anew: bool = True) -> Root:
    """The folder that the archive is unpacked in; what did not change in it keeps its time, and is not read again."""
    file = Path(path).expanduser().resolve()
    ending = next(each for each in (".zip", *sorted(_TARS, key=len, reverse=True)) if file.name.lower().endswith(each))
    name = file.name[: -len(ending)]
    folder = (data_dir / "sources" / digest(str(file))[:20]).resolve() / (name or "archive")
    if anew:
        try:
            _unpack(file, folder)
        except (
            OSError,
            EOFError,
            tarfile.TarError,
            zipfile.BadZipFile,
            RuntimeError,
            NotImplementedError,
            ValueError,
        ) as error:
            raise BadArchive(f"{path}: it cannot be unpacked: {error}") from None
    return Root(folder, False, None)


def _unpack(file: Path, folder: Path) -> None:
    most = min(_MOST_BYTES, max(_FREE, file.stat().st_size * _MOST_TIMES))
    folder.mkdir(parents=True, exist_ok=True)
    kept: set[Path] = set()
    with ExitStack() as stack:
        for member in _members(file, stack):
            place = folder / _safe(file, member.name)
            if not member.is_file:
                continue  # a folder is made for what is in it; a link, a device or a pipe is no document
            if place in kept or len(kept) >= _MOST_FILES:
                raise BadArchive(f"{file}: it has more than {_MOST_FILES:,} files, or one twice ({member.name})")
            most -= _written(member, place, most, file)
            kept.add(place)
    _without_others(folder, kept)


def _safe(file: Path, name: str) -> PurePosixPath:
    """The name as a place below the folder; an archive with any other name is not trusted at all."""
    path = PurePosixPath(name.replace("\\", "/"))
    drive = len(name) > 1 and name[1] == ":"
    if path.is_absolute() or ".." in path.parts or drive or any(ord(sign) < 32 for sign in name):
        raise BadArchive(f"{file}: it is refused: {name!r} leads out of it")
    return path


def _members(file: Path, stack: ExitStack) -> Iterator[_Member]:
    if file.name.lower().endswith(".zip"):
        archive = stack.enter_context(zipfile.ZipFile(file))
        for info in archive.infolist():
            plain = not info.is_dir() and (info.external_attr >> 16) & 0o170000 in (0, 0o100000)
            yield _Member(info.filename, plain, _moment(info), partial(archive.open, info))
        return
    tar = stack.enter_context(tarfile.open(file, "r:*"))  # noqa: SIM115 (the stack closes it)
    for entry in tar:
        yield _Member(entry.name, entry.isreg(), entry.mtime, partial(tar.extractfile, entry))


def _moment(info: zipfile.ZipInfo) -> float:
    try:
        return time.mktime((*info.date_time, 0, 0, -1))
    except (ValueError, OverflowError):
        return 0.0


def _written(member: _Member, place: Path, most: int, file: Path) -> int:
    """How many bytes it has. Its time is the archive's to the second; the rest of it tells other bytes apart."""
    place.parent.mkdir(parents=True, exist_ok=True)
    stream, count, seen = member.opened(), 0, blake2b(digest_size=8)
    if stream is None:
        return 0
    with stream, place.open("wb") as out:
        while piece := stream.read(_PIECE):
            count += len(piece)
            if count > most:
                raise BadArchive(f"{file}: it is refused: it unpacks to far more than its size ({member.name})")
            seen.update(piece)
            out.write(piece)
    moment = int(max(0, member.changed)) * 10**9 + int.from_bytes(seen.digest()) % 10**9
    os.utime(place, ns=(moment, moment))
    return count


def _without_others(folder: Path, kept: set[Path]) -> None:
    """Files of an earlier state go."""
    for top, _, names in os.walk(folder, topdown=False):
        for name in names:
            if Path(top, name) not in kept:
                Path(top, name).unlink()
        if Path(top) != folder and not os.listdir(top):  # noqa: PTH208
            Path(top).rmdir()
