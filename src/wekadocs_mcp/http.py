"""Streamable HTTP at /_mcp, and what an operator watches: /healthz, /readyz, /metrics."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Callable
from typing import Any

import uvicorn

from . import ending
from .errors import StartError
from .http_door import Asgi, Door, Readable, auth_token, check_bind, say
from .http_lists import ListAgain
from .server import McpServer

__all__ = ["auth_token", "build", "check_bind", "serve"]
_END_WITHIN = 1.9


def build(server: McpServer, host: str = "127.0.0.1", token: str | None = None) -> Asgi:
    """The ASGI application for one server object."""
    from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
    from mcp.server.transport_security import RequestBodyLimitMiddleware
    from starlette.applications import Starlette
    from starlette.routing import Route

    settings = server.app.config.server
    mounted = server.app.config.flag("MCP_HTTP_STREAMABLE_ENABLED") is not False
    manager = StreamableHTTPSessionManager(
        app=server.sdk,
        json_response=settings["json_response"],
        session_idle_timeout=settings["session_idle_seconds"],
        max_sessions=settings["max_sessions"],
        max_request_body_size=settings["max_request_bytes"],
    )
    operator = _Operator(server, "mounted" if mounted else "disabled")
    endpoint: Any = say(404, "Streamable HTTP is off: MCP_HTTP_STREAMABLE_ENABLED is false.")
    if mounted:
        endpoint = RequestBodyLimitMiddleware(
            ListAgain(Readable(StreamableHTTPASGIApp(manager)), server),  # type: ignore[arg-type]
            settings["max_request_bytes"],
        )

    @contextlib.asynccontextmanager
    async def running(_: Any) -> AsyncIterator[None]:
        starting = asyncio.create_task(server.app.start_plugins())
        async with manager.run():
            yield
        starting.cancel()
        await server.app.close()

    routes = [
        Route("/healthz", operator.healthz),
        Route("/readyz", operator.readyz),
        Route("/metrics", operator.metrics),
    ]
    app = _Paths(endpoint, Starlette(routes=routes, lifespan=running))
    return Door(app, host, settings["allowed_hosts"], settings["allowed_origins"], token)


class _Paths:
    """MCP goes straight to its endpoint; the pages for operators take the framework's longer way."""

    def __init__(self, mcp: Asgi, pages: Asgi) -> None:
        self._mcp = mcp
        self._pages = pages

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        is_mcp = scope["type"] == "http" and scope["path"] == "/_mcp"
        await (self._mcp if is_mcp else self._pages)(scope, receive, send)


class _Operator:
    """Liveness, readiness, metrics."""

    def __init__(self, server: McpServer, mcp: str) -> None:
        self._server = server
        self._mcp = mcp

    async def healthz(self, _: Any) -> Any:
        from starlette.responses import JSONResponse

        return JSONResponse({"status": "ok"})

    async def readyz(self, _: Any) -> Any:
        from starlette.responses import JSONResponse

        found = await self._server.app.health()
        ready = all(each.ok for each in found)
        body = {
            "status": "ready" if ready else "degraded",
            "mcp": self._mcp,
            "plugins": {each.what: {"ok": each.ok, "note": each.note} for each in found},
        }
        return JSONResponse(body, status_code=200 if ready else 503)

    async def metrics(self, _: Any) -> Any:
        from starlette.responses import PlainTextResponse

        text = self._server.app.telemetry.prometheus()
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4; charset=utf-8")


async def serve(server: McpServer, host: str, port: int, on_ready: Callable[[int], None]) -> None:
    """Serve until a signal; open streams get half a second."""
    token = auth_token()
    check_bind(host, token)
    config = uvicorn.Config(
        build(server, host, token),
        host=host,
        port=port,
        loop="asyncio",
        http="httptools",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=64 * 1024,
    )
    listener = _Listener(config, on_ready)
    await listener.serve()
    if not listener.started:
        raise StartError(
            [f"port {port} on {host} cannot be used.\n  fix: choose another with --port, or stop what holds it"]
        )


class _Listener(uvicorn.Server):
    """uvicorn, telling its port once it listens, and ending in bounded time."""

    def __init__(self, config: Any, on_ready: Callable[[int], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: Any = None) -> None:
        try:
            await super().startup(sockets)
        except SystemExit:
            self.should_exit = True
            return
        if self.started:
            self._on_ready(self.servers[0].sockets[0].getsockname()[1])

    def handle_exit(self, sig: int, frame: Any) -> None:
        if self.should_exit and sig == signal.SIGINT:
            ending.end(130)
        if not self.should_exit:
            ending.end_within(_END_WITHIN)
        self.should_exit = True
