"""What the failures of a Qdrant server mean, over HTTP and over gRPC: the same in both. Never in the server's words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wekadocs_corpus.remote import PASSING
from wekadocs_corpus.store.interface import IndexUnavailable


class CollectionMissing(IndexUnavailable):
    """The server does not have the collection (any more)."""


class Away(IndexUnavailable):
    """Nobody answers there; another node may, and the truth always does."""


class Refused(IndexUnavailable):
    """The server will not do this, however often it is asked."""


@dataclass(frozen=True)
class Failure:
    reason: str
    passing: bool = True  # worth another try
    retry_after: str | None = None
    kind: type[IndexUnavailable] = IndexUnavailable


_MISSING = Failure("the collection is missing; it is made and filled again", passing=False, kind=CollectionMissing)
_UNREADABLE = Failure("the answer could not be read")
_LATE = Failure("no answer in time (qdrant.timeout_seconds)", kind=Away)
_KEY = "the API key is missing, refused or may not do this; set qdrant.api_key, as in ${QDRANT_API_KEY}"
_NO = "the request is refused, perhaps by the collection's strict mode; the server's log says why"
_BUSY = "too many requests"


def failure_of(error: Exception) -> Failure | None:
    """By the kind of exception; None when it is our own mistake."""
    from httpx import TimeoutException, TransportError
    from qdrant_client.common.client_exceptions import QdrantException
    from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

    if isinstance(error, ResponseHandlingException):
        if isinstance(error.source, TimeoutException):
            return _LATE
        if isinstance(error.source, TransportError):
            return Failure("cannot be reached", kind=Away)
        return _UNREADABLE
    if isinstance(error, UnexpectedResponse):
        return _by_status(error.status_code or 0)
    if isinstance(error, QdrantException):  # HTTP 429 or gRPC RESOURCE_EXHAUSTED, with a time to come back
        return Failure(_BUSY, retry_after=str(getattr(error, "retry_after_s", "")) or None)
    if isinstance(error, UnicodeDecodeError) or type(error).__name__ == "JSONDecodeError":
        return _UNREADABLE
    return _by_code(error)


def _by_status(status: int) -> Failure:
    if status in {401, 403}:
        return Failure(f"HTTP {status}: {_KEY}", passing=False)
    if status == 404:
        return _MISSING
    if status == 429:
        return Failure(_BUSY)
    if status in PASSING:
        return Failure(f"HTTP {status}")
    return Failure(f"HTTP {status}: {_NO}", passing=False, kind=Refused)


def _by_code(error: Exception) -> Failure | None:
    import grpc  # type: ignore[import-untyped, unused-ignore]

    if not isinstance(error, grpc.RpcError):
        return None
    code: Any = error.code() if hasattr(error, "code") else None
    match code.name if code else "UNKNOWN":
        case "UNAUTHENTICATED" | "PERMISSION_DENIED" as name:
            return Failure(f"gRPC {name}: {_KEY}", passing=False)
        case "NOT_FOUND":
            return _MISSING
        case "DEADLINE_EXCEEDED":
            return _LATE
        case "RESOURCE_EXHAUSTED":
            return Failure(_BUSY)
        case "UNAVAILABLE":
            return Failure("cannot be reached (gRPC UNAVAILABLE; its port is qdrant.grpc_port)", kind=Away)
        case "UNIMPLEMENTED":
            return Failure("no Qdrant there (gRPC UNIMPLEMENTED); check qdrant.url and qdrant.grpc_port", passing=False)
        case "INVALID_ARGUMENT" | "ALREADY_EXISTS" | "OUT_OF_RANGE" as name:
            return Failure(f"gRPC {name}: {_NO}", passing=False, kind=Refused)
        case name:  # among them FAILED_PRECONDITION, which HTTP tells as 500: a shard on the move, or a lock
            return Failure(f"gRPC {name}")
