"""MCP, both eras: SDK parameters in, dispatcher outcomes out. Everything the protocol knows stays in this file."""

from __future__ import annotations

import asyncio
import base64
import logging
import secrets
import warnings
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from . import __version__
from .answers import Outcome
from .app import App
from .call import Caller, Client
from .errors import ProtocolError, ToolError, did_you_mean, internal_error
from .lists import Lists
from .plugins import Plugin
from .resources import NO_SUCH_RESOURCE, Prompt, Resource
from .schemas import in_order
from .sdk import (
    MODERN_PROTOCOL_VERSIONS,
    SERVER_INFO_META_KEY,
    CacheHint,
    InMemorySubscriptionBus,
    ListenHandler,
    MCPError,
    NotificationOptions,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    Server,
    ServerMessageMetadata,
    ToolsListChanged,
    UriTemplate,
    methods,
    types,
)
from .tools import InputRequired

log = logging.getLogger("wekadocs.server")
INVALID_PARAMS = -32602
_NOT_FOUND = {True: INVALID_PARAMS, False: -32002}  # by: is the client of the modern era
_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
_LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"
_CHANGES: dict[str, Any] = {"tools": ToolsListChanged, "prompts": PromptsListChanged, "resources": ResourcesListChanged}
_ASKABLE: dict[str, tuple[Any, Any]] = {
    "elicitation/create": (types.ElicitRequest, types.ElicitResult),
    "sampling/createMessage": (types.CreateMessageRequest, types.CreateMessageResult),
    "roots/list": (types.ListRootsRequest, types.ListRootsResult),
}
_MAX_COMPLETIONS = 100
_NOTIFY_WITHIN = 1.0
_CALL_KEYS = frozenset({"name", "arguments", "_meta"})
_WITH_STRUCTURE = frozenset({"2025-06-18", "2025-11-25", *MODERN_PROTOCOL_VERSIONS})  # know structuredContent


def is_modern(ctx: Any) -> bool:
    return ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


class SdkClient(Client):
    """A connected client, through the SDK's request context."""

    def __init__(self, ctx: Any, host: McpServer, params: Any) -> None:
        self._ctx = ctx
        self._host = host
        self._params = params
        self.protocol_version = ctx.protocol_version

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

    async def log(self, level: str, data: Any) -> None:
        asked = (self._ctx.meta or {}).get(_LOG_LEVEL_KEY) if is_modern(self._ctx) else self._host.log_level(self._ctx)
        if asked not in _LEVELS or _LEVELS.index(level) < _LEVELS.index(asked):
            return
        params = types.LoggingMessageNotificationParams(level=level, data=data)  # type: ignore[arg-type]
        notification = types.LoggingMessageNotification(params=params)
        await self._ctx.session.send_notification(notification, related_request_id=self._ctx.request_id)

    async def request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
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


