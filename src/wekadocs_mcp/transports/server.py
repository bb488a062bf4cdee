"""MCP, both eras: SDK parameters in, dispatcher outcomes out. Tools, lists and who is connected."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from wekadocs_contracts.format.schemas import in_order
from wekadocs_mcp import __version__
from wekadocs_mcp.app import App
from wekadocs_mcp.calls.answers import Outcome, failed
from wekadocs_mcp.calls.call import Caller
from wekadocs_mcp.errors import ProtocolError, internal_error
from wekadocs_mcp.transports.sdk.names import (
    SERVER_INFO_META_KEY,
    CacheHint,
    Context,
    ListenHandler,
    MCPError,
    NotificationOptions,
    Server,
    methods,
    types,
)

from . import eras
from .clients import SdkClient, is_modern, wire
from .exact import exact, is_open
from .lists import Lists
from .server_extras import Extras, no_cursor
from .subscribers import Announcer
from .tasks.calls import EXTENSION, TaskCalls

log = logging.getLogger("wekadocs.server")
LISTED = "wekadocs.listed"  # in the scope of an HTTP request: the tools it was answered with
_Next = Callable[[Context], Awaitable[Any]]


class HostServer(Server[Any]):
    """The SDK's server, promising list changes on every transport (over HTTP it would otherwise say no)."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, object]] | None = None,
        extensions: dict[str, dict[str, object]] | None = None,
    ) -> Any:
        changes = NotificationOptions(prompts_changed=True, resources_changed=True, tools_changed=True)
        return super().create_initialization_options(
            notification_options or changes, experimental_capabilities, extensions
        )


