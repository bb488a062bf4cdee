"""A host as browsers read it: `0x7f.1`, `017700000001`, letters of other widths and `[::ffff:7f00:1]` are addresses.

Two readers need not agree on which address an odd spelling is, and nobody links to a page by one: an IPv4 address is
taken only as four plain numbers.
"""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from urllib.parse import unquote

_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")
_LONGEST_NAME = 253


class BadHost(ValueError):
    """Why a host is none, for whoever wrote the URL."""


class OddSpelling(BadHost):
    """An IPv4 address in any other form than the plain one."""

    def __init__(self, address: IPv4Address) -> None:
        super().__init__(f"its host is {address} in another spelling, and only the plain one is taken")


def plain_host(written: str) -> str:
    """The one way we write it: an address, or a name in small ASCII letters without a final dot."""
    if written.startswith("["):
        return _version_6(written[1:-1])
    name = _ascii(_unescaped(written)).removesuffix(".")
    if not name:
        raise BadHost("the URL has no host")
    if _NUMBER.fullmatch(name.rpartition(".")[2]):
        address = _version_4(name)
        if written != str(address):
            raise OddSpelling(address)
        return written
    if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
        raise BadHost("its host is no name that DNS could have")
    return name


def as_address(host: str) -> IPv4Address | IPv6Address | None:
    for kind in (IPv4Address, IPv6Address):
        try:
            return kind(host)
        except AddressValueError:
            continue
    return None


def _unescaped(written: str) -> str:
    try:
        return unquote(written, errors="strict")
    except UnicodeDecodeError:
        raise BadHost("its host is no name that DNS could have") from None


def _ascii(name: str) -> str:
    """Small letters, other scripts as DNS carries them."""
    if name.isascii():
        return name.lower()
    import idna

    try:
        mapped = idna.uts46_remap(name, std3_rules=False, transitional=False)
        return mapped.lower() if mapped.isascii() else idna.encode(mapped, uts46=True).decode("ascii").lower()
    except (idna.IDNAError, UnicodeError):
        raise BadHost("its host is no name that DNS could have") from None


def _version_6(text: str) -> str:
    if "%" in text:
        raise BadHost("an address with a zone is this machine's own business")
    try:
        return str(IPv6Address(text))
    except AddressValueError:
        raise BadHost("what stands in brackets is no IPv6 address") from None


def _version_4(name: str) -> IPv4Address:
    """One to four numbers, decimal, octal or hexadecimal; the last one fills what is left."""
    parts = name.split(".")
    if len(parts) > 4 or not all(_NUMBER.fullmatch(part) for part in parts):
        raise BadHost("its host ends in a number and is no IPv4 address")
    try:
        numbers = [_number(part) for part in parts]
    except ValueError:
        raise BadHost("its host ends in a number and is no IPv4 address") from None
    *first, last = numbers
    if any(number > 255 for number in first) or last >= 256 ** (5 - len(parts)):
        raise BadHost("its host ends in a number and is no IPv4 address")
    value = last + sum(number << (8 * (3 - place)) for place, number in enumerate(first))
    return IPv4Address(value)


def _number(part: str) -> int:
    if part[:2] in ("0x", "0X"):
        return int(part[2:] or "0", 16)
    return int(part, 8) if len(part) > 1 and part.startswith("0") else int(part)
