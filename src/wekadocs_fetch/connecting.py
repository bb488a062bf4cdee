"""What httpx asks with: connections that only go to addresses which were checked for that very URL."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import httpcore
import httpx

from . import packing
from .fetched import FetchFailed
from .guard.resolving import Resolve, checked_addresses
from .proxies import proxy_for
from .urls import WebUrl

if TYPE_CHECKING:
    from .guard.policy import Policy
    from .limits import Limits

_CONNECTIONS, _KEPT, _KEPT_SECONDS = 64, 16, 30.0
_USUAL = {
    "Accept": "text/html,application/xhtml+xml;q=0.9,text/markdown;q=0.9,application/pdf;q=0.8,*/*;q=0.5",
    "Accept-Language": "en;q=0.9,*;q=0.5",
}
SocketOption = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]


class CheckedNetwork(httpcore.AsyncNetworkBackend):
    """Every connection is opened here: name → addresses → check → connect, and nothing asks DNS again."""

    def __init__(self, policy: Policy, resolve: Resolve) -> None:
        self._policy = policy
        self._resolve = resolve
        self._network = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (httpcore's)
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        url = WebUrl("http", host, port, "/")
        addresses = await checked_addresses(url, self._policy, self._resolve)
        for left, address in zip(range(len(addresses) - 1, -1, -1), addresses, strict=True):
            try:
                return await self._network.connect_tcp(str(address), port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if not left:
                    raise
        raise httpcore.ConnectError

    async def connect_unix_socket(
        self,
        path: str,  # noqa: ARG002 (httpcore's)
        timeout: float | None = None,  # noqa: ARG002, ASYNC109
        socket_options: Iterable[SocketOption] | None = None,  # noqa: ARG002
    ) -> httpcore.AsyncNetworkStream:
        raise httpcore.UnsupportedProtocol("no URL leads to a socket file")

    async def sleep(self, seconds: float) -> None:
        await self._network.sleep(seconds)


class _Body(httpx.AsyncByteStream):
    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._response.aiter_stream():
            yield part

    async def aclose(self) -> None:
        await self._response.aclose()


class CheckedTransport(httpx.AsyncBaseTransport):
    """httpx's own transport takes no network of ours."""

    def __init__(self, pool: httpcore.AsyncConnectionPool) -> None:
        self._pool = pool

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        asked = httpcore.Request(
            method=request.method,
            url=httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            extensions=request.extensions,
        )
        answer = await self._pool.handle_async_request(asked)
        return httpx.Response(answer.status, headers=answer.headers, stream=_Body(answer), extensions=answer.extensions)

    async def aclose(self) -> None:
        await self._pool.aclose()


def direct(policy: Policy, resolve: Resolve, certificates: ssl.SSLContext) -> CheckedTransport:
    return CheckedTransport(
        httpcore.AsyncConnectionPool(
            ssl_context=certificates,
            http2=True,
            max_connections=_CONNECTIONS,
            max_keepalive_connections=_KEPT,
            keepalive_expiry=_KEPT_SECONDS,
            network_backend=CheckedNetwork(policy, resolve),
        )
    )


def through_proxy(place: httpx.Proxy, certificates: ssl.SSLContext, of_proxy: ssl.SSLContext) -> CheckedTransport:
    """The proxy resolves names for itself: what it connects to cannot be pinned from here."""
    return CheckedTransport(
        httpcore.AsyncHTTPProxy(
            proxy_url=httpcore.URL(
                scheme=place.url.raw_scheme, host=place.url.raw_host, port=place.url.port, target=b"/"
            ),
            proxy_auth=place.raw_auth,
            ssl_context=certificates,
            proxy_ssl_context=of_proxy if place.url.scheme == "https" else None,
            http2=True,
            max_connections=_CONNECTIONS,
            max_keepalive_connections=_KEPT,
            keepalive_expiry=_KEPT_SECONDS,
        )
    )


@asynccontextmanager
async def asked(
    transport: CheckedTransport, url: WebUrl, limits: Limits, headers: Mapping[str, str]
) -> AsyncIterator[httpx.Response]:
    """One request, without httpx's client: that one keeps cookies, and reads redirects in its own way."""
    waits = httpx.Timeout(limits.idle_seconds, connect=limits.connect_seconds).as_dict()
    # Host is said here: httpx would decode it first, and raise for names that only browsers take.
    host = url.origin.partition("://")[2]
    usual = {"Host": host, "User-Agent": limits.user_agent, "Accept-Encoding": packing.offered(), **_USUAL}
    request = httpx.Request("GET", str(url), headers={**usual, **headers}, extensions={"timeout": waits})
    response = await transport.handle_async_request(request)
    try:
        yield response
    finally:
        await response.aclose()


@asynccontextmanager
async def told(url: WebUrl) -> AsyncIterator[None]:
    """What goes wrong on the wire, in our words."""
    try:
        yield
    except (httpcore.TimeoutException, httpx.TimeoutException):
        raise FetchFailed(str(url), "TIMEOUT", "its server does not answer in time", passing=True) from None
    except httpcore.ConnectError as error:
        raise _unconnected(url, error) from None
    except (httpcore.ProxyError, httpx.ProxyError):
        raise FetchFailed(str(url), "CONNECTION_FAILED", "the proxy refuses it", passing=True) from None
    except (httpcore.NetworkError, httpcore.ProtocolError, httpx.HTTPError, httpx.InvalidURL):
        reason = "the connection broke before the answer was whole"
        raise FetchFailed(str(url), "CONNECTION_FAILED", reason, passing=True) from None


def _unconnected(url: WebUrl, error: BaseException) -> FetchFailed:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLError):
            reason = "its certificate is not one that is trusted here"
            what = reason if isinstance(cause, ssl.SSLCertVerificationError) else "no secure connection comes about"
            return FetchFailed(str(url), "TLS_FAILED", what)
        cause = cause.__cause__ or cause.__context__
    who = url.host if proxy_for(url) is None else "the proxy that the environment names"
    return FetchFailed(str(url), "CONNECTION_FAILED", f"{who} takes no connection", passing=True)