class HostServer(Server[Any]):
    """The SDK's server, promising list changes on every transport (over HTTP it would otherwise say no)."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> Any:
        changes = NotificationOptions(prompts_changed=True, resources_changed=True, tools_changed=True)
        return super().create_initialization_options(
            notification_options or changes, experimental_capabilities, extensions
        )


class McpServer:
    """One server object for both transports and both eras."""

    def __init__(self, app: App, process_session: str | None = None) -> None:
        self.app = app
        self._process = process_session
        self._bus = InMemorySubscriptionBus()
        self._connections: set[Any] = set()
        self.lists = Lists()
        self._templates: dict[str, UriTemplate] = {}
        self._request_state: Any = None
        self.sdk = self._build()
        self._server_info = self.sdk.server_info_stamp

    def _build(self) -> HostServer:
        server = self.app.config.server
        ttl = 0 if self.app.config.options.dev else server["cache_seconds"] * 1000
        listed = CacheHint(ttl_ms=ttl, scope="public")
        methods: Any = ("server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list")
        sdk = HostServer(
            server["name"],
            version=__version__,
            title=server.get("title"),
            instructions=self.app.instructions,
            cache_hints={**dict.fromkeys(methods, listed), "resources/read": CacheHint(ttl_ms=0, scope="private")},
            get_tool_input_schema=self._input_schema,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_completion=self._complete,
            on_subscribe_resource=self._subscribe,
            on_unsubscribe_resource=self._unsubscribe,
            on_subscriptions_listen=ListenHandler(self._bus),
        )
        # Passing the handler to the constructor would warn that logging is deprecated; older clients still set levels.
        sdk.add_request_handler("logging/setLevel", types.SetLevelRequestParams, self._set_level)
        if not _tracing():
            sdk.middleware.clear()
        sdk.middleware.append(self._middleware)
        return sdk

    def adopt(self, app: App) -> None:
        """Serve another build of the same deployment (hot reload)."""
        self.app = app
        self.lists.clear()
        self.sdk.instructions = app.instructions

    # --- the one middleware: pre-rendered lists, sealed request state, who is connected ---

    async def _middleware(self, ctx: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:
        method = ctx.method
        if method == "tools/call":
            if _is_exact(ctx):
                return await self._call_exact(ctx)
            return await self._sealed(ctx, call_next)
        if method == "tools/list" and not (ctx.params or {}).get("cursor"):
            return await self._rendered(ctx, call_next)
        if method == "notifications/initialized":
            self._remember(ctx)
        elif method in ("prompts/get", "resources/read"):
            return await self._sealed(ctx, call_next)
        return await call_next(ctx)

    async def _rendered(self, ctx: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:
        """The list is shaped once per protocol version; the SDK's way costs milliseconds for 200 tools."""
        known = self.lists.get(ctx.protocol_version)
        readable = "_meta" not in (ctx.params or {}) or ctx.meta is not None
        if known is not None and readable and ctx.session._connection.initialize_accepted:
            return known
        result = await call_next(ctx)
        # The SDK's models have an order of their own for each version; ours is sorted, and the same in all.
        result["tools"] = [in_order(tool) for tool in result["tools"]]
        self.lists.keep(ctx.protocol_version, result)
        return result

    async def _sealed(self, ctx: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:
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

    def _remember(self, ctx: Any) -> None:
        # The SDK has no public hook for a connection's end; its exit stack is the one place that knows.
        connection = ctx.session._connection
        if connection not in self._connections:
            self._connections.add(connection)
            connection.exit_stack.callback(self._connections.discard, connection)

    async def announce(self, what: str) -> None:
        """Tell clients of both eras that a list changed."""
        if what == "tools":
            self.lists.clear()
        await self._bus.publish(_CHANGES[what]())
        await self._notify(self._connections, f"notifications/{what}/list_changed", None)

    async def announce_resource(self, uri: str) -> None:
        await self._bus.publish(ResourceUpdated(uri=uri))
        subscribed = [each for each in self._connections if uri in each.state.get("subscriptions", ())]
        await self._notify(subscribed, "notifications/resources/updated", {"uri": uri})

    @staticmethod
    async def _notify(connections: Iterable[Any], method: str, params: dict[str, Any] | None) -> None:
        """All at once, each within a second: a client that does not read holds up nobody."""
        sending = [asyncio.create_task(each.outbound.notify(method, params)) for each in connections]
        if sending:
            _, late = await asyncio.wait(sending, timeout=_NOTIFY_WITHIN)
            for task in late:
                task.cancel()

    def log_level(self, ctx: Any) -> str:
        return str(ctx.session._connection.state.get("log_level", "info"))

    def identity(self, ctx: Any, params: Any = None) -> Caller:
        """Who asks. The one place that knows where a principal and a session come from."""
        client = SdkClient(ctx, self, params)
        if ctx.request is None:
            session = None if is_modern(ctx) else self._process
            return Caller("local", session, client, ctx.request_id)
        principal = ctx.request.scope.get("wekadocs.principal", "anonymous")
        session = None if is_modern(ctx) else ctx.request.headers.get("mcp-session-id")
        return Caller(principal, session, client, ctx.request_id)

    # --- tools ---

    def _input_schema(self, name: str) -> Mapping[str, Any] | None:
        """What the SDK checks a call's Mcp-Param headers by, which it would do for every tool, at some cost."""
        tool = self.app.catalogue.find(name)
        return tool.input if tool and tool.mirrors_arguments else None

    def mirrors_arguments(self, name: Any) -> bool:
        """Whether clients repeat arguments of this tool in headers."""
        return isinstance(name, str) and self._input_schema(name) is not None

    async def _list_tools(self, ctx: Any, params: Any) -> Any:
        _no_cursor(params)
        return {"resultType": "complete", **self.app.tools_list()}

    async def _call_tool(self, ctx: Any, params: Any) -> Any:
        outcome = await self._outcome(ctx, params.name, params.arguments, params)
        return wire(outcome, is_modern(ctx))

    async def _call_exact(self, ctx: Any) -> Any:
        """A call of the plainest form, past the SDK's two validations of what the contract checks anyway."""
        outcome = await self._outcome(ctx, ctx.params["name"], ctx.params.get("arguments"))
        result = wire(outcome, is_modern(ctx))
        if not outcome.plain or ctx.protocol_version not in _WITH_STRUCTURE:
            # Blocks that a plugin wrote itself: the SDK's own shaping finds what a client could not read.
            try:
                result = methods.serialize_server_result("tools/call", ctx.protocol_version, result)
            except ValueError:
                log.error("tool=%s returned a content block MCP does not know", ctx.params["name"])
                result = wire(Outcome.failed(internal_error()), is_modern(ctx))
        if is_modern(ctx):
            result["_meta"] = {**result.get("_meta", {}), SERVER_INFO_META_KEY: self._server_info}
        else:
            result.pop("resultType", None)
        return await self._sealed(ctx, _given(result))

    async def _outcome(self, ctx: Any, name: str, arguments: Any, params: Any = None) -> Outcome:
        try:
            return await self.app.dispatcher.call(name, arguments, self.identity(ctx, params))
        except ProtocolError as error:
            raise MCPError(error.code, error.message, error.data) from None

    # --- resources ---

    async def _list_resources(self, ctx: Any, params: Any) -> Any:
        _no_cursor(params)
        return {
            "resultType": "complete",
            "resources": [each.wire() for each, _ in self.app.resources if not each.is_template],
        }

    async def _list_templates(self, ctx: Any, params: Any) -> Any:
        _no_cursor(params)
        found = [each.wire() for each, _ in self.app.resources if each.is_template]
        return {"resultType": "complete", "resourceTemplates": found}

    async def _read_resource(self, ctx: Any, params: Any) -> Any:
        uri = str(params.uri)
        resource, plugin, variables = self._find_resource(ctx, uri)
        try:
            content = await self._run(resource.read, plugin, self.identity(ctx, params), **variables)
        except ToolError as error:
            raise self._not_found(ctx, error.message, uri) from None
        if isinstance(content, InputRequired):
            return self._ask_back(ctx, content)
        return {"resultType": "complete", "contents": _contents(content, uri, resource.mime_type)}

    def _find_resource(self, ctx: Any, uri: str) -> tuple[Resource, Plugin, dict[str, Any]]:
        for resource, plugin in self.app.resources:
            if resource.uri == uri:
                return resource, plugin, {}
        for resource, plugin in self.app.resources:
            if resource.is_template:
                template = self._templates.get(resource.uri) or UriTemplate.parse(resource.uri)
                self._templates[resource.uri] = template
                variables = template.match(uri)
                if variables is not None:
                    return resource, plugin, dict(variables)
        raise self._not_found(ctx, NO_SUCH_RESOURCE, uri)

    @staticmethod
    def _not_found(ctx: Any, message: str, uri: str) -> MCPError:
        return MCPError(_NOT_FOUND[is_modern(ctx)], message, {"uri": uri})

    async def _subscribe(self, ctx: Any, params: Any) -> Any:
        self._find_resource(ctx, str(params.uri))
        ctx.session._connection.state.setdefault("subscriptions", set()).add(str(params.uri))
        return types.EmptyResult()

    async def _unsubscribe(self, ctx: Any, params: Any) -> Any:
        ctx.session._connection.state.setdefault("subscriptions", set()).discard(str(params.uri))
        return types.EmptyResult()

    async def _set_level(self, ctx: Any, params: Any) -> Any:
        ctx.session._connection.state["log_level"] = params.level
        return types.EmptyResult()

    # --- prompts and completion ---

    async def _list_prompts(self, ctx: Any, params: Any) -> Any:
        _no_cursor(params)
        return {"resultType": "complete", "prompts": [prompt.wire() for prompt, _ in self.app.prompts]}

    async def _get_prompt(self, ctx: Any, params: Any) -> Any:
        prompt, plugin = self._find_prompt(params.name)
        given = dict(params.arguments or {})
        known = {argument.name for argument in prompt.arguments}
        for name in given.keys() - known:  # first: a misspelt name usually explains the missing one
            raise MCPError(INVALID_PARAMS, f"Prompt {prompt.name} has no argument {name}{did_you_mean(name, known)}")
        for argument in prompt.arguments:
            if argument.required and argument.name not in given:
                raise MCPError(INVALID_PARAMS, f"Prompt {prompt.name} needs the argument {argument.name}.")
        try:
            got = await self._run(prompt.get, plugin, self.identity(ctx, params), **given)
        except ToolError as error:
            raise MCPError(INVALID_PARAMS, error.message) from None
        if isinstance(got, InputRequired):
            return self._ask_back(ctx, got)
        messages = [{"role": "user", "content": {"type": "text", "text": got}}] if isinstance(got, str) else got
        return {"resultType": "complete", "description": prompt.description, "messages": messages}

    @staticmethod
    def _ask_back(ctx: Any, required: InputRequired) -> Any:
        """A prompt or a resource that needs the user's input first."""
        if not is_modern(ctx):
            raise MCPError(INVALID_PARAMS, "This needs input that only a 2026-07-28 client can give.")
        return wire(Outcome(input_required=required), modern=True)

    def _find_prompt(self, name: str) -> tuple[Prompt, Plugin]:
        for prompt, plugin in self.app.prompts:
            if prompt.name == name:
                return prompt, plugin
        near = did_you_mean(name, [prompt.name for prompt, _ in self.app.prompts])
        raise MCPError(INVALID_PARAMS, f"There is no prompt {name[:100]}{near}")

    async def _complete(self, ctx: Any, params: Any) -> Any:
        owner, plugin = self._completing(params.ref)
        values: list[str] = []
        if owner is not None and plugin is not None and owner.complete is not None:
            argument = params.argument
            caller = self.identity(ctx, params)
            values = list(await self._run(owner.complete, plugin, caller, argument=argument.name, value=argument.value))
        shown = values[:_MAX_COMPLETIONS]
        completion = {"values": shown, "total": len(values), "hasMore": len(values) > len(shown)}
        return {"resultType": "complete", "completion": completion}

    def _completing(self, ref: Any) -> tuple[Prompt | Resource | None, Plugin | None]:
        if getattr(ref, "name", None) is not None:
            return self._find_prompt(ref.name)
        found = [(each, plugin) for each, plugin in self.app.resources if each.uri == str(ref.uri)]
        return found[0] if found else (None, None)

    async def _run(self, function: Callable[..., Any], plugin: Plugin, caller: Caller, **arguments: Any) -> Any:
        try:
            return await self.app.dispatcher.run(function, plugin, caller, arguments)
        except ProtocolError as error:
            raise MCPError(error.code, error.message, error.data) from None


def _given(result: Any) -> Callable[[Any], Awaitable[Any]]:
    async def given(_: Any) -> Any:
        return result

    return given


def _is_exact(ctx: Any) -> bool:
    """A call that the SDK would pass on unchanged; its validation costs more than our whole pipeline."""
    params, session = ctx.params, ctx.session
    return (
        bool(params)
        and params.keys() <= _CALL_KEYS
        and type(params.get("name")) is str
        and isinstance(params.get("arguments", {}), dict)
        and session._connection.initialize_accepted
        and ("_meta" not in params or ctx.meta is not None)
        and (not is_modern(ctx) or (session.client_params is not None and _LOG_LEVEL_KEY not in (ctx.meta or {})))
    )


def _tracing() -> bool:
    """OpenTelemetry's spans cost a little on every message: only where somebody configured it."""
    import os

    return any(name.startswith("OTEL_") for name in os.environ)


def _no_cursor(params: Any) -> None:
    if getattr(params, "cursor", None):
        raise MCPError(INVALID_PARAMS, "Unknown cursor: this list has one page.")


def _contents(content: Any, uri: str, mime_type: str | None) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"uri": uri, "mimeType": mime_type or "text/plain", "text": content}]
    if isinstance(content, bytes):
        blob = base64.b64encode(content).decode()
        return [{"uri": uri, "mimeType": mime_type or "application/octet-stream", "blob": blob}]
    return [{"uri": uri, **each} for each in content]


def wire(outcome: Outcome, modern: bool) -> dict[str, Any]:
    """The one place that knows what a tools/call result looks like."""
    if outcome.input_required is not None:
        if not modern:
            message = "This tool needs input that only a 2026-07-28 client can give."
            return wire(Outcome.failed(ToolError("BACKEND_UNAVAILABLE", message, retryable=False)), modern)
        required = outcome.input_required
        result: dict[str, Any] = {"resultType": "input_required"}
        if required.requests:
            result["inputRequests"] = {key: dict(value) for key, value in required.requests.items()}
        if required.state is not None:
            result["requestState"] = required.state
        return result
    result = {"resultType": "complete", "content": outcome.content, "isError": outcome.error is not None}
    if outcome.data is not None and outcome.error is None:
        result["structuredContent"] = outcome.data
    return result


def new_process_session() -> str:
    return f"stdio-{secrets.token_hex(16)}"
