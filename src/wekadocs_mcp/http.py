"""Streamable HTTP at /_mcp, and what an operator watches: /healthz, /readyz, /metrics.

Closed by default: loopback only without a token, foreign Host and Origin refused, a body cap, no CORS.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import ipaddress
import json
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

from . import cache, ending
from .errors import StartError
from .sdk import types
from .server import McpServer

Scope = dict[str, Any]
Asgi = Callable[[Scope, Any, Any], Awaitable[None]]
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_END_WITHIN = 1.9
_OPEN_PATHS = frozenset({"/healthz", "/readyz"})


def auth_token() -> str | None:
    """MCP_AUTH_TOKEN, read when the transport starts and kept nowhere else."""
    return os.environ.get("MCP_AUTH_TOKEN", "").strip() or None


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    return False


def check_bind(host: str, token: str | None) -> None:
    if token is None and not is_loopback(host):
        raise StartError(
            [
                f"--host {host} would serve beyond this machine without authentication.\n"
                "  fix: set MCP_AUTH_TOKEN to a long random value, or bind to 127.0.0.1"
            ]
        )
    if token is not None and len(token) < 16:
        raise StartError(
            [
                "MCP_AUTH_TOKEN is shorter than 16 characters.\n  fix: python -c 'import secrets; print(secrets.token_urlsafe(32))'"
            ]
        )  # noqa: E501


def build(server: McpServer, host: str = "127.0.0.1", token: str | None = None) -> Asgi:
    """The ASGI application for one server object."""
    from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
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
    endpoint = (
        StreamableHTTPASGIApp(manager)
        if mounted
        else _say(404, "Streamable HTTP is off: MCP_HTTP_STREAMABLE_ENABLED is false.")
    )  # noqa: E501

    @contextlib.asynccontextmanager
    async def running(_: Any) -> AsyncIterator[None]:
        starting = asyncio.create_task(server.app.start_plugins())
        async with manager.run():
            yield
        starting.cancel()
        await server.app.close()

    routes = [
        Route("/_mcp", endpoint=endpoint),
        Route("/healthz", operator.healthz),
        Route("/readyz", operator.readyz),
        Route("/metrics", operator.metrics),
    ]
    app: Asgi = Starlette(routes=routes, lifespan=running)
    return Door(app, host, settings["allowed_hosts"], settings["allowed_origins"], token)


class Door:
    """What every request must pass before anything reads it: Host, Origin, bearer token."""

    def __init__(self, app: Asgi, host: str, hosts: Iterable[str], origins: Iterable[str], token: str | None) -> None:
        self._app = app
        bound = f"[{host}]" if ":" in host and not host.startswith("[") else host
        self._hosts = frozenset(each.lower() for each in (*_LOOPBACK, bound, *hosts))
        self._origins = frozenset(each.lower().rstrip("/") for each in origins)
        self._token = token.encode() if token else None
        principal = f"token:{cache.digest(token.encode())[:12]}" if token else "anonymous"
        self._who = {"wekadocs.principal": principal, **({"user": _user(principal)} if token else {})}

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # httptools keeps spaces around header values, which the protocol's header checks would take for a mismatch.
        headers = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
        refusal = self._refusal(scope["path"], dict(headers))
        await (refusal or self._app)({**scope, "headers": headers, **self._who}, receive, send)

    def _refusal(self, path: str, headers: dict[bytes, bytes]) -> Asgi | None:
        host, origin = (headers.get(name, b"").decode("latin-1") for name in (b"host", b"origin"))
        if not self._host_allowed(host):
            return _say(421, f"Host {host[:80]!r} is not served here. Add it to server.allowed_hosts in tools.yaml.")
        if origin and not self._origin_allowed(origin):
            return _say(403, "This Origin is not allowed. Add it to server.allowed_origins in tools.yaml.")
        if not self._authorized(path, headers.get(b"authorization", b"")):
            return _say(401, "A bearer token is needed (Authorization: Bearer …, see MCP_AUTH_TOKEN).", _CHALLENGE)
        return None

    def _host_allowed(self, host: str) -> bool:
        name = host.lower()
        bare = name.rsplit(":", 1)[0] if not name.endswith("]") else name
        return name in self._hosts or bare in self._hosts

    def _origin_allowed(self, origin: str) -> bool:
        if origin.lower() in self._origins:
            return True
        try:
            parts = urlsplit(origin.lower())
        except ValueError:
            return False
        return parts.scheme in ("http", "https") and is_loopback(parts.hostname or "")

    def _authorized(self, path: str, header: bytes) -> bool:
        if self._token is None or path in _OPEN_PATHS:
            return True
        scheme, _, given = header.partition(b" ")
        return scheme.lower() == b"bearer" and hmac.compare_digest(given.strip(), self._token)


def _user(principal: str) -> Any:
    """By this the SDK binds a session of the older era to whoever opened it; another principal gets 404."""
    from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
    from mcp.server.auth.provider import AccessToken

    return AuthenticatedUser(AccessToken(token=principal, client_id=principal, scopes=[]))


_CHALLENGE = [(b"www-authenticate", b'Bearer realm="wekadocs-mcp"')]


class _Say:
    """An ASGI application with one answer. A class, because Starlette calls a plain function with a Request."""

    def __init__(self, status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
        self._status, self._body, self._headers = status, body, headers

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(self._body)).encode())]
        await send({"type": "http.response.start", "status": self._status, "headers": headers + self._headers})
        await send({"type": "http.response.body", "body": self._body})


def _say(status: int, message: str, headers: list[tuple[bytes, bytes]] | None = None) -> _Say:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": types.INVALID_REQUEST, "message": message}}
    return _Say(status, json.dumps(error).encode(), headers or [])


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
            "plugins": {each.name: {"ok": each.ok, "note": each.note} for each in found},
        }
        return JSONResponse(body, status_code=200 if ready else 503)

    async def metrics(self, _: Any) -> Any:
        from starlette.responses import PlainTextResponse

        text = self._server.app.telemetry.prometheus()
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4; charset=utf-8")


async def serve(server: McpServer, host: str, port: int, on_ready: Callable[[int], None]) -> None:
    """Serve until a signal; open streams get half a second."""
    import uvicorn

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
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=64 * 1024,
    )
    listener = _Listener(config, on_ready)
    await listener.serve()
    if not listener.started:
        raise StartError(
            [f"port {port} on {host} cannot be used.\n  fix: choose another with --port, or stop what holds it"]
        )


def _listener_class() -> Any:
    import uvicorn

    class Listener(uvicorn.Server):
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

    return Listener


def _Listener(config: Any, on_ready: Callable[[int], None]) -> Any:  # noqa: N802 - stands for the class it makes
    return _listener_class()(config, on_ready)
