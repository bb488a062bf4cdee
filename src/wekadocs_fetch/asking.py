"""One request: in its turn, on a checked connection, again after a while where that may help."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

from . import bodies, connecting, media_types, proxies
from .fetched import FetchFailed
from .guard.policy import Policy
from .guard.resolving import Resolve, checked_addresses
from .limits import Limits
from .stopping import cancelled_once
from .turns import Turns
from .urls import WebUrl

_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
REDIRECTS = frozenset({301, 302, 303, 307, 308})
_LONGEST_PAUSE = 30.0


@dataclass(frozen=True)
class Answer:
    """What a server said to one request; without a body where nobody reads it."""

    url: WebUrl
    status: int
    headers: httpx.Headers
    body: bytes
    at: float
    addresses: tuple[str, ...] = ()  # where it came from
    from_cache: bool = False


@dataclass(frozen=True)
class Wanted:
    """What is read of an answer."""

    media_types: Collection[str] = media_types.READ
    cut_at: int | None = None  # the rest is not needed
    any_status: bool = False  # also of refusals something is read


class Asker:
    """Of one fetcher."""

    def __init__(
        self, limits: Limits, policy: Policy, resolve: Resolve, *, trust_proxy: bool, ca_file: str | None
    ) -> None:
        self.limits = limits
        self.policy = policy
        self.turns = Turns(limits.connections_per_host, limits.delay_seconds)
        self._resolve = resolve
        self._trust_proxy = trust_proxy
        self._ca_file = ca_file
        self._transports: dict[str, connecting.CheckedTransport] = {}

    async def ask(self, url: WebUrl, wanted: Wanted, headers: Mapping[str, str]) -> Answer:
        """FetchFailed after the last try, or when trying again cannot help."""
        for attempt in range(self.limits.retries + 1):
            try:
                async with self.turns.turn(url.origin):
                    return await cancelled_once(self._once(url, wanted, headers))
            except FetchFailed as error:
                wait = _pause(attempt, error.retry_after)
                if not error.passing or attempt == self.limits.retries or wait > _LONGEST_PAUSE:
                    raise
            await asyncio.sleep(wait)
        raise AssertionError("a loop with a last round")

    async def _once(self, url: WebUrl, wanted: Wanted, headers: Mapping[str, str]) -> Answer:
        transport = await self._transport(url)
        async with connecting.told(url), connecting.asked(transport, url, self.limits, headers) as response:
            status = response.status_code
            if status in _PASSING and not wanted.any_status:
                raise _refusal(url, response, passing=True)
            body = b""
            if status not in REDIRECTS and status != 304:
                body = await self._body(url, response, wanted)
            return Answer(url, status, response.headers, body, time.time(), _addresses(url, response))

    async def _body(self, url: WebUrl, response: httpx.Response, wanted: Wanted) -> bytes:
        if not response.is_success:
            if wanted.any_status:
                return b""
            raise _refusal(url, response, passing=False)
        kind, _ = media_types.told(response)
        if wanted.media_types and media_types.refused(kind, wanted.media_types):
            raise not_read(url, kind)
        return await bodies.read(response, self.limits, str(url), wanted.cut_at)

    async def _transport(self, url: WebUrl) -> connecting.CheckedTransport:
        """Directly, or by the proxy that the environment names for it."""
        proxy = proxies.proxy_for(url)
        if proxy is not None:
            await self._check_for_proxy(url)
        key = proxy or ""
        if key not in self._transports:
            made = await self._made(url, proxies.place_of(proxy, url) if proxy else None)
            self._transports.setdefault(key, made)  # another may have come first
        return self._transports[key]

    async def _made(self, url: WebUrl, place: httpx.Proxy | None) -> connecting.CheckedTransport:
        try:
            trusted = await asyncio.to_thread(proxies.certificates, self._ca_file)
            if place is None:
                return connecting.direct(self.policy, self._resolve, trusted)
            of_proxy = await asyncio.to_thread(proxies.certificates, self._ca_file)
        except proxies.BadCertificates as error:
            raise FetchFailed(str(url), "TLS_FAILED", str(error)) from None
        return connecting.through_proxy(place, trusted, of_proxy)

    def goes_by_proxy(self, url: WebUrl) -> bool:
        """What came that way came from an address that nobody here knows."""
        return self._trust_proxy and proxies.proxy_for(url) is not None

    async def _check_for_proxy(self, url: WebUrl) -> None:
        """Behind a proxy this machine may know no names at all; what it does know is checked."""
        self.policy.check_url(url)
        proxies.demand_trust(url, self._trust_proxy)
        try:
            await checked_addresses(url, self.policy, self._resolve)
        except FetchFailed as error:
            if error.code != "HOST_NOT_FOUND":
                raise

    async def close(self) -> None:
        for transport in self._transports.values():
            await transport.aclose()
        self._transports.clear()


def _addresses(url: WebUrl, response: httpx.Response) -> tuple[str, ...]:
    if proxies.proxy_for(url) is not None:
        return (proxies.BY_PROXY,)
    stream = response.extensions.get("network_stream")
    peer = stream.get_extra_info("server_addr") if stream is not None else None
    return (str(peer[0]),) if peer else ()


def not_read(url: WebUrl, kind: str) -> FetchFailed:
    return FetchFailed(str(url), "MEDIA_TYPE_REFUSED", f"it is {kind[:80] or 'of no kind'}, which is not read here")


def _refusal(url: WebUrl, response: httpx.Response, *, passing: bool) -> FetchFailed:
    status = response.status_code
    after = _seconds(response.headers.get("Retry-After"))
    return FetchFailed(str(url), f"HTTP_{status}", f"its server answers {status}", passing=passing, retry_after=after)


def _pause(attempt: int, asked_for: float | None) -> float:
    """What the server asks for, else doubling from half a second, spread a little."""
    if asked_for is not None:
        return asked_for
    return float(0.5 * 2**attempt) * (0.75 + random.random() / 2)  # noqa: S311 (no secret)


def _seconds(retry_after: str | None) -> float | None:
    if not retry_after:
        return None
    if retry_after.isascii() and retry_after.isdecimal():
        return float(retry_after[:9])
    try:
        return max((parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return None
