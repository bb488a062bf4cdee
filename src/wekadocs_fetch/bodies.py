"""An answer's bytes, unpacked as they come: neither what is sent nor what it unpacks to goes over its limit."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import httpx

from .fetched import FetchFailed
from .limits import Limits
from .packing import CannotUnpack, Unpacks, ways

_MOST_CODINGS = 2
_AT_ONCE = 1 << 20  # bytes that are unpacked before they are counted


def _codings(response: httpx.Response, url: str) -> Sequence[Unpacks]:
    """The last one that was put on comes off first."""
    names = [each.strip().lower() for each in response.headers.get("Content-Encoding", "").split(",")]
    names = [each for each in names if each not in ("", "identity")]
    if len(names) > _MOST_CODINGS or not all(each in ways() for each in names):
        raise FetchFailed(url, "BAD_ENCODING", "it is packed in a way that was not asked for")
    return [ways()[each]() for each in reversed(names)]


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


async def _unpacked(parts: AsyncIterator[bytes], codings: Sequence[Unpacks], url: str) -> AsyncIterator[bytes]:
    if not codings:
        async for part in parts:
            yield part
        return
    coding, *inner = codings
    async for part in _unpacked(_by(coding, parts, url), inner, url):
        yield part


async def _by(coding: Unpacks, parts: AsyncIterator[bytes], url: str) -> AsyncIterator[bytes]:
    try:
        async for part in parts:
            made = coding.unpack(part, _AT_ONCE)
            yield made
            while coding.held_back:
                yield coding.unpack(b"", _AT_ONCE)
    except CannotUnpack:
        raise FetchFailed(url, "BAD_ENCODING", "its compressed bytes cannot be unpacked") from None
    if not coding.whole:
        raise FetchFailed(url, "BAD_ENCODING", "its compressed bytes end too early", passing=True)


def _too_large(url: str, what: str, most: int) -> FetchFailed:
    return FetchFailed(url, "TOO_LARGE", f"it has more than {most:,} {what}")
