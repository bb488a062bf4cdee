"""Every name of the MCP SDK that it has not promised to keep, and what is served without it.

Two short-cuts stand on such names, each looked for when HTTP is built. Where one of its names is missing, the SDK's
own way serves, slower; `doctor` and /readyz say so. No other file names them.
"""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.streamable_http import GET_STREAM_KEY, EventMessage, StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import NoBackChannelError
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from wekadocs_mcp.plugins.health import Finding

from .names import Server, ServerMessageMetadata, SessionMessage, types

if TYPE_CHECKING:
    from mcp.shared.inbound import InboundModernRoute
    from mcp.shared.transport_context import TransportContext

SWITCH = "WEKADOCS_SDK"  # set to `public`, the short-cuts are left alone: to see whether one of them is at fault
GENERAL = GET_STREAM_KEY
Event = EventMessage
Notify = Callable[[types.JSONRPCNotification], Awaitable[None]]
_wanted: ContextVar[str | None] = ContextVar("wekadocs_session_id", default=None)
_SWITCHED_OFF = [f"{SWITCH}=public"]
_FIX = "nothing is lost; the release of `mcp` that the lock file names has them"
_HTTP, _MANAGER = "mcp.server.streamable_http", "mcp.server.streamable_http_manager"
NEEDED: dict[str, tuple[str, ...]] = {
    "calls": (
        "mcp.server.connection:Connection.from_envelope",
        "mcp.server.runner:modern_error_data",
        "mcp.server.runner:serve_one",
        "mcp.shared.inbound:ERROR_CODE_HTTP_STATUS",
        "mcp.shared.inbound:InboundModernRoute",
        "mcp.shared.inbound:classify_inbound_request",
        "mcp.shared.jsonrpc_dispatcher:progress_token_from_params",
        "mcp.shared.transport_context:TransportContext",
    ),
    "sessions": (
        f"{_MANAGER}:StreamableHTTPSessionManager._admit_session",
        f"{_HTTP}:StreamableHTTPServerTransport._clean_up_memory_streams",
        f"{_HTTP}:StreamableHTTPServerTransport._create_session_message",
        f"{_HTTP}:StreamableHTTPServerTransport._handle_post_request",
        f"{_HTTP}:StreamableHTTPServerTransport._read_stream",
        f"{_HTTP}:StreamableHTTPServerTransport._read_stream_writer",
        f"{_HTTP}:StreamableHTTPServerTransport._write_stream",
        f"{_HTTP}:StreamableHTTPServerTransport._write_stream_reader",
    ),
}


def missing(short_cut: str) -> list[str]:
    """What this SDK lacks of what a short-cut needs."""
    if os.environ.get(SWITCH) == "public":
        return _SWITCHED_OFF
    absent = [name for name in NEEDED[short_cut] if not _is_there(name)]
    if short_cut == "sessions" and not absent:
        # These come into being with their object.
        manager, transport = StreamableHTTPSessionManager(Server("probe")), StreamableHTTPServerTransport("probe")
        parts = (manager, "_server_instances"), (manager, "_session_owners"), (transport, "_request_streams")
        absent = [f"{type(each).__name__}.{name}" for each, name in parts if not hasattr(each, name)]
    return absent


def lacking() -> list[Finding]:
    """For whoever runs the server: the short-cuts that are not taken, and why."""
    absent = {short_cut: missing(short_cut) for short_cut in NEEDED}
    return [
        Finding("warning", f"sdk.{short_cut}", f"HTTP is slower: the MCP SDK here lacks {', '.join(names)}", _FIX)
        if names != _SWITCHED_OFF
        else Finding("warning", f"sdk.{short_cut}", f"HTTP is slower: {SWITCH} is public", f"unset {SWITCH}")
        for short_cut, names in absent.items()
        if names
    ]


def _is_there(name: str) -> bool:
    module, _, path = name.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return False
    return True


