"""One thing to take in, wherever it is: a file, an archive's member, a fetched page, bytes in memory."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple, Protocol

from wekadocs_corpus.documents import Unreadable
from wekadocs_corpus.model import digest

_BY_ETAG = -1
# A file written in the same instant as it was read may have changed since without showing it.
_TOO_FRESH_NS = 2_000_000_000


class Version(NamedTuple):
    """What tells, without reading it, that an origin is as it was: two numbers, kept with its document."""

    size: int
    changed_ns: int  # when it was changed last

    @classmethod
    def of_etag(cls, etag: str) -> Version:
        return cls(_BY_ETAG, int(digest(etag)[:15], 16))

    def was_settled(self, moment: float) -> bool:
        """Whether whoever read it then (seconds since 1970) would see any later change of it."""
        return self.size == _BY_ETAG or moment * 1e9 - self.changed_ns > _TOO_FRESH_NS


class Origin(Protocol):
    """What an ingest asks of a thing to read. It is looked at here and read in another process: see `here_only`."""

    @property
    def uri(self) -> str:
        """Its address, which citations lead to."""

    @property
    def path(self) -> str:
        """Posix, relative to its root; the ending tells how to read it."""

    @property
    def locator(self) -> str:
        """What makes it this document and no other, under whatever root it is ingested."""

    @property
    def version(self) -> Version | None:
        """None where only reading it tells whether it changed."""

    @property
    def size(self) -> int:
        """Bytes it is likely to have: by this the work is shared out."""

    @property
    def changed(self) -> float | None:
        """When it was changed last, in seconds since 1970, if anybody knows."""

    @property
    def shown(self) -> str:
        """What people call it."""

    def read(self, most: int) -> bytes:
        """All of it; Unreadable beyond so many bytes, OSError when it cannot be had."""

    @property
    def above(self) -> int:
        """How many folders above its root hold files that it may include."""

    def neighbour(self, path: str, most: int) -> bytes | None:
        """What stands there, from where this one stands, for pages that include others; nothing beyond `above`."""

    def neighbour_version(self, path: str) -> Version | None:
        """What tells that the neighbour is as it was; None where there is none."""

    @property
    def here_only(self) -> bool:
        """Whether no other process can read it."""


@dataclass(frozen=True)
class BytesOrigin:
    """A document that is at hand, with what it may include: paths relative to the same root."""

    uri: str
    path: str
    data: bytes
    changed: float | None = None
    neighbours: Mapping[str, bytes] = field(default_factory=dict)
    version: Version | None = None

    @property
    def locator(self) -> str:
        return self.uri

    @property
    def size(self) -> int:
        return len(self.data)

    @property
    def shown(self) -> str:
        return self.uri

    def read(self, most: int) -> bytes:
        return within(self.data, most)

    @property
    def above(self) -> int:
        return 0

    def neighbour(self, path: str, most: int) -> bytes | None:
        found = self._neighbour(path)
        return found if found is not None and len(found) <= most else None

    def neighbour_version(self, path: str) -> Version | None:
        found = self._neighbour(path)
        return None if found is None else Version(len(found), int(blake2b(found, digest_size=7).hexdigest(), 16))

    def _neighbour(self, path: str) -> bytes | None:
        return self.neighbours.get(beside(self.path, path) or "")

    @property
    def here_only(self) -> bool:
        return False


@dataclass(frozen=True)
class FetchedOrigin:
    """What only this process can get at: `fetch` is given how many bytes it may return, in a thread that may wait."""

    uri: str
    path: str
    fetch: Callable[[int], bytes]
    version: Version | None = None
    changed: float | None = None
    size: int = 20_000

    @property
    def locator(self) -> str:
        return self.uri

    @property
    def shown(self) -> str:
        return self.uri

    def read(self, most: int) -> bytes:
        return within(self.fetch(most), most)

    @property
    def above(self) -> int:
        return 0

    def neighbour(self, path: str, most: int) -> bytes | None:  # noqa: ARG002 (what every origin is asked)
        return None

    def neighbour_version(self, path: str) -> Version | None:  # noqa: ARG002
        return None

    @property
    def here_only(self) -> bool:
        return True


def within(data: bytes, most: int) -> bytes:
    """The bytes, unless they are too many."""
    if len(data) > most:
        raise too_large(len(data), most)
    return data


def too_large(size: int, most: int) -> Unreadable:
    return Unreadable(f"it has {size:,} bytes, the limit is {most:,} (ingest.max_file_bytes)")


def beside(path: str, other: str) -> str | None:
    """What `other`, as `path` writes it, is called from their root; None outside of it. A leading slash is the root."""
    folder = "" if other.startswith("/") else posixpath.dirname(path)
    found = posixpath.normpath(posixpath.join(folder, other.lstrip("/")))
    return None if found.startswith("../") or found in (".", "..") or "\0" in found else found
