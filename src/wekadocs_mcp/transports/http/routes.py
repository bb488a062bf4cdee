"""Plugins' own endpoints over HTTP."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any

from wekadocs_mcp import __version__
from wekadocs_mcp.app import App
from wekadocs_mcp.calls.answers import Outcome, failed
from wekadocs_mcp.calls.call import Caller, Client
from wekadocs_mcp.calls.telemetry import frames
from wekadocs_mcp.errors import ProtocolError, ToolError, internal_error
from wekadocs_mcp.overview import Overview
from wekadocs_mcp.plugins.importing import Plugin
from wekadocs_mcp.plugins.routes import HttpReply, HttpRequest, HttpRoute
from wekadocs_mcp.transports.server import McpServer

from .guard import ANONYMOUS, Asgi, Receive, Scope, Send
from .reading import gathered, too_large
from .reply import JSON, Reply

log = logging.getLogger("wekadocs.http")


class HttpClient(Client):
    """Whoever asks without MCP; by the name in its User-Agent."""

    def __init__(self, headers: Mapping[bytes, bytes]) -> None:
        agent = headers.get(b"user-agent", b"").decode("latin-1").partition("/")[0].strip()
        self.name = f"rest {agent or 'unknown'}"


def endpoints(server: McpServer) -> dict[str, Asgi]:
    """Path → application, for every route of every plugin; one that is off says which switch it needs."""
    app = server.app
    return {
        route.path: Endpoint(server, plugin, route, _is_on(app, route))
        for plugin in app.plugins.values()
        for route in plugin.routes
    }


def on(app: App) -> list[str]:
    """The paths of those that a switch has turned on."""
    routes = [route for plugin in app.plugins.values() for route in plugin.routes]
    return [route.path for route in routes if route.flag is not None and _is_on(app, route)]


def public(app: App) -> frozenset[str]:
    """The paths that need no token."""
    return frozenset(route.path for plugin in app.plugins.values() for route in plugin.routes if route.public)


def _is_on(app: App, route: HttpRoute) -> bool:
    return route.flag is None or app.config.flag(route.flag) is True


class Endpoint:
    """One route as an application."""

    def __init__(self, server: McpServer, plugin: Plugin, route: HttpRoute, is_on: bool) -> None:
        self._server = server
        self._plugin = plugin
        self._route = route
        self._is_on = is_on
        self._limit: int = server.app.config.server["max_request_bytes"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await gathered(scope, receive, self._limit) if self._is_on else b""
        if body is None:
            await too_large(self._limit)(scope, receive, send)
            return
        reply = await self._reply(scope, body)
        headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in reply.headers.items()]
        if isinstance(reply.body, bytes):
            await Reply(send, headers).whole(reply.body, [], status=reply.status)
            return
        raw = json.dumps(reply.body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        await Reply(send, headers).whole(raw, JSON, status=reply.status)

    async def _reply(self, scope: Scope, body: bytes) -> HttpReply:
        route = self._route
        if not self._is_on:
            return _detail(404, f"{route.path} is off: {route.flag} is false. MCP is served at /_mcp.")
        if scope["method"] != route.method:
            return _detail(405, f"{route.path} takes {route.method}.", {"allow": route.method})
        try:
            given = json.loads(body, parse_constant=_refused) if route.method == "POST" and body.strip() else None
        except (ValueError, RecursionError):
            return _detail(422, "The body is not JSON.")
        try:
            return await route.handle(self._request(scope, given))
        except Exception as error:
            told = internal_error()
            log.error("id=%s path=%s %s", told.details["id"], route.path, frames(error))
            return HttpReply(told.envelope(), 500)

    def _request(self, scope: Scope, body: object) -> HttpRequest:
        app = self._server.app
        principal = scope["wekadocs.principal"]
        caller = Caller(principal, None, HttpClient(scope["wekadocs.headers"]), asker=scope["wekadocs.asker"])

        async def call(name: str, arguments: Mapping[str, object]) -> Outcome:
            try:
                return await app.dispatcher.call(name, arguments, caller)
            except ProtocolError as error:
                return failed(ToolError("INVALID_ARGUMENT", error.message))

        def tool(name: str) -> dict[str, Any] | None:
            found = app.catalogue.by_contract.get(name)
            return found.wire(False) if found is not None and found.disabled is None else None

        async def state() -> object:
            return await app.lifespans.state(app.plugins[self._plugin.name])

        info = {"name": app.config.server["name"], "version": __version__}
        kind = scope["wekadocs.headers"].get(b"content-type", b"").partition(b";")[0].strip().lower().decode("latin-1")
        settings, overview = self._plugin.spec.settings, Overview(app)
        return HttpRequest(body, principal != ANONYMOUS, settings, info, tool, call, kind, state, overview)


def _refused(name: str) -> Any:
    raise ValueError(name)


def _detail(status: int, message: str, headers: dict[str, str] | None = None) -> HttpReply:
    return HttpReply({"detail": message}, status, headers or {})