class Exchanges:
    """A request of 2026-07-28 and its answer, without the tasks and streams that the SDK starts for each."""

    def __init__(self, server: Server[object]) -> None:
        from mcp.server.connection import Connection
        from mcp.server.runner import modern_error_data, serve_one
        from mcp.shared.inbound import ERROR_CODE_HTTP_STATUS, InboundModernRoute, classify_inbound_request
        from mcp.shared.jsonrpc_dispatcher import progress_token_from_params
        from mcp.shared.transport_context import TransportContext

        self._server = server
        self._classify, self._route = classify_inbound_request, InboundModernRoute
        self._connection, self._transport = Connection.from_envelope, TransportContext
        self._serve, self._error, self._token = serve_one, modern_error_data, progress_token_from_params
        self._statuses = ERROR_CODE_HTTP_STATUS

    def route(self, message: Mapping[str, object], headers: Mapping[str, str]) -> InboundModernRoute | None:
        """What the request's envelope says; None for one that the SDK would refuse."""
        verdict = self._classify(message, headers=headers)
        return verdict if isinstance(verdict, self._route) else None

    async def answer(
        self, request: Request, message: Mapping[str, Any], route: InboundModernRoute, notify: Notify
    ) -> types.JSONRPCResponse | types.JSONRPCError:
        request_id, params = message["id"], message["params"]
        context = _Exchange(
            self._transport(kind="streamable-http", can_send_request=False, headers=request.headers),
            request_id,
            ServerMessageMetadata(request_context=request),
            self._token(params),
            notify,
        )
        connection = self._connection(route.protocol_version, route.client_info, route.client_capabilities)
        try:
            result = await self._serve(
                self._server, context, message["method"], params, connection=connection, lifespan_state={}
            )
        except Exception as error:
            told = self._error(error).model_dump(exclude_none=True)
            return types.JSONRPCError(jsonrpc="2.0", id=request_id, error=types.ErrorData(**told))
        return types.JSONRPCResponse(jsonrpc="2.0", id=request_id, result=result)

    def status(self, code: int) -> int:
        """The HTTP status of an answer with this error."""
        return self._statuses.get(code, 200)


@dataclass
class _Exchange:
    """What the SDK asks of whoever carries one request: nothing is asked back, notifications go before the answer."""

    transport: TransportContext
    request_id: types.RequestId
    message_metadata: ServerMessageMetadata
    progress_token: types.ProgressToken | None
    say: Notify
    cancel_requested: anyio.Event = field(default_factory=anyio.Event)
    can_send_request: bool = False

    async def send_raw_request(
        self, method: str, params: Mapping[str, object] | None, opts: object = None
    ) -> dict[str, Any]:
        raise NoBackChannelError(method)

    async def notify(self, method: str, params: Mapping[str, object] | None, opts: object = None) -> None:
        body = {"params": dict(params)} if params is not None else {}
        await self.say(types.JSONRPCNotification(jsonrpc="2.0", method=method, **body))

    async def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        if self.progress_token is not None:
            given = {"progress": progress, "total": total, "message": message}
            told = {name: value for name, value in given.items() if value is not None}
            await self.notify("notifications/progress", {"progressToken": self.progress_token, **told})


class OpenTransport(StreamableHTTPServerTransport):
    """A session of an older client, with a say in how a request is answered and where messages go."""

    async def take(self, scope: Scope, request: Request, send: Send) -> bool:
        """Whether the request was answered here; else the SDK does it."""
        raise NotImplementedError

    async def _handle_post_request(self, scope: Scope, request: Request, receive: Receive, send: Send) -> None:
        if not await self.take(scope, request, send):
            await super()._handle_post_request(scope, request, receive, send)

    def join(self, inbox: Any, outbox: Any) -> None:
        """Messages come from the one and go to the other."""
        self._read_stream_writer = self._read_stream = inbox
        self._write_stream = self._write_stream_reader = outbox

    @property
    def waiting(self) -> dict[Any, Any]:
        """Request id → where what the server says to it goes, and is read."""
        return self._request_streams

    async def drop(self, request_id: str) -> None:
        await self._clean_up_memory_streams(request_id)

    def received(self, message: types.JSONRPCRequest, request: Request) -> SessionMessage:
        # The version only matters to streams that can be resumed, which need a store that is not configured.
        return self._create_session_message(message, request, str(message.id), "")


class OpenManager(StreamableHTTPSessionManager):
    """The SDK's manager, with sessions of another make."""

    def __init__(self, make: Callable[[str], OpenTransport], app: Server[object], **settings: Any) -> None:
        super().__init__(app, **settings)
        self._make = make

    def _admit_session(self, requestor: Any) -> StreamableHTTPServerTransport | None:
        admitted = super()._admit_session(requestor)
        if admitted is None or admitted.mcp_session_id is None:
            return admitted
        given = admitted.mcp_session_id
        session_id = _wanted.get() or given
        self._server_instances.pop(given)
        self._server_instances[session_id] = made = self._make(session_id)
        if given in self._session_owners:
            self._session_owners[session_id] = self._session_owners.pop(given)
        return made


@contextlib.contextmanager
def opened_as(session_id: str) -> Iterator[None]:
    """A session that is opened within this has that id: another server knows it by it."""
    token = _wanted.set(session_id)
    try:
        yield
    finally:
        _wanted.reset(token)
