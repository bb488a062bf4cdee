"""The connection to a Qdrant server; what fails is tried again, or told in one plain sentence."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from wekadocs_corpus.remote import RemoteError, certificates, pause, secret, without_secrets
from wekadocs_corpus.store.interface import IndexUnavailable

from .failures import Away, Failure, failure_of

if TYPE_CHECKING:
    from qdrant_client import AsyncQdrantClient, models

Result = TypeVar("Result")

_HTTP_PORT = 6333  # when the URL names none, whatever its scheme: that is the client's habit too


@dataclass(frozen=True)
class Patience:
    """How often a call is tried again, and the longest pause that is kept before it."""

    retries: int
    longest: float


WAITING = Patience(1, 2.0)  # somebody waits for the answer
SYNCING = Patience(5, 30.0)


# A channel that lost its server tries again after a minute or two by default, and never misses one that went silent.
_CHANNEL = {
    "grpc.initial_reconnect_backoff_ms": 250,
    "grpc.max_reconnect_backoff_ms": 2_000,
    "grpc.keepalive_time_ms": 30_000,
    "grpc.keepalive_timeout_ms": 5_000,
}


class Server:
    """One server, or the nodes of one cluster: asked at the first that answers, each by a client of its own, made on
    first use in the event loop that uses it."""

    def __init__(self, settings: Mapping[str, object], client: AsyncQdrantClient | None = None) -> None:
        self._urls = addresses(settings)
        self._settings = settings
        self._clients: dict[int, AsyncQdrantClient] = {} if client is None else {0: client}
        self._node = 0  # the one that is asked
        self._sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    @property
    def place(self) -> str:
        return _place(self._settings, self._urls[self._node])

    @property
    def client(self) -> AsyncQdrantClient:
        return self._client_of(self._node)

    async def ask(self, call: Callable[[AsyncQdrantClient], Awaitable[Result]], patience: Patience = SYNCING) -> Result:
        """The call's answer. Only calls that do no harm when repeated may be made this way; ours all are."""
        for attempt in range(patience.retries + 1):
            try:
                return await self._at_some_node(call)
            except Exception as error:
                failure = failure_of(error)
                if failure is None:
                    raise
                wait = pause(attempt, failure.retry_after)
                if not failure.passing or attempt == patience.retries or wait > patience.longest:
                    raise self._told(failure) from None
            await self._sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    async def upsert(self, collection: str, points: Sequence[models.PointStruct]) -> None:
        await self.ask(lambda client: client.upsert(collection, points, wait=True))

    async def delete(self, collection: str, gone: models.Filter | models.PointIdsList) -> None:
        await self.ask(lambda client: client.delete(collection, gone, wait=True))

    async def close(self) -> None:
        for client in self._clients.values():
            await client.close()

    async def _at_some_node(self, call: Callable[[AsyncQdrantClient], Awaitable[Result]]) -> Result:
        """Each node once, from the one that answered last; the failure of the last of them."""
        for _ in self._urls[1:]:
            node = self._node
            try:
                return await call(self._client_of(node))
            except Exception as error:
                failure = failure_of(error)
                if failure is None or failure.kind is not Away:
                    raise
            if self._node == node:  # else another question has gone on already
                self._node = (node + 1) % len(self._urls)
        return await call(self.client)

    def _client_of(self, node: int) -> AsyncQdrantClient:
        if node not in self._clients:
            self._clients[node] = _connect(self._settings, self._urls[node])
        return self._clients[node]

    def _told(self, failure: Failure) -> IndexUnavailable:
        others = len(self._urls) - 1 if failure.kind is Away else 0
        more = f" and {others} more" if others else ""
        return failure.kind(f"{self.place}{more}: {failure.reason}")


def addresses(settings: Mapping[str, object]) -> list[str]:
    """Of the setting `url`: one, several in a list, or several between commas, as an environment variable has them."""
    given = settings.get("url") or ""
    parts = given if isinstance(given, list) else str(given).split(",")
    return [str(each).strip() for each in parts if str(each).strip()] or [""]


def _place(settings: Mapping[str, object], url: str) -> str:
    """Where the client will ask: not every URL names the port, and gRPC has one of its own."""
    try:
        parts = urlsplit(url)
        if not parts.hostname:
            return "Qdrant"
        if settings.get("grpc"):
            return f"{parts.hostname}:{_grpc_port(settings)}"
        port = parts.port or _HTTP_PORT
        return without_secrets(parts._replace(netloc=f"{parts.hostname}:{port}").geturl())
    except ValueError:  # no port is called so
        return "Qdrant"


def key_in_the_open(settings: Mapping[str, object]) -> bool:
    """Whether the API key leaves this machine unencrypted."""
    return bool(secret(settings)) and any(_in_the_open(url) for url in addresses(settings))


def _in_the_open(url: str) -> bool:
    from ipaddress import ip_address

    if not url.startswith("http://"):
        return False
    host = ""
    try:
        host = urlsplit(url).hostname or ""
        return not ip_address(host).is_loopback
    except ValueError:  # a name, or no URL at all
        return host != "localhost"


def _grpc_port(settings: Mapping[str, Any]) -> int:
    return int(settings.get("grpc_port", 6334))


def _refuse(url: str, key: str) -> None:
    """What the client would fail at in its own words, or too late."""
    try:
        usable = url.startswith(("http://", "https://")) and urlsplit(url).port != 0
    except ValueError:
        usable = False
    if not usable:
        raise IndexUnavailable("qdrant.url must be of the form http://HOST:PORT or https://HOST:PORT")
    if not (key.isascii() and key.isprintable()) or key != key.strip():
        raise IndexUnavailable("qdrant.api_key holds characters that no header can carry, such as a line's end")


def _connect(settings: Mapping[str, Any], url: str) -> AsyncQdrantClient:
    _refuse(url, secret(settings) or "")
    import httpx
    from qdrant_client import AsyncQdrantClient

    key, ca_file = secret(settings), settings.get("ca_file")
    try:
        trusted = certificates(ca_file)
    except RemoteError as error:
        raise IndexUnavailable(f"qdrant: {error}") from error
    roots = {"root_certificates": Path(str(ca_file)).read_bytes()} if ca_file else {}
    return AsyncQdrantClient(
        url=url,
        port=_HTTP_PORT,
        grpc_port=_grpc_port(settings),
        prefer_grpc=bool(settings.get("grpc", False)),
        grpc_options={**_CHANNEL, **roots},
        # As `api_key` it would turn a URL into https or write a warning to stderr; `doctor` tells of plain http.
        headers={"api-key": key} if key else None,
        timeout=max(1, math.ceil(float(settings.get("timeout_seconds", 5)))),
        check_compatibility=False,  # it asks in a thread of its own and warns on stderr
        # Shorter than the five seconds after which the server hangs up, or a question now and then would meet its end.
        limits=httpx.Limits(max_connections=32, max_keepalive_connections=8, keepalive_expiry=4),
        verify=trusted,
    )
