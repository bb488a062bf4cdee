"""Who is at the other end: the address that caps and queues count by."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from functools import lru_cache

from wekadocs_contracts.problems import StartError

UNKNOWN = "unknown"


class Peers:
    """Addresses as clients are told apart by. Only a proxy that is trusted may speak for another address."""

    def __init__(self, trusted_proxies: Iterable[str]) -> None:
        self._proxies = [_network(each) for each in trusted_proxies]
        self.is_proxy = lru_cache(maxsize=1024)(self._is_proxy)

    def _is_proxy(self, address: str) -> bool:
        found = _read(address)
        return found is not None and any(found in network for network in self._proxies)

    def of(self, client: tuple[str, object] | None, headers: Mapping[bytes, bytes]) -> str:
        """The last address of X-Forwarded-For that is no proxy of ours, behind one; else the connection's own."""
        address = client[0] if client else UNKNOWN
        if self._proxies and self.is_proxy(address):
            for each in reversed(headers.get(b"x-forwarded-for", b"").decode("latin-1").split(",")):
                if _read(each.strip()) is None:
                    break
                address = each.strip()
                if not self.is_proxy(address):
                    break
        return counted_as(address)


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        hint = "write an address or a network, such as 10.0.0.7 or 10.0.0.0/8"
        raise StartError([f"server.http.trusted_proxies: {text!r} is neither.\n  fix: {hint}"]) from None


@lru_cache(maxsize=4096)
def counted_as(address: str) -> str:
    """IPv6 hands every machine a network of 2**64 addresses: they count as one."""
    found = _read(address)
    if isinstance(found, ipaddress.IPv6Address):
        return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))
    return address


def _read(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
