"""The ways in which answers come packed, each unpacked a little at a time; what is offered to servers is what is here.

brotli and zstd are asked for only where their libraries are installed: the extra `web`, zstd from Python 3.14 on.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Protocol

_WINDOW_LOG = 23  # zstd: 8 MB of memory, as RFC 9659 has it
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_MOST_MEMBERS = 1000  # that follow each other in one answer; empty ones without end would cost time alone


class CannotUnpack(Exception):
    """These bytes are not what they are called."""


class Unpacks(Protocol):
    def unpack(self, data: bytes, most: int) -> bytes:
        """About so many bytes; the rest is asked for with nothing."""

    @property
    def held_back(self) -> bool: ...

    @property
    def whole(self) -> bool: ...


@cache
def ways() -> Mapping[str, Callable[[], Unpacks]]:
    """By the name that a server gives it."""
    known: dict[str, Callable[[], Unpacks]] = {
        "gzip": lambda: _Zlib(zlib.MAX_WBITS | 16),
        "x-gzip": lambda: _Zlib(zlib.MAX_WBITS | 16),
        "deflate": lambda: _Zlib(zlib.MAX_WBITS),
    }
    if brotli := _bounded_brotli():
        known["br"] = lambda: _Brotli(brotli)
    if zstd := _first_of("compression.zstd", "backports.zstd"):
        known["zstd"] = lambda: _Zstd(zstd)
    return known


def offered() -> str:
    """For Accept-Encoding."""
    return ", ".join(each for each in ways() if not each.startswith("x-"))


def _bounded_brotli() -> ModuleType | None:
    """Older ones unpack a bomb whole before they can be asked how large it is."""
    brotli = _first_of("brotli")
    return brotli if brotli is not None and hasattr(brotli.Decompressor, "can_accept_more_data") else None


def _first_of(*names: str) -> ModuleType | None:
    for name in names:
        try:
            return import_module(name)
        except ImportError:
            continue
    return None


def _counted(members: int) -> int:
    if members == _MOST_MEMBERS:
        raise CannotUnpack
    return members + 1


class _Zlib:
    """gzip with several members too, and `deflate` in both of the forms that servers send."""

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._inner = zlib.decompressobj(bits)
        self._rest = b""
        self._any = False
        self._members = 1

    def unpack(self, data: bytes, most: int) -> bytes:
        data, self._rest = self._rest + data, b""
        if data and not self._any and self._bits == zlib.MAX_WBITS:
            self._inner = zlib.decompressobj(zlib.MAX_WBITS if data[0] & 0x0F == 8 else -zlib.MAX_WBITS)
        self._any = self._any or bool(data)
        if self._inner.eof:
            if self._bits <= zlib.MAX_WBITS or data[:1] != b"\x1f":
                return b""  # what follows the end is nobody's
            self._members = _counted(self._members)
            self._inner = zlib.decompressobj(self._bits)
        try:
            made = self._inner.decompress(data, most)
        except zlib.error:
            raise CannotUnpack from None
        self._rest = self._inner.unconsumed_tail or self._inner.unused_data
        return made

    @property
    def held_back(self) -> bool:
        return bool(self._rest) and not (self._inner.eof and self._rest[:1] != b"\x1f")

    @property
    def whole(self) -> bool:
        return self._inner.eof or not self._any


class _Brotli:
    def __init__(self, library: ModuleType) -> None:
        self._library = library
        self._inner = library.Decompressor()
        self._any = False

    def unpack(self, data: bytes, most: int) -> bytes:
        if self._inner.is_finished():
            return b""  # what follows the end is nobody's
        self._any = self._any or bool(data)
        try:
            return bytes(self._inner.process(data, output_buffer_limit=most))
        except self._library.error:
            raise CannotUnpack from None

    @property
    def held_back(self) -> bool:
        return not self._inner.is_finished() and not self._inner.can_accept_more_data()

    @property
    def whole(self) -> bool:
        return self._inner.is_finished() or not self._any


class _Zstd:
    """Several frames too; a window that takes more memory than browsers give is refused."""

    def __init__(self, library: ModuleType) -> None:
        self._library = library
        self._any = False
        self._rest = b""
        self._members = 0
        self._begin()

    def _begin(self) -> None:
        self._members = _counted(self._members)
        options = {self._library.DecompressionParameter.window_log_max: _WINDOW_LOG}
        self._inner = self._library.ZstdDecompressor(options=options)

    def unpack(self, data: bytes, most: int) -> bytes:
        data, self._rest = self._rest + data, b""
        if self._inner.eof:
            if not data or not data.startswith(_ZSTD_MAGIC[: len(data)]):
                return b""  # what follows the end is nobody's
            self._begin()
        self._any = self._any or bool(data)
        try:
            made = bytes(self._inner.decompress(data, most))
        except self._library.ZstdError:
            raise CannotUnpack from None
        self._rest = self._inner.unused_data if self._inner.eof else b""
        return made

    @property
    def held_back(self) -> bool:
        if self._inner.eof:
            return self._rest.startswith(_ZSTD_MAGIC)
        return not self._inner.needs_input

    @property
    def whole(self) -> bool:
        return self._inner.eof or not self._any
