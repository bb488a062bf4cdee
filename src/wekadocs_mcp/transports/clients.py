"""A connected client, as handlers see it, and what a result of theirs looks like to it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wekadocs_mcp.calls.answers import Outcome, failed
from wekadocs_mcp.calls.call import Client
from wekadocs_mcp.errors import ToolError
from wekadocs_mcp.transports.sdk.names import MODERN_PROTOCOL_VERSIONS, Context, MCPError, ServerMessageMetadata, types

from . import eras

if TYPE_CHECKING:
    from .server import McpServer

_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"
_ASKABLE: dict[str, tuple[Any, Any]] = {
    "elicitation/create": (types.ElicitRequest, types.ElicitResult),
    "sampling/createMessage": (types.CreateMessageRequest, types.CreateMessageResult),
    "roots/list": (types.ListRootsRequest, types.ListRootsResult),
}


def is_modern(ctx: Context) -> bool:
    return ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


class SdkClient(Client):
    """A connected client, through the SDK's request context."""

    def __init__(self, ctx: Context, host: McpServer, params: object) -> None:
        self._ctx = ctx
        self._host = host
        self._params = params
        self.protocol_version = ctx.protocol_version

    @property
    def name(self) -> str:  # type: ignore[override]
        """What the client calls itself: for whoever counts, never for who may do what."""
        params = self._ctx.session.client_params
        return str(params.client_info.name) if params is not None and params.client_info is not None else "unknown"

    @property
    def capabilities(self) -> Mapping[str, Any]:  # type: ignore[override]
        declared = self._ctx.session.client_capabilities
        return declared.model_dump(by_alias=True, mode="json", exclude_none=True) if declared else {}

    @property
    def input_responses(self) -> Mapping[str, Any]:  # type: ignore[override]
        raw = (self._ctx.params or {}).get("inputResponses")
        return raw if isinstance(raw, Mapping) else {}

    @property
    def request_state(self) -> str | None:  # type: ignore[override]
        return getattr(self._params, "request_state", None)

    async def progress(self, progress: float, total: float | None, message: str | None) -> None:
        await self._ctx.session.report_progress(progress, total, message)

    async def log(self, level: str, data: object) -> None:
        asked = (self._ctx.meta or {}).get(LOG_LEVEL_KEY) if is_modern(self._ctx) else self._host.log_level(self._ctx)
        if asked not in _LEVELS or _LEVELS.index(level) < _LEVELS.index(asked):
            return
        params = types.LoggingMessageNotificationParams(level=level, data=data)  # type: ignore[arg-type]
        notification = types.LoggingMessageNotification(params=params)
        await self._ctx.session.send_notification(notification, related_request_id=self._ctx.request_id)

    async def request(self, method: str, params: Mapping[str, object]) -> dict[str, Any]:
        if not self._ctx.session.can_send_request:
            return await super().request(method, params)
        request_type, result_type = _ASKABLE[method]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # sampling and roots are deprecated, and older clients still have them
            request = request_type.model_validate({"method": method, "params": dict(params)}, by_name=False)
        metadata = ServerMessageMetadata(related_request_id=self._ctx.request_id)
        try:
            result = await self._ctx.session.send_request(request, result_type, metadata=metadata)
        except MCPError as error:
            message = f"The client refused {method}. Go on without it, or allow it there and try again."
            raise ToolError("BACKEND_UNAVAILABLE", message, {"method": method, "code": error.code}) from None
        dumped: dict[str, Any] = result.model_dump(by_alias=True, mode="json", exclude_none=True)
        return dumped

    async def changed(self, what: str) -> None:
        await self._host.announce(what)

    async def resource_updated(self, uri: str) -> None:
        await self._host.announce_resource(uri)


def wire(outcome: Outcome, version: str) -> dict[str, Any]:
    """The one place that knows what a tools/call result looks like to a client of this protocol version."""
    if outcome.input_required is not None:
        if version not in MODERN_PROTOCOL_VERSIONS:
            message = "This tool needs input that only a 2026-07-28 client can give."
            return wire(failed(ToolError("BACKEND_UNAVAILABLE", message, retryable=False)), version)
        required = outcome.input_required
        result: dict[str, Any] = {"resultType": "input_required"}
        if required.requests:
            result["inputRequests"] = {key: dict(value) for key, value in required.requests.items()}
        if required.state is not None:
            result["requestState"] = required.state
        return result
    content = outcome.content if outcome.plain else eras.readable(version, outcome.content)
    result = {"resultType": "complete", "content": content, "isError": outcome.error is not None}
    if outcome.data is not None and outcome.error is None and eras.knows(version, "structuredContent"):
        result["structuredContent"] = outcome.data
    if outcome.meta:
        result["_meta"] = outcome.meta
    return result
