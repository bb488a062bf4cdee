"""A zip archive that somebody else made: only members that are asked for are unpacked, in memory, and only so much."""

from __future__ import annotations

import io
import lzma
import posixpath
import zipfile
import zlib
from typing import IO

from wekadocs_corpus.documents.decoding import Unreadable

MOST_MEMBERS = 20_000
MOST_BYTES = 256 << 20  # unpacked, of all members together
_MOST_OF_ONE = 128 << 20
_AT_ONCE = 1 << 20
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
_BROKEN = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, NotImplementedError, ValueError)


class Archive:
    """Names are looked up in its own list and lead nowhere else."""

    def __init__(self, data: bytes, kind: str) -> None:
        self._kind, self._left = kind, MOST_BYTES
        if data.startswith(_OLD_OFFICE):
            encrypted = "EncryptedPackage".encode("utf-16-le") in data
            raise Unreadable("it is encrypted and opens with a password only" if encrypted else _old(kind))
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            members = self._zip.infolist()
        except _BROKEN:
            raise Unreadable(f"it is no {kind}, or is damaged: it cannot be unpacked") from None
        if len(members) > MOST_MEMBERS:
            raise Unreadable(f"it has {len(members):,} members, the limit is {MOST_MEMBERS:,}")
        self._members = {member.filename: member for member in reversed(members)}

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def names(self) -> list[str]:
        return list(self._members)

    def find(self, name: str) -> bytes | None:
        """A member's bytes; None where there is none. Whatever its header says, it is counted as it is unpacked."""
        member = self._members.get(name)
        if member is None:
            return None
        if member.flag_bits & 1:
            raise Unreadable("it is encrypted and opens with a password only")
        most = min(self._left, _MOST_OF_ONE)
        try:
            with self._zip.open(member) as stream:
                data = _within(stream, most)
        except Unreadable:
            raise
        except _BROKEN:
            raise Unreadable(f"it is damaged: {posixpath.basename(name)[:80]} in it cannot be unpacked") from None
        self._left -= len(data)
        return data

    def read(self, name: str) -> bytes:
        data = self.find(name)
        if data is None:
            raise Unreadable(f"it is no {self._kind}: it has no {posixpath.basename(name)[:80]}")
        return data


def _old(kind: str) -> str:
    return f"it is a file of Office 97 to 2003: save it as {kind}"


def _within(stream: IO[bytes], most: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while part := stream.read(_AT_ONCE):
        size += len(part)
        if size > most:
            raise Unreadable(f"unpacked it has more than {MOST_BYTES >> 20:,} MB, which is the limit")
        parts.append(part)
    return b"".join(parts)


def beside(name: str, target: str) -> str:
    """What a member calls another, as the archive does."""
    folder = "" if target.startswith("/") else posixpath.dirname(name)
    return posixpath.normpath(posixpath.join(folder, target.lstrip("/")))
