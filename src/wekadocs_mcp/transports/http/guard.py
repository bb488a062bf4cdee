"""What every HTTP request must pass before the SDK sees it: Host, Origin, bearer token.

Closed by default: loopback only without a token, foreign Host and Origin refused, no CORS.
"""

from __future__ import annotations

import contextlib
import hmac
import ipaddress
import json
import os
import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, NamedTuple

from wekadocs_contracts.problems import StartError
from wekadocs_mcp.calls.telemetry import Telemetry
from wekadocs_mcp.transports.fast_door import cache
from wekadocs_mcp.transports.http.socket.peers import Peers
from wekadocs_mcp.transports.sdk.names import types

from .refusals import Refusals

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_OPEN_PATHS = frozenset({"/", "/healthz", "/readyz"})
_ONCE = frozenset(b"host origin authorization content-length content-type".split()) | frozenset(
    b"mcp-session-id mcp-protocol-version mcp-method mcp-name".split()
)
ANONYMOUS = "anonymous"  # the principal of whoever asks where no token is configured
_ORIGIN = re.compile(r"https?://([^\s/:@\[\]]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")
_CHALLENGE = [(b"www-authenticate", b'Bearer realm="wekadocs-mcp"')]


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
        fix = "python -c 'import secrets; print(secrets.token_urlsafe(32))' makes a good one"
        raise StartError([f"MCP_AUTH_TOKEN is shorter than 16 characters.\n  fix: {fix}"])


class Gate(NamedTuple):
    """What connections and requests share: who is who, and who was turned away."""

    peers: Peers
    refusals: Refusals

    @classmethod
    def of(cls, settings: Mapping[str, Any], telemetry: Telemetry) -> Gate:
        return cls(Peers(settings["http"]["trusted_proxies"]), Refusals(telemetry))


class Door:
    """What every request must pass before anything reads it: Host, Origin, bearer token."""

    def __init__(
        self,
        app: Asgi,
        host: str,
        settings: Mapping[str, Any],
        token: str | None,
        gate: Gate,
        public: frozenset[str] = frozenset(),
    ) -> None:
        self._app = app
        self._open_paths = _OPEN_PATHS | public
        bound = f"[{host}]" if ":" in host and not host.startswith("[") else host
        self._hosts = frozenset(each.lower() for each in (*_LOOPBACK, bound, *settings["allowed_hosts"]))
        self._origins = frozenset(each.lower().rstrip("/") for each in settings["allowed_origins"])
        self._token = token.encode() if token else None
        self._peers, self._refusals = gate
        principal = f"token:{cache.digest(token.encode())[:12]}" if token else ANONYMOUS
        self._principal = principal
        self._who = {"wekadocs.principal": principal, **({"user": _user(principal)} if token else {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # httptools keeps spaces around header values, which the protocol's header checks would take for a mismatch.
        headers = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
        named = dict(headers)
        peer = self._peers.of(scope.get("client"), named)
        refusal = self._twice(headers) if len(named) < len(headers) else None
        refusal = refusal or self._refusal(scope["path"], named)
        if refusal is not None:
            self._refusals.note(refusal.status, peer)
        asker = (self._principal, peer), scope.get("client")
        passed = {**scope, "headers": headers, "wekadocs.headers": named, "wekadocs.asker": asker, **self._who}
        await (refusal or self._app)(passed, receive, send)

    @staticmethod
    def _twice(headers: list[tuple[bytes, bytes]]) -> Say | None:
        """What decides who asks, from where and how much stands once: two readers could take two of them."""
        seen: set[bytes] = set()
        for name, _ in headers:
            if name in _ONCE and name in seen:
                return say(400, f"The header {name.decode()} is there twice. Send it once.")
            seen.add(name)
        return None

    def _refusal(self, path: str, headers: dict[bytes, bytes]) -> Say | None:
        host, origin = (headers.get(name, b"").decode("latin-1") for name in (b"host", b"origin"))
        if not self._host_allowed(host):
            return say(421, f"Host {host[:80]!r} is not served here. Add it to server.allowed_hosts in tools.yaml.")
        if origin and not self._origin_allowed(origin):
            return say(403, "This Origin is not allowed. Add it to server.allowed_origins in tools.yaml.")
        if not self._authorized(path, headers.get(b"authorization", b"")):
            return say(401, "A bearer token is needed (Authorization: Bearer …, see MCP_AUTH_TOKEN).", _CHALLENGE)
        return None

    def _host_allowed(self, host: str) -> bool:
        name = host.lower()
        bare, _, port = name.rpartition(":")
        return name in self._hosts or (bare in self._hosts and port.isdecimal())

    def _origin_allowed(self, origin: str) -> bool:
        if origin.lower() in self._origins:
            return True
        parts = _ORIGIN.fullmatch(origin.lower())  # not urlsplit: to it, http://[::1].evil.example is on this machine
        return parts is not None and is_loopback(parts[1])

    def _authorized(self, path: str, header: bytes) -> bool:
        if self._token is None or path in self._open_paths:
            return True
        scheme, _, given = header.partition(b" ")
        return scheme.lower() == b"bearer" and hmac.compare_digest(given.strip(), self._token)


def _user(principal: str) -> object:
    """By this the SDK binds a session of the older era to whoever opened it; another principal gets 404."""
    from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
    from mcp.server.auth.provider import AccessToken

    return AuthenticatedUser(AccessToken(token=principal, client_id=principal, scopes=[]))


class Say:
    """An ASGI application with one answer. A class, because Starlette calls a plain function with a Request."""

    def __init__(self, status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
        self.status, self._body, self._headers = status, body, headers

    async def __call__(self, _: Scope, __: Receive, send: Send) -> None:
        length = str(len(self._body)).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", length), *self._headers]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self._body})


def say(
    status: int,
    message: str,
    headers: list[tuple[bytes, bytes]] | None = None,
    code: int = types.INVALID_REQUEST,
    request_id: types.RequestId | None = None,
) -> Say:
    error = {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}
    return Say(status, json.dumps(error).encode(), headers or [])
