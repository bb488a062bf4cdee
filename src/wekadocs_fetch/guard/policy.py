"""What the settings allow: private places by `allow_hosts`, domains by two lists; everything is asked by every hop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_network
from typing import TYPE_CHECKING, Any, TypeVar

from ..fetched import FetchFailed
from .ranges import METADATA, Address, Network, closed, unwrapped
from .spellings import BadHost, OddSpelling, as_address, plain_host

if TYPE_CHECKING:
    from ..urls import WebUrl

T = TypeVar("T")
# Other services' ports: some take a request's lines for orders of their own. Those below 1024 are nobody's web server.
_WEB, _FIRST_FREE = (80, 443), 1024
_OTHER_SERVICES = frozenset({1719, 1720, 1723, 2049, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 11211})
_OTHER_SERVICES |= {*range(6665, 6670), 6679, 6697, 10080, 27017}


@dataclass(frozen=True)
class _Allowed:
    """One entry of `allow_hosts`."""

    host: str | None  # a name or an address; else `network`
    port: int | None
    network: Network | None

    @classmethod
    def of(cls, entry: str) -> _Allowed:
        if "/" in entry:
            return cls(None, None, ip_network(entry.strip(), strict=False))
        host, port = _split(entry.strip())
        return cls(plain_host(host), port, None)

    def covers(self, host: str, port: int, address: Address | None) -> bool:
        if self.network is not None:
            return address is not None and address.version == self.network.version and address in self.network
        same = self.host == host or (address is not None and self.host == str(address))
        return same and self.port in (None, port)


class Policy:
    """Asked twice for every hop: with the URL alone, then with each address that its name stands for."""

    def __init__(
        self, allow_hosts: Sequence[str] = (), allow_domains: Sequence[str] = (), deny_domains: Sequence[str] = ()
    ) -> None:
        self._allowed = [_read("allow_hosts", "host, host:port or network", each, _Allowed.of) for each in allow_hosts]
        self._only = [_read("allow_domains", "domain", each, _domain) for each in allow_domains]
        self._never = [_read("deny_domains", "domain", each, _domain) for each in deny_domains]

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Policy:
        """ValueError for what is neither host, host:port nor network."""
        return cls(settings["allow_hosts"], settings["allow_domains"], settings["deny_domains"])

    def check_url(self, url: WebUrl) -> None:
        """Before anything is resolved."""
        if _within(url.host, self._never):
            raise _refused(url, "its domain is one of deny_domains")
        listed = self._listed(url.host, url.port, url.address)
        if self._only and not listed and not _within(url.host, self._only):
            raise _refused(url, "its domain is none of allow_domains")
        if _is_another_service(url.port) and not listed:
            raise _refused(url, f"port {url.port} is another service's")
        if url.address is not None:
            self.check_address(url, url.address)

    def check_address(self, url: WebUrl, address: Address) -> None:
        """Each one that the name stands for."""
        plain = unwrapped(address)
        why = closed(address)
        if why is None or self._listed(url.host, url.port, plain) or self._listed(url.host, url.port, address):
            return
        raise _refused(url, f"its address is not on the open internet ({why}); allow_hosts can allow it")

    def _listed(self, host: str, port: int, address: Address | None) -> bool:
        networks_count = address not in METADATA
        return any(each.covers(host, port, address) for each in self._allowed if networks_count or each.network is None)


def _read(setting: str, kinds: str, entry: str, read: Callable[[str], T]) -> T:
    try:
        return read(entry)
    except OddSpelling as error:
        raise ValueError(f"{setting}: {entry}: {error}") from None
    except ValueError:
        raise ValueError(f"{setting}: {entry} is no {kinds}") from None


def _is_another_service(port: int) -> bool:
    return port in _OTHER_SERVICES or (port < _FIRST_FREE and port not in _WEB)


def _refused(url: WebUrl, why: str) -> FetchFailed:
    return FetchFailed(str(url), "URL_REFUSED", why)


def _split(entry: str) -> tuple[str, int | None]:
    """`host`, `host:port`, `[::1]:8080`, `::1`."""
    if entry.count(":") > 1 and not entry.startswith("["):
        return f"[{entry}]", None
    host, _, port = entry.rpartition(":") if not entry.endswith("]") else (entry, "", "")
    if not host:
        return entry, None
    if not port.isascii() or not port.isdecimal() or not 0 < int(port) < 65536:
        if entry.endswith("]"):
            return entry, None
        raise BadHost(f"{entry}: the port is none")
    return host, int(port)


def _domain(entry: str) -> str:
    return plain_host(entry.strip().removeprefix("*.").removeprefix("."))


def _within(host: str, domains: Sequence[str]) -> bool:
    return any(host == each or (host.endswith(f".{each}") and as_address(host) is None) for each in domains)