class McpServer:
    """One server object for both transports and both eras."""

    def __init__(self, app: App, process_session: str | None = None) -> None:
        self.app = app
        app.lifespans.serving = True
        self._process = process_session
        self.clients = Announcer(app.config.server["max_sessions"])
        self.lists = Lists()
        self._request_state: Any = None
        self.tasks = TaskCalls(self)
        self.sdk = self._build()
        self.tasks.register()
        self._server_info = self.sdk.server_info_stamp

    def _build(self) -> HostServer:
        server = self.app.config.server
        ttl = 0 if self.app.config.options.dev else server["cache_seconds"] * 1000
        listed = CacheHint(ttl_ms=ttl, scope="public")
        methods: Any = ("server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list")
        extras = Extras(self)
        sdk = HostServer(
            server["name"],
            version=__version__,
            title=server.get("title"),
            instructions=self.app.instructions,
            cache_hints={**dict.fromkeys(methods, listed), "resources/read": CacheHint(ttl_ms=0, scope="private")},
            get_tool_input_schema=self._input_schema,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=extras.list_resources,
            on_list_resource_templates=extras.list_templates,
            on_read_resource=extras.read_resource,
            on_list_prompts=extras.list_prompts,
            on_get_prompt=extras.get_prompt,
            on_completion=extras.complete,
            on_subscribe_resource=extras.subscribe,
            on_unsubscribe_resource=extras.unsubscribe,
            on_subscriptions_listen=ListenHandler(self.clients.bus),
        )
        # Passing the handler to the constructor would warn that logging is deprecated; older clients still set levels.
        sdk.add_request_handler("logging/setLevel", types.SetLevelRequestParams, self._set_level)
        if not _tracing():
            sdk.middleware.clear()
        sdk.middleware.append(self._middleware)
        sdk.extensions = _extensions(self.app)
        return sdk

    def adopt(self, app: App) -> None:
        """Serve another build of the same deployment (hot reload)."""
        self.app = app
        app.lifespans.serving = True
        self.lists.clear()
        self.sdk.instructions = app.instructions
        self.sdk.extensions = _extensions(app)

    # --- the one middleware: pre-rendered lists, sealed request state, who is connected ---

    async def _middleware(self, ctx: Context, call_next: _Next) -> Any:
        method = ctx.method
        if method == "tools/call":
            if self.tasks.takes(ctx):
                return await self._sealed(ctx, self.tasks.call)
            plain = exact(ctx)
            if plain is not None:
                return await self._call_exact(ctx, plain)
            return await self._sealed(ctx, call_next)
        if method == "tools/list" and not (ctx.params or {}).get("cursor"):
            return await self._rendered(ctx, call_next)
        if method == "notifications/initialized":
            self.clients.of(ctx)
        elif method in ("prompts/get", "resources/read"):
            return await self._sealed(ctx, call_next)
        return await call_next(ctx)

    async def _rendered(self, ctx: Context, call_next: _Next) -> Any:
        """The list is shaped once per protocol version; the SDK's way costs milliseconds for 200 tools."""
        known = self.lists.get(ctx.protocol_version)
        readable = "_meta" not in (ctx.params or {}) or ctx.meta is not None
        if known is None or not readable or not is_open(ctx):
            known = await call_next(ctx)
            # The SDK's models have an order of their own for each version; ours is sorted, and the same in all.
            known["tools"] = [in_order(tool) for tool in known["tools"]]
            self.lists.keep(ctx.protocol_version, known)
        if ctx.request is not None:
            ctx.request.scope[LISTED] = known["tools"]
        return known

    async def _sealed(self, ctx: Context, call_next: _Next) -> Any:
        if (ctx.params or {}).get("requestState") is not None:
            return await self._boundary()(ctx, call_next)
        result = await call_next(ctx)
        if isinstance(result, dict) and result.get("resultType") == "input_required":
            return await self._boundary()(ctx, _given(result))
        return result

    def _boundary(self) -> Any:
        if self._request_state is None:
            from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity

            security = RequestStateSecurity.ephemeral()
            self._request_state = RequestStateBoundary(security, default_audience=self.app.config.server["name"])
        return self._request_state

    async def announce(self, what: str) -> None:
        """Tell clients of both eras that a list changed."""
        if what == "tools":
            self.lists.clear()
        await self.clients.list_changed(what)

    async def announce_resource(self, uri: str) -> None:
        await self.clients.resource_updated(uri)

    def log_level(self, ctx: Context) -> str:
        return self.clients.log_level(ctx)

    def left(self, session_id: str) -> None:
        """A session of the older era ended."""
        self.clients.left(session_id)

    def identity(self, ctx: Context, params: object = None) -> Caller:
        """Who asks. The one place that knows where a principal and a session come from."""
        client = SdkClient(ctx, self, params)
        if ctx.request is None:
            session = None if is_modern(ctx) else self._process
            return Caller("local", session, client, ctx.request_id)
        scope = ctx.request.scope
        principal = scope.get("wekadocs.principal", "anonymous")
        session = None if is_modern(ctx) else ctx.request.headers.get("mcp-session-id")
        return Caller(principal, session, client, ctx.request_id, scope.get("wekadocs.asker"))

    # --- tools ---

    def _input_schema(self, name: str) -> Mapping[str, Any] | None:
        """What the SDK checks a call's Mcp-Param headers by, which it would do for every tool, at some cost."""
        tool = self.app.catalogue.find(name)
        return tool.input if tool and tool.mirrors_arguments else None

    def mirrors_arguments(self, name: object) -> bool:
        """Whether clients repeat arguments of this tool in headers."""
        return isinstance(name, str) and self._input_schema(name) is not None

    async def _list_tools(self, ctx: Context, params: types.PaginatedRequestParams | None) -> Any:
        no_cursor(params)
        tools = self.app.tools_list()["tools"]
        return {"resultType": "complete", "tools": eras.listed(ctx.protocol_version, tools)}

    async def _call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> Any:
        outcome = await self._outcome(ctx, params.name, params.arguments, params)
        return wire(outcome, ctx.protocol_version)

    async def _call_exact(self, ctx: Context, params: Mapping[str, Any]) -> Any:
        """A call of the plainest form, past the SDK's two validations of what the contract checks anyway."""
        outcome = await self._outcome(ctx, params["name"], params.get("arguments"))
        result = wire(outcome, ctx.protocol_version)
        if not outcome.plain:
            # Blocks that a plugin wrote itself: the SDK's own shaping finds what a client could not read.
            try:
                result = methods.serialize_server_result("tools/call", ctx.protocol_version, result)
            except ValueError:
                log.error("tool=%s returned a content block MCP does not know", params["name"])
                result = wire(self._broken(params["name"]), ctx.protocol_version)
        if is_modern(ctx):
            result = self.stamped(result)
        else:
            result.pop("resultType", None)
        return await self._sealed(ctx, _given(result))

    def stamped(self, result: dict[str, Any]) -> dict[str, Any]:
        """With who answered, as 2026-07-28 wants it."""
        return {**result, "_meta": {**result.get("_meta", {}), SERVER_INFO_META_KEY: self._server_info}}

    def _broken(self, name: str) -> Outcome:
        tool = self.app.catalogue.find(name)
        return failed(internal_error(), tool.contract if tool else None)

    async def _outcome(
        self, ctx: Context, name: str, arguments: Mapping[str, object] | None, params: object = None
    ) -> Outcome:
        try:
            return await self.app.dispatcher.call(name, arguments, self.identity(ctx, params))
        except ProtocolError as error:
            raise MCPError(error.code, error.message, error.data) from None

    async def _set_level(self, ctx: Context, params: types.SetLevelRequestParams) -> types.EmptyResult:
        self.clients.of(ctx).log_level = params.level
        return types.EmptyResult()


def _extensions(app: App) -> dict[str, dict[str, Any]]:
    return {EXTENSION: {}} if TaskCalls.offered(app) else {}


def _given(result: object) -> _Next:
    async def given(_: object) -> Any:
        return result

    return given


def _tracing() -> bool:
    """OpenTelemetry's spans cost a little on every message: only where somebody configured it."""
    import os

    return any(name.startswith("OTEL_") for name in os.environ)


def new_process_session() -> str:
    return f"stdio-{secrets.token_hex(16)}"
