"""An answer's bytes, unpacked as they come: neither what is sent nor what it unpacks to goes over its limit."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Sequence
from typing import Protocol

import httpx

from .fetched import FetchFailed
from .limits import Limits

_MOST_CODINGS = 2
_AT_ONCE = 1 << 20  # bytes that are unpacked before they are counted


class _Unpacks(Protocol):
    def unpack(self, data: bytes, most: int) -> bytes:
        """At most so many bytes; the rest is asked for with nothing."""

    @property
    def held_back(self) -> bool: ...

    @property
    def whole(self) -> bool: ...


class _Zlib:
    """gzip with several members too, and `deflate` in both of the forms that servers send."""

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._inner = zlib.decompressobj(bits)
        self._rest = b""
        self._any = False

    def unpack(self, data: bytes, most: int) -> bytes:
        data, self._rest = self._rest + data, b""
        if data and not self._any and self._bits == zlib.MAX_WBITS:
            self._inner = zlib.decompressobj(zlib.MAX_WBITS if data[0] & 0x0F == 8 else -zlib.MAX_WBITS)
        self._any = self._any or bool(data)
        if self._inner.eof:
            if self._bits <= zlib.MAX_WBITS or data[:1] != b"\x1f":
                return b""  # what follows the end is nobody's
            self._inner = zlib.decompressobj(self._bits)
        made = self._inner.decompress(data, most)
        self._rest = self._inner.unconsumed_tail or self._inner.unused_data
        return made

    @property
    def held_back(self) -> bool:
        return bool(self._rest) and not (self._inner.eof and self._rest[:1] != b"\x1f")

    @property
    def whole(self) -> bool:
        return self._inner.eof or not self._any


def _codings(response: httpx.Response, url: str) -> Sequence[_Unpacks]:
    """The last one that was put on comes off first."""
    names = [each.strip().lower() for each in response.headers.get("Content-Encoding", "").split(",")]
    names = [each for each in names if each not in ("", "identity")]
    if len(names) > _MOST_CODINGS or not all(each in ("gzip", "x-gzip", "deflate") for each in names):
        raise FetchFailed(url, "BAD_ENCODING", "it is packed in a way that was not asked for")
    return [_Zlib(zlib.MAX_WBITS if each == "deflate" else zlib.MAX_WBITS | 16) for each in reversed(names)]


async def read(response: httpx.Response, limits: Limits, url: str, cut_at: int | None = None) -> bytes:
    """All of it, or as much as is needed, or FetchFailed."""
    said = response.headers.get("Content-Length", "")
    if cut_at is None and said.isascii() and said.isdecimal() and int(said) > limits.max_bytes:
        raise _too_large(url, "bytes", limits.max_bytes)
    codings = _codings(response, url)
    most = limits.max_bytes if cut_at is None else 2 * cut_at
    made: list[bytes] = []
    size = 0
    async for part in _unpacked(_counted(response, most, url), codings, url):
        size += len(part)
        if cut_at is not None and size >= cut_at:
            made.append(part)
            break
        if size > limits.max_decompressed_bytes:
            raise _too_large(url, "unpacked bytes", limits.max_decompressed_bytes)
        made.append(part)
    return b"".join(made)[:cut_at]


async def _counted(response: httpx.Response, most: int, url: str) -> AsyncIterator[bytes]:
    sent = 0
    async for part in response.aiter_raw():
        sent += len(part)
        if sent > most:
            raise _too_large(url, "bytes", most)
        yield part


async def _unpacked(parts: AsyncIterator[bytes], codings: Sequence[_Unpacks], url: str) -> AsyncIterator[bytes]:
    if not codings:
        async for part in parts:
            yield part
        return
    coding, *inner = codings
    async for part in _unpacked(_by(coding, parts, url), inner, url):
        yield part


async def _by(coding: _Unpacks, parts: AsyncIterator[bytes], url: str) -> AsyncIterator[bytes]:
    try:
        async for part in parts:
            made = coding.unpack(part, _AT_ONCE)
            yield made
            while coding.held_back:
                yield coding.unpack(b"", _AT_ONCE)
    except zlib.error:
        raise FetchFailed(url, "BAD_ENCODING", "its compressed bytes cannot be unpacked") from None
    if not coding.whole:
        raise FetchFailed(url, "BAD_ENCODING", "its compressed bytes end too early", passing=True)


def _too_large(url: str, what: str, most: int) -> FetchFailed:
    return FetchFailed(url, "TOO_LARGE", f"it has more than {most:,} {what}")
