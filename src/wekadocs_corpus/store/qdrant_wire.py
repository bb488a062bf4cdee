"""The connection to a Qdrant server, and what its failures mean: tried again, or told in one plain sentence."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from wekadocs_corpus.remote import PASSING, RemoteError, certificates, pause, secret, without_secrets

from .interface import IndexUnavailable

if TYPE_CHECKING:
    from qdrant_client import AsyncQdrantClient

Result = TypeVar("Result")


@dataclass(frozen=True)
class Patience:
    """How often a call is tried again, and the longest pause that is kept before it."""

    retries: int
    longest: float


WAITING = Patience(1, 2.0)  # somebody waits for the answer
SYNCING = Patience(5, 30.0)


class CollectionMissing(IndexUnavailable):
    """The server does not have the collection (any more)."""


@dataclass(frozen=True)
class _Failure:
    reason: str
    passing: bool = True
    retry_after: str | None = None


class Server:
    """One client, made on first use in the event loop that uses it."""

    def __init__(self, settings: Mapping[str, Any], client: AsyncQdrantClient | None = None) -> None:
        self.url = str(settings.get("url") or "")
        self.place = without_secrets(self.url) if self.url else "Qdrant"
        self._settings = settings
        self._client = client
        self._sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    @property
    def client(self) -> AsyncQdrantClient:
        if self._client is None:
            self._client = _connect(self._settings, self.url)
        return self._client

    async def ask(self, call: Callable[[], Awaitable[Result]], patience: Patience = SYNCING) -> Result:
        """The call's answer. Only calls that do no harm when repeated may be made this way; ours all are."""
        for attempt in range(patience.retries + 1):
            try:
                return await call()
            except Exception as error:
                failure = _failure(error)
                if failure is None:
                    raise
                wait = pause(attempt, failure.retry_after)
                if not failure.passing or attempt == patience.retries or wait > patience.longest:
                    raise self._unavailable(failure) from None
            await self._sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _unavailable(self, failure: _Failure) -> IndexUnavailable:
        kind = CollectionMissing if failure.reason == _MISSING else IndexUnavailable
        return kind(f"{self.place}: {failure.reason}")

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()


def _connect(settings: Mapping[str, Any], url: str) -> AsyncQdrantClient:
    if not url.startswith(("http://", "https://")):
        raise IndexUnavailable("qdrant.url must begin with http:// or https://")
    import httpx
    from qdrant_client import AsyncQdrantClient

    key, ca_file = secret(settings), settings.get("ca_file")
    options: dict[str, Any] = {}
    try:
        options["verify"] = certificates(ca_file)
    except RemoteError as error:
        raise IndexUnavailable(f"qdrant: {error}") from error
    if ca_file:
        options["grpc_options"] = {"root_certificates": Path(str(ca_file)).read_bytes()}
    return AsyncQdrantClient(
        url=url,
        grpc_port=int(settings.get("grpc_port", 6334)),
        prefer_grpc=bool(settings.get("grpc", False)),
        # As `api_key` it would turn a URL into https or write a warning to stderr; `doctor` tells of plain http.
        headers={"api-key": key} if key else None,
        timeout=max(1, math.ceil(float(settings.get("timeout_seconds", 5)))),
        check_compatibility=False,  # it asks in a thread of its own and warns on stderr
        limits=httpx.Limits(max_connections=32, max_keepalive_connections=8),
        **options,
    )


_MISSING = "the collection is missing; it is made and filled again"
_KEY = "the API key is missing or refused; set qdrant.api_key, as in ${QDRANT_API_KEY}"
_UNREADABLE = "the answer could not be read"


def _failure(error: Exception) -> _Failure | None:
    """What went wrong, by the kind of exception; None when it is our own mistake. Never the server's words."""
    from httpx import TimeoutException, TransportError
    from qdrant_client.common.client_exceptions import QdrantException
    from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

    if isinstance(error, ResponseHandlingException):
        if isinstance(error.source, TimeoutException):
            return _Failure("no answer in time (qdrant.timeout_seconds)")
        if isinstance(error.source, TransportError):
            return _Failure(f"cannot be reached ({type(error.source).__name__})")
        return _Failure(_UNREADABLE)
    if isinstance(error, UnexpectedResponse):
        return _status(error.status_code or 0)
    if isinstance(error, QdrantException):
        return _Failure("HTTP 429: too many requests", True, str(getattr(error, "retry_after_s", "")) or None)
    if isinstance(error, UnicodeDecodeError) or type(error).__name__ == "JSONDecodeError":
        return _Failure(_UNREADABLE)
    return _rpc(error)


def _status(status: int) -> _Failure:
    if status in {401, 403}:
        return _Failure(f"HTTP {status}: {_KEY}", passing=False)
    if status == 404:
        return _Failure(_MISSING, passing=False)
    return _Failure(f"HTTP {status}", status in PASSING)


def _rpc(error: Exception) -> _Failure | None:
    import grpc  # type: ignore[import-untyped, unused-ignore]

    if not isinstance(error, grpc.RpcError):
        return None
    code = error.code() if hasattr(error, "code") else None
    known = grpc.StatusCode
    if code in {known.UNAUTHENTICATED, known.PERMISSION_DENIED}:
        return _Failure(f"gRPC {code.name}: {_KEY}", passing=False)
    if code == known.NOT_FOUND:
        return _Failure(_MISSING, passing=False)
    passing = {known.UNAVAILABLE, known.DEADLINE_EXCEEDED, known.RESOURCE_EXHAUSTED, known.ABORTED, known.INTERNAL}
    return _Failure(f"gRPC {code.name if code else 'error'}", code in passing)
