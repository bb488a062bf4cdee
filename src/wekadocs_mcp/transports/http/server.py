"""Streamable HTTP at /_mcp, and what an operator watches: /healthz, /readyz, /metrics."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Mapping

from wekadocs_mcp.calls.telemetry import frames
from wekadocs_mcp.transports.http.socket.connections import Connections
from wekadocs_mcp.transports.http.socket.listener import listen
from wekadocs_mcp.transports.server import McpServer

from .guard import Asgi, Door, Gate, Receive, Scope, Send, auth_token, check_bind, say
from .openapi.facade import Facade
from .operator import MCP_PATH, Operator

__all__ = ["auth_token", "build", "check_bind", "serve"]
log = logging.getLogger("wekadocs.http")


def build(server: McpServer, host: str = "127.0.0.1", token: str | None = None, gate: Gate | None = None) -> Asgi:
    """The ASGI application for one server object."""
    from starlette.applications import Starlette
    from starlette.routing import Route

    from .mounting import mount
    from .routes import endpoints, public

    settings = server.app.config.server
    mounted = server.app.config.flag("MCP_HTTP_STREAMABLE_ENABLED") is not False
    mcp = mount(server)
    endpoint = mcp.endpoint
    if not mounted:
        endpoint = say(404, "Streamable HTTP is off: MCP_HTTP_STREAMABLE_ENABLED is false.")
    operator = Operator(server, "mounted" if mounted else "disabled")

    @contextlib.asynccontextmanager
    async def running(_: object) -> AsyncIterator[None]:
        starting = asyncio.create_task(server.app.start_plugins())
        async with contextlib.AsyncExitStack() as open_ones:
            try:
                await open_ones.enter_async_context(mcp.running())
            except Exception as error:
                log.error("MCP could not start: %s", frames(error))
                operator.mcp = "failed"
                app.serve_mcp(say(503, "MCP could not start here. The server's log says why."))
            yield
        starting.cancel()
        await server.app.close()

    routes = [Route(path, page) for path, page in operator.pages.items()]
    facade = Facade(server, with_token=token is not None)
    app = _Paths(endpoints(server), facade, Starlette(routes=routes, lifespan=running))
    app.serve_mcp(endpoint)
    gate = gate or Gate.of(settings, server.app.telemetry)
    return Door(app, host, settings, token, gate, public(server.app))


class _Paths:
    """MCP and plugins' routes go straight to their endpoints; pages for operators take the framework's longer way."""

    def __init__(self, endpoints: Mapping[str, Asgi], facade: Facade, pages: Asgi) -> None:
        self._endpoints = dict(endpoints)
        self._facade = facade
        self._pages = pages

    def serve_mcp(self, endpoint: Asgi) -> None:
        """Some clients put a slash behind an address, and some insist on /mcp."""
        self._endpoints |= dict.fromkeys((MCP_PATH, "/mcp", f"{MCP_PATH}/", "/mcp/"), endpoint)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._endpoints.get(scope["path"]) if scope["type"] == "http" else self._pages
        await (found or (self._facade if self._facade.has(scope["path"]) else self._pages))(scope, receive, send)


async def serve(server: McpServer, host: str, port: int, on_ready: Callable[[int], None]) -> None:
    """Serve until a signal; open streams get half a second."""
    token = auth_token()
    check_bind(host, token)
    settings = server.app.config.server
    gate = Gate.of(settings, server.app.telemetry)
    connections = Connections(settings["http"], gate.peers, gate.refusals)

    def listening(bound: int) -> None:
        log.info("started transport=http host=%s port=%d", host, bound)
        on_ready(bound)

    await listen(build(server, host, token, gate), host, port, connections, listening)
    log.info("ended transport=http")
